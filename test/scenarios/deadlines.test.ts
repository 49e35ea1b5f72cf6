import { describe, expect, it } from 'vitest';
import { ledgerRun } from '../../src/testkit/ledger-run.ts';
import { askApproval, effectsOfType, fire } from './asks.ts';

const totalMs = 14_400_000;
const inTurn = () => {
  const r = ledgerRun();
  r.launch();
  r.started('t1');
  return r;
};
const leftMs = (r: ReturnType<typeof ledgerRun>) => {
  const timer = r.run().timers['turn-total'];
  return timer === undefined ? null : timer.dueAt - r.run().mono;
};

describe('a silent turn', () => {
  const silent = (r: ReturnType<typeof ledgerRun>, turn = 't1') =>
    r.onEvent({ type: 'turn-silent', session: 's1', turn, silentMs: 1_800_000 }, 1_800_000);

  it('is interrupted and counts as failed, whatever its end says', () => {
    const r = inTurn();
    expect(effectsOfType(silent(r), 'turn-interrupt')).toHaveLength(1);
    r.ended({ status: 'completed' });
    expect(r.run().last).toMatchObject({ status: 'failed', failure: { kind: 'silent' } });
    expect(r.run().failuresInRow).toBe(1);
  });

  it('is not one while a person is asked', () => {
    const r = inTurn();
    askApproval(r, 'q1');
    expect(silent(r).late).toBe(true);
  });

  it('is one though an old question of a dead agent is still open', () => {
    const r = inTurn();
    askApproval(r, 'q1');
    r.onEvent({ type: 'session-ended', session: 's1' });
    r.outcome('tree-read', { of: 'tree-read', tree: { tree: 'unknown', head: null } });
    fire(r, 'wait', 60_000);
    r.launch();
    r.started('t2');
    expect(r.run().gates).toHaveLength(1);
    expect(effectsOfType(silent(r, 't2'), 'turn-interrupt')).toHaveLength(1);
  });

  it('is also one whose agent never said which turn it took', () => {
    const r = ledgerRun();
    const dispatch = r.launch();
    silent(r, dispatch);
    expect(r.run().turn).toMatchObject({ endAs: 'silent', interrupt: 'wanted' });
    const entry = fire(r, 'interrupt-grace', 30_000);
    expect(effectsOfType(entry, 'session-close')).toHaveLength(1);
  });
});

describe('an overlong turn', () => {
  it('is interrupted after four hours', () => {
    const r = inTurn();
    expect(leftMs(r)).toBeLessThanOrEqual(totalMs);
    expect(leftMs(r)).toBeGreaterThan(totalMs - 100);
    const entry = fire(r, 'turn-total', totalMs);
    expect(effectsOfType(entry, 'turn-interrupt')).toHaveLength(1);
    r.ended({ status: 'interrupted' });
    expect(r.run().last).toMatchObject({ status: 'failed', failure: { kind: 'overlong' } });
  });

  it('does not age while a gate is open', () => {
    const r = inTurn();
    r.onEvent({ type: 'usage-reported', session: 's1', usage: {} }, 1_000_000);
    const left = leftMs(r) ?? 0;
    const gate = askApproval(r, 'q1');
    expect(leftMs(r)).toBeNull();
    r.onEvent({ type: 'gate-answered', gate: gate.id, answer: 'approve', by: 'me' }, 1_700_000);
    expect(leftMs(r)).toBe(left - 10);
  });

  it('is given back what monotonic time counted of a sleep', () => {
    const r = inTurn();
    const left = leftMs(r) ?? 0;
    r.onEvent({ type: 'sleep-detected', sleptMs: 3_600_000, countedMs: 3_600_000 }, 3_600_000);
    expect(leftMs(r)).toBe(left);
    r.onEvent({ type: 'sleep-detected', sleptMs: 3_600_000, countedMs: 0 }, 0);
    expect(leftMs(r)).toBe(left);
  });

  it('has no clock of its own any more once it is being ended', () => {
    const r = inTurn();
    fire(r, 'turn-total', totalMs);
    r.onEvent({ type: 'usage-reported', session: 's1', usage: {} });
    expect(Object.keys(r.run().timers)).toEqual(['interrupt-grace']);
  });

  it('starts its clock anew in a new process', () => {
    const r = inTurn();
    r.onEvent({ type: 'usage-reported', session: 's1', usage: {} }, totalMs / 2);
    r.restarted();
    r.outcome('session-open', { of: 'session-open', session: 's1' });
    r.outcome('turn-find', { of: 'turn-find', found: 'running', turn: 't1' });
    expect(leftMs(r)).toBe(totalMs);
  });
});
