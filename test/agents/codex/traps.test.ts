import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../../src/contract/index.ts';
import { startState } from '../../../src/edge/agents/codex/state.ts';
import { noteSent, translate } from '../../../src/edge/agents/codex/translate.ts';
import { recorded, replay, withDispatches } from './replay.ts';

type Frame = { readonly method?: string; readonly id?: number; readonly [field: string]: unknown };
const place = (threadId: string, turnId: string) => ({ threadId, turnId });
const started = (turn: string): Frame => ({
  method: 'turn/started',
  params: { threadId: 'thread', turn: { id: turn, rootTurnId: turn } },
});
const ended = (turn: string): Frame => ({
  method: 'turn/completed',
  params: { threadId: 'thread', turn: { id: turn, status: 'completed' } },
});
const change = (threadId: string, turnId: string, path: string): Frame => ({
  method: 'item/started',
  params: { ...place(threadId, turnId), item: { type: 'fileChange', id: 'item-1', changes: [{ path }] } },
});
const asksForEdit = (id: number, threadId: string, turnId: string): Frame => ({
  id,
  method: 'item/fileChange/requestApproval',
  params: { ...place(threadId, turnId), itemId: 'item-1' },
});

/** What these frames mean, one after another; ours are those the server could not have sent. */
function onEvent(frames: readonly Frame[]) {
  let state = startState('thread');
  const events: AgentEvent[] = [];
  const replies: unknown[] = [];
  for (const { ours, ...frame } of frames) {
    if (ours === true) {
      state = noteSent(state, frame);
      continue;
    }
    const meaning = translate(state, frame);
    state = meaning.state;
    events.push(...meaning.events.map(({ event }) => event));
    replies.push(...meaning.replies);
  }
  return { state, events, replies };
}

describe('a start that Codex takes as steering of the running turn', () => {
  it('neither renames that turn nor begins another', () => {
    const start = (id: number, clientUserMessageId: string): Frame => ({
      ours: true,
      id,
      method: 'turn/start',
      params: { threadId: 'thread', clientUserMessageId },
    });
    const answer = (id: number): Frame => ({ id, result: { turn: { id: 'turn-1' } } });
    const { events } = onEvent([
      start(1, 'd1'),
      answer(1),
      started('turn-1'),
      start(2, 'd2'),
      answer(2),
      ended('turn-1'),
    ]);
    expect(events).toMatchObject([
      { type: 'turn-started', turn: 'turn-1', dispatch: 'd1' },
      { type: 'turn-ended', turn: 'turn-1', dispatch: 'd1' },
    ]);
  });
});

describe('the diff the server shows', () => {
  it('is no event: files that commands wrote are missing from it, so the tree is read from git', () => {
    const frames = withDispatches(recorded('plan-and-usage'));
    const without = frames.filter(({ msg }) => msg.method !== 'turn/diff/updated');
    expect(without.length).toBeLessThan(frames.length);
    expect(replay(frames).events).toEqual(replay(without).events);
  });
});

describe('items that never end', () => {
  it('are forgotten with their turn, so that a later approval cannot show an older change', () => {
    const { events, replies, state } = onEvent([
      ...[started('turn-1'), change('thread', 'turn-1', '/w/old'), ended('turn-1'), started('turn-2')],
      asksForEdit(0, 'thread', 'turn-1'),
    ]);
    expect(state.changes).toEqual({});
    expect(events.map(({ type }) => type)).not.toContain('approval-asked');
    expect(replies).toMatchObject([{ id: 0, error: {} }]);
  });
});

describe('ids of items, which repeat across threads and turns', () => {
  it('are told apart: each approval shows the change of its own thread', () => {
    const { events } = onEvent([
      started('turn-1'),
      ...[change('thread', 'turn-1', '/w/ours'), change('child', 'turn-c', '/w/theirs')],
      ...[asksForEdit(0, 'child', 'turn-c'), asksForEdit(1, 'thread', 'turn-1')],
    ]);
    const asked = events.flatMap((event) => (event.type === 'approval-asked' ? [event.action.paths] : []));
    expect(asked).toEqual([['/w/theirs'], ['/w/ours']]);
  });
});

describe('several approvals at once', () => {
  it('stay open side by side under names of their own, though a request of ours has the same id', () => {
    const command = (id: number, text: string): Frame => ({
      id,
      method: 'item/commandExecution/requestApproval',
      params: { ...place('thread', 'turn-1'), itemId: `i${id}`, command: text },
    });
    const { state, events } = onEvent([
      { ours: true, id: 1, method: 'thread/turns/list', params: {} },
      ...[started('turn-1'), command(0, 'one'), command(1, 'two'), command(2, 'three')],
      { id: 1, result: { data: [] } },
      { method: 'serverRequest/resolved', params: { threadId: 'thread', requestId: 0 } },
    ]);
    const names = events.flatMap((event) => (event.type === 'approval-asked' ? [event.request] : []));
    expect(new Set(names).size).toBe(3);
    expect(Object.keys(state.requests)).toEqual(names.slice(1));
    expect(events.at(-1)).toMatchObject({ type: 'request-withdrawn', request: names[0] });
    expect(state.asked).toEqual({});
  });
});
