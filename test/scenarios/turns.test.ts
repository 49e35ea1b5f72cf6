import { describe, expect, it } from 'vitest';
import { bounds, closingLine } from '../../src/core/index.ts';
import { ledgerRun } from '../../src/testkit/ledger-run.ts';
import { askApproval, effectsOfType, fire } from './asks.ts';

const launched = (options = {}) => {
  const r = ledgerRun(options);
  const dispatch = r.launch();
  return { r, dispatch };
};

describe('a turn', () => {
  it('is sent once, whether its start or its acknowledgement is heard first', () => {
    for (const order of ['start first', 'acknowledgement first']) {
      const { r, dispatch } = launched();
      const { id } = r.pending('turn-start');
      const start = () => r.onEvent({ type: 'turn-started', session: 's1', turn: 't1', dispatch });
      const acknowledge = () =>
        r.onEvent({ type: 'effect-ended', effect: id, outcome: { of: 'turn-start', turn: 't1' } });
      const entries = order === 'start first' ? [start(), acknowledge()] : [acknowledge(), start()];
      expect(entries.flatMap((e) => effectsOfType(e, 'turn-start'))).toEqual([]);
      expect(r.run().turn).toMatchObject({ phase: 'started', turn: 't1', dispatch });
    }
  });

  it('ends once: a second end is late and changes nothing', () => {
    const { r } = launched();
    const turn = r.started();
    r.ended();
    const { turns } = r.run();
    const again = r.onEvent({ type: 'turn-ended', session: 's1', turn, status: 'failed' });
    expect(again.late).toBe(true);
    expect(r.run().turns).toBe(turns);
  });

  it('may end before we heard that it started', () => {
    const { r, dispatch } = launched();
    r.onEvent({ type: 'turn-ended', session: 's1', turn: 't1', dispatch, status: 'completed' });
    expect(r.run()).toMatchObject({ turn: null, turns: 1, state: 'deciding' });
    const late = r.onEvent({ type: 'turn-started', session: 's1', turn: 't1', dispatch });
    expect(late.late).toBe(true);
    expect(r.run().foreign).toBeNull();
  });

  it('is ours as soon as the agent acknowledges an id that seemed foreign', () => {
    const { r } = launched();
    r.onEvent({ type: 'turn-started', session: 's1', turn: 't1' });
    expect(r.run().foreign).toBe('t1');
    r.outcome('turn-start', { of: 'turn-start', turn: 't1' });
    expect(r.run()).toMatchObject({ foreign: null, turn: { turn: 't1' } });
  });

  it('that was over before we knew it was ours is looked at with care', () => {
    const { r } = launched();
    r.onEvent({ type: 'turn-started', session: 's1', turn: 't1' });
    r.onEvent({ type: 'turn-ended', session: 's1', turn: 't1', status: 'completed' });
    r.outcome('turn-start', { of: 'turn-start', turn: 't1' });
    expect(r.run()).toMatchObject({ turn: null, turns: 1, inDoubt: true });
  });

  it('that the agent has begun goes on, whatever became of the message that asked for it', () => {
    const { r, dispatch } = launched();
    r.onEvent({ type: 'turn-started', session: 's1', turn: 't1', dispatch });
    const failure = { kind: 'stream-cut' as const, message: 'cut' };
    r.outcome('turn-start', { of: 'turn-start', failure });
    expect(r.run().turn?.turn).toBe('t1');
  });

  it('that could not be delivered is a failed turn, and what it said is said again', () => {
    const { r } = launched({ agent: { steers: false } });
    r.onEvent({ type: 'steer-given', text: { text: 'mind the docs' }, by: 'me' });
    r.started();
    r.ended();
    r.launch();
    const failure = { kind: 'server-error' as const, message: 'no' };
    r.outcome('turn-start', { of: 'turn-start', failure });
    r.outcome('tree-read', { of: 'tree-read', tree: { tree: 'unknown', head: null } });
    const over = fire(r, 'wait', 60_000);
    expect(over.decision?.input?.parts).toContainEqual({ part: 'steer', texts: [{ text: 'mind the docs' }] });
  });

  it('that was given up and begins after all is ours again', () => {
    const { r, dispatch } = launched();
    const failure = { kind: 'stream-cut' as const, message: 'cut' };
    r.outcome('turn-start', { of: 'turn-start', failure });
    r.outcome('tree-read', { of: 'tree-read', tree: { tree: 'unknown', head: null } });
    expect(r.run().state).toBe('waiting');
    r.onEvent({ type: 'turn-started', session: 's1', turn: 't1', dispatch });
    expect(r.run()).toMatchObject({ state: 'running', foreign: null, turn: { turn: 't1', dispatch } });
    expect(r.run().timers.wait).toBeUndefined();
    expect(r.run().timers['turn-total']).toBeDefined();
  });

  it('hears nothing of an old acknowledgement that comes during the next one', () => {
    const { r } = launched();
    const old = r.pending('turn-start').id;
    r.onEvent({ type: 'session-ended', session: 's1' });
    r.outcome('tree-read', { of: 'tree-read', tree: { tree: 'unknown', head: null } });
    fire(r, 'wait', 60_000);
    r.launch();
    const failure = { kind: 'crashed' as const, message: 'gone' };
    r.onEvent({ type: 'effect-ended', effect: old, outcome: { of: 'turn-start', failure } });
    expect(r.run().turn).toMatchObject({ phase: 'sent', turn: null });
    r.started('t2');
    expect(r.run().turn?.turn).toBe('t2');
  });

  it('that dies after it asked for something was at work: the next input says to look first', () => {
    const quiet = launched().r;
    quiet.started();
    quiet.onEvent({ type: 'session-ended', session: 's1' });
    expect(quiet.run().inDoubt).toBe(false);
    const { r } = launched();
    r.started();
    askApproval(r, 'r1');
    r.onEvent({ type: 'session-ended', session: 's1' });
    expect(r.run().inDoubt).toBe(true);
  });

  it('that dies with its agent is a failure, and an agent that dies before it begins is one too', () => {
    const { r } = launched();
    r.started();
    r.onEvent({ type: 'session-ended', session: 's1' });
    expect(r.run()).toMatchObject({ failuresInRow: 1, last: { failure: { kind: 'crashed' } } });
    const idle = ledgerRun();
    idle.outcome('session-open', { of: 'session-open', session: 's1' });
    const entry = idle.onEvent({ type: 'session-ended', session: 's1' });
    expect(entry.decision).toMatchObject({ rule: 'failed-turn', waiting: { on: 'backoff' } });
    expect(effectsOfType(entry, 'session-open')).toEqual([]);
  });

  it('counts what happens in it, and nothing that happens elsewhere', () => {
    const { r } = launched();
    const turn = r.started();
    const item = (session: string, of: string, outcome: 'ok' | 'failed') =>
      r.onEvent({ type: 'item-ended', session, turn: of, item: 'i', kind: 'command', label: 'x', outcome });
    item('s1', turn, 'ok');
    item('s1', turn, 'failed');
    expect(item('elsewhere', turn, 'ok').late).toBe(true);
    expect(item('s1', 'another', 'ok').late).toBe(true);
    expect(r.run().turn).toMatchObject({ items: 2, failedItems: 1 });
  });

  it('does not start before slot, session and tree are there', () => {
    const needs = ['session-open', 'slot-request', 'tree-read'] as const;
    for (const last of needs) {
      const r = ledgerRun();
      for (const need of needs.filter((n) => n !== last)) {
        expect(r.has('turn-start')).toBe(false);
        answer(r, need);
      }
      expect(r.has('turn-start')).toBe(false);
      answer(r, last);
      expect(r.has('turn-start')).toBe(true);
    }
  });
});

function answer(r: ReturnType<typeof ledgerRun>, need: 'session-open' | 'slot-request' | 'tree-read'): void {
  if (need === 'session-open') r.outcome(need, { of: need, session: 's1' });
  else if (need === 'slot-request') r.outcome(need, { of: need });
  else r.outcome(need, { of: need, tree: { tree: 'unknown', head: null } });
}

describe('a foreign turn', () => {
  it('that ended before its start is told is not waited for', () => {
    const r = ledgerRun();
    answer(r, 'session-open');
    r.onEvent({ type: 'turn-ended', session: 's1', turn: 'other', status: 'completed' });
    expect(
      r.onEvent({ type: 'turn-ended', session: 's1', turn: 'other', status: 'completed' }),
    ).toMatchObject({ late: true });
    r.onEvent({ type: 'turn-started', session: 's1', turn: 'other' });
    expect(r.run().foreign).toBeNull();
  });

  it('is waited for: nothing of ours is sent until it ends', () => {
    const r = ledgerRun();
    answer(r, 'session-open');
    answer(r, 'slot-request');
    r.onEvent({ type: 'turn-started', session: 's1', turn: 'foreign' });
    answer(r, 'tree-read');
    expect(r.has('turn-start')).toBe(false);
    const over = r.onEvent({ type: 'turn-ended', session: 's1', turn: 'foreign', status: 'completed' });
    expect(effectsOfType(over, 'turn-start')).toHaveLength(1);
  });

  it('is billed, is no turn of ours, and is never interrupted', () => {
    const { r } = launched();
    r.started();
    r.ended();
    r.onEvent({ type: 'turn-started', session: 's1', turn: 'foreign' });
    r.onEvent({ type: 'usage-reported', session: 's1', usage: { totalTokens: 70 } });
    r.onEvent({
      type: 'item-ended',
      session: 's1',
      turn: 'foreign',
      item: 'i',
      kind: 'person',
      outcome: 'ok',
      label: '',
    });
    const { turns } = r.run();
    const entry = r.onEvent({ type: 'person-asked', ask: 'pause', now: true, by: 'me' });
    expect(entry.decision?.rule).toBe('person-pause');
    expect(effectsOfType(entry, 'turn-interrupt')).toEqual([]);
    expect(r.run()).toMatchObject({ turns, usage: { tokens: 70 } });
  });

  it('ends with its session', () => {
    const { r } = launched();
    r.started();
    r.onEvent({ type: 'turn-started', session: 's1', turn: 'foreign' });
    r.onEvent({ type: 'session-ended', session: 's1' });
    expect(r.run().foreign).toBeNull();
  });

  it('is followed once: its start may be repeated', () => {
    const { r } = launched();
    r.started();
    r.onEvent({ type: 'turn-started', session: 's1', turn: 'foreign' });
    expect(r.onEvent({ type: 'turn-started', session: 's1', turn: 'foreign' }).late).toBe(true);
  });

  it('may spend the budget we were about to use', () => {
    const r = ledgerRun({ policy: { limits: { tokensMax: 50 } } });
    answer(r, 'session-open');
    answer(r, 'slot-request');
    r.onEvent({ type: 'turn-started', session: 's1', turn: 'foreign' });
    answer(r, 'tree-read');
    r.onEvent({ type: 'usage-reported', session: 's1', usage: { totalTokens: 50 } });
    const over = r.onEvent({ type: 'turn-ended', session: 's1', turn: 'foreign', status: 'completed' });
    expect(over.decision).toMatchObject({ rule: 'token-budget', to: 'paused' });
    expect(effectsOfType(over, 'turn-start')).toEqual([]);
  });
});

describe('late news', () => {
  it('of effects nobody waits for any more is recorded and changes nothing', () => {
    const { r } = launched();
    const { id } = r.pending('turn-start');
    r.started();
    const before = r.run();
    const late = r.onEvent({
      type: 'effect-ended',
      effect: id,
      outcome: { of: 'turn-start', turn: 'other' },
    });
    expect(late.late).toBe(true);
    expect({ ...r.run(), seq: 0, at: 0, mono: 0, activeMs: 0 }).toEqual({
      ...before,
      seq: 0,
      at: 0,
      mono: 0,
      activeMs: 0,
    });
  });

  it('of timers that were called off or replaced changes nothing', () => {
    const { r } = launched();
    r.started();
    expect(r.onEvent({ type: 'timer-fired', timer: 'turn-total', effect: 'old/1/0' }).late).toBe(true);
    expect(r.onEvent({ type: 'timer-fired', timer: 'wait', effect: 'old/1/0' }).late).toBe(true);
    expect(r.run().turn?.endAs).toBeNull();
  });

  it('for a run that has ended changes nothing, whatever it is', () => {
    const { r } = launched();
    const turn = r.started();
    r.ended({ message: { text: closingLine } });
    r.onEvent({ type: 'person-asked', ask: 'stop', by: 'me' });
    expect(r.run().state).toBe('stopped');
    for (const event of [
      { type: 'person-asked', ask: 'resume', by: 'me' },
      { type: 'steer-given', text: { text: 'more' }, by: 'me' },
      { type: 'limits-changed', limits: { turnsMax: 9 }, by: 'me' },
      { type: 'turn-started', session: 's1', turn: 'again' },
      { type: 'turn-ended', session: 's1', turn, status: 'completed' },
      { type: 'keeper-started', epoch: 9, pid: 1, host: 'here', version: '0' },
    ] as const)
      expect(r.onEvent(event)).toMatchObject({ late: true });
    expect(r.run().state).toBe('stopped');
  });

  it('of more turns than we remember still ends none of ours', () => {
    const { r } = launched();
    for (let n = 0; n <= bounds.endedTurnsMax; n++) {
      r.started(`t${n}`);
      r.ended();
      r.launch();
    }
    r.started('current');
    r.onEvent({ type: 'turn-ended', session: 's1', turn: 't0', status: 'failed' });
    expect(r.run().turn?.turn).toBe('current');
  });
});
