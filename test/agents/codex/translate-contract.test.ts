import { expect, it } from 'vitest';
import { type Recorded, recorded, replay } from './replay.ts';

const server = (method: string, params: object): Recorded => ({ dir: '<', msg: { method, params } });
const turn = (method: string, threadId: string, id: string, more: object = {}) =>
  server(method, { threadId, turn: { id, rootTurnId: id, ...more } });
const command = (method: string, id: string) =>
  server(method, {
    threadId: 'thread',
    turnId: 'turn',
    item: { type: 'commandExecution', id, command: 'npm run dev', status: 'completed' },
  });
const background = (...frames: Recorded[]) =>
  replay(frames, 'thread').events.flatMap((event) =>
    event.type === 'background-changed' ? [event.tasks.map(({ kind, label }) => `${kind} ${label}`)] : [],
  );
const begins = [turn('turn/started', 'thread', 'turn'), command('item/started', 'c1')];
const ends = (status: string) => turn('turn/completed', 'thread', 'turn', { status });

it('a command that runs on when its turn has ended is told before that end, and its own end too', () => {
  const frames = [...begins, ends('completed'), command('item/completed', 'c1')];
  expect(background(...frames)).toEqual([['shell npm run dev'], []]);
  const types = replay(frames, 'thread').events.map(({ type }) => type);
  expect(types.indexOf('background-changed')).toBeLessThan(types.indexOf('turn-ended'));
});

it('an interrupt ends what ran, so nothing is left in the background', () => {
  expect(background(...begins, ends('interrupted'))).toEqual([]);
  const again = [
    turn('turn/started', 'thread', 'next'),
    turn('turn/completed', 'thread', 'next', { status: 'interrupted' }),
  ];
  expect(background(...begins, ends('completed'), ...again)).toEqual([['shell npm run dev'], []]);
});

it('a sub-agent that works on is told; a thread that is nobody’s sub-agent is not', () => {
  const child = { rootTurnId: 'turn' };
  expect(
    background(
      turn('turn/started', 'thread', 'turn'),
      turn('turn/started', 'child', 'child-turn', child),
      turn('turn/started', 'stranger', 'other-turn'),
      ends('completed'),
      turn('turn/completed', 'stranger', 'other-turn', { status: 'completed' }),
      turn('turn/completed', 'child', 'child-turn', { ...child, status: 'completed' }),
    ),
  ).toEqual([['agent sub-agent'], []]);
});

it('a request of a sub-agent comes under our thread and names the sub-agent', () => {
  const { events, state } = replay(recorded('sub-agent'));
  const asked = events.filter((event) => event.type === 'approval-asked');
  expect(asked.length).toBeGreaterThan(0);
  for (const event of asked) {
    expect(event.session).toBe(state.session);
    expect(event.subagent?.id).toMatch(/^[0-9a-f-]{36}$/);
    expect(event.subagent?.id).not.toBe(state.session);
  }
});

it('a plan is told with its steps', () => {
  const plans = replay(recorded('plan-and-usage')).events.flatMap((event) =>
    event.type === 'plan-changed' ? [event.steps?.map(({ status }) => status)] : [],
  );
  expect(plans.length).toBeGreaterThan(0);
  for (const statuses of plans)
    for (const status of statuses ?? ['none']) expect(status).toMatch(/^(pending|active|done)$/);
});
