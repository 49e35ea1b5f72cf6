import { describe, expect, it } from 'vitest';
import type { FailureKind } from '../../src/contract/index.ts';
import { backoffMs, cooldownMs, jitterMs } from '../../src/core/decide/failures.ts';
import { bounds, replay } from '../../src/core/index.ts';
import { ledgerRun } from '../../src/testkit/ledger-run.ts';
import { dueRun, failedWith, ruled, spoken, withLast } from './due.ts';

const minuteMs = 60_000;
const untilOf = (run: Parameters<typeof ruled>[0]) => ruled(run).decision?.waiting?.until ?? Number.NaN;

describe('an unrecoverable failure', () => {
  it.each(['auth', 'setup', 'gone'] as const)('of the kind %s fails the run', (kind) => {
    const { decision } = ruled(failedWith(dueRun(), kind));
    expect(decision).toMatchObject({ verdict: 'stop', rule: 'unrecoverable', to: 'failed', actor: 'world' });
    expect(decision?.cause).toBe(`failure:${kind}`);
  });

  it.each(['refused', 'other', 'crashed', 'silent', 'overlong', 'context-full'] as const)(
    'is not one of the kind %s: that is tried again',
    (kind) => {
      expect(spoken(failedWith(dueRun(), kind))).toBe('failed-turn');
    },
  );

  it('counts only when the turn failed of it', () => {
    const run = withLast(failedWith(dueRun(), 'auth'), { status: 'completed' });
    expect(spoken(run)).toBe('continue');
  });
});

describe('a usage limit', () => {
  const limited = (until: number | null) => ({ ...dueRun(), limit: { until, because: 'weekly limit' } });

  it('waits until its reset, two minutes and a jitter of less than a minute', () => {
    const run = limited(dueRun().at + 3_600_000);
    const wait = untilOf(run) - run.at - 3_600_000;
    expect(wait).toBe(2 * minuteMs + jitterMs(run.id, run.seq));
    expect(wait).toBeGreaterThanOrEqual(2 * minuteMs);
    expect(wait).toBeLessThan(3 * minuteMs);
    expect(ruled(run).decision?.waiting?.on).toBe('usage-limit');
  });

  it('whose reset has passed waits from now on', () => {
    const run = limited(dueRun().at - 3_600_000);
    expect(untilOf(run)).toBe(run.at + 2 * minuteMs + jitterMs(run.id, run.seq));
  });

  it('without a reset time is probed every half hour', () => {
    const run = limited(null);
    expect(untilOf(run)).toBe(run.at + 30 * minuteMs);
  });

  it('whose reset is told while the run probes is waited for from then on, also by the next process', () => {
    const r = ledgerRun();
    r.launch();
    r.started();
    r.ended({ status: 'failed', failure: { kind: 'usage-limit', message: 'used up' } });
    expect(r.run().waiting?.until).toBe(r.run().at + 30 * minuteMs);
    const resetAt = r.run().at + 5 * 60 * minuteMs;
    r.onEvent({ type: 'limit-seen', session: 's1', resetAt, because: 'the weekly limit' });
    const { waiting } = r.run();
    expect(waiting).toMatchObject({ on: 'usage-limit' });
    expect(waiting?.until ?? 0).toBeGreaterThan(resetAt);
    r.restarted();
    expect(r.run()).toMatchObject({ waiting, turns: 0, state: 'waiting' });
    r.onEvent({ type: 'limit-seen', session: 's1', resetAt: resetAt + 1, because: 'the weekly limit' });
    expect(r.run().waiting).toEqual(waiting);
    expect(replay(r.entries).divergences).toEqual([]);
  });

  it('spreads the wake-ups of many runs over the whole minute, the same way on every machine', () => {
    const drawn = Array.from({ length: 200 }, (_, n) => jitterMs(`20260101-000000-${n}`, 5));
    expect(Math.min(...drawn)).toBeLessThan(minuteMs / 10);
    expect(Math.max(...drawn)).toBeGreaterThan((minuteMs * 9) / 10);
    expect(drawn.every((ms) => ms >= 0 && ms < bounds.limitJitterMs)).toBe(true);
    expect(jitterMs('20260101-000000-00aaaa', 7)).toBe(jitterMs('20260101-000000-00aaaa', 7));
  });

  it('costs no turn, and the run goes on by itself when the wait is over', () => {
    const r = ledgerRun();
    r.launch();
    r.started();
    const resetAt = r.run().at + 1_000_000;
    const waits = r.ended({ status: 'failed', failure: { kind: 'usage-limit', message: 'limit', resetAt } });
    expect(waits.decision?.rule).toBe('usage-limit');
    expect(r.run().turns).toBe(0);
    const wait = r.run().timers.wait;
    const over = r.onEvent({ type: 'timer-fired', timer: 'wait', effect: wait?.effect ?? '' }, 1_200_000);
    expect(over.decision?.rule).toBe('continue');
    expect(r.run().limit).toBeNull();
  });

  it('that was seen while a turn succeeded waits as well', () => {
    const r = ledgerRun();
    r.launch();
    r.started();
    r.onEvent({ type: 'limit-seen', session: 's1', resetAt: null, because: 'the weekly limit' });
    expect(r.ended().decision).toMatchObject({ verdict: 'wait', rule: 'usage-limit' });
  });

  it('that is seen before the decided turn starts holds it back', () => {
    const r = ledgerRun();
    r.outcome('session-open', { of: 'session-open', session: 's1' });
    r.outcome('slot-request', { of: 'slot-request' });
    r.onEvent({ type: 'limit-seen', session: 's1', resetAt: null, because: 'the weekly limit' });
    const entry = r.outcome('tree-read', { of: 'tree-read', tree: { tree: 'unknown', head: null } });
    expect(entry.decision).toMatchObject({ verdict: 'wait', rule: 'usage-limit' });
    expect(r.has('turn-start')).toBe(false);
  });

  it('can be cut short by the person', () => {
    const r = ledgerRun();
    r.launch();
    r.started();
    r.ended({ status: 'failed', failure: { kind: 'usage-limit', message: 'limit' } });
    const resumed = r.onEvent({ type: 'person-asked', ask: 'resume', by: 'me' });
    expect(resumed.decision?.rule).toBe('continue');
    expect(r.run().timers.wait).toBeUndefined();
  });
});

describe('a world that is away', () => {
  it.each([
    [1, 1],
    [2, 2],
    [3, 4],
    [4, 8],
    [5, 16],
    [6, 30],
    [7, 30],
    [1_000, 30],
  ])('is tried again after failure %i in a row in %i minutes', (times, minutes) => {
    expect(backoffMs(times)).toBe(minutes * minuteMs);
    const run = { ...failedWith(dueRun(), 'overloaded'), awayInRow: times };
    expect(ruled(run).decision).toMatchObject({ rule: 'away', waiting: { on: 'provider' } });
    expect(untilOf(run)).toBe(run.at + minutes * minuteMs);
  });

  it.each(['unreachable', 'overloaded'] as const)('(%s) never stops the run and costs no turn', (kind) => {
    const r = ledgerRun({ policy: { limits: { failuresMax: 2, turnsMax: 3 } } });
    for (let n = 0; n < 10; n++) {
      r.launch();
      r.started();
      const entry = r.ended({ status: 'failed', failure: { kind, message: 'nobody answers' } });
      expect(entry.decision).toMatchObject({ rule: 'away', verdict: 'wait' });
      const { effect } = r.run().timers.wait ?? { effect: '' };
      expect(r.onEvent({ type: 'timer-fired', timer: 'wait', effect }, 1_800_000).decision?.rule).toBe(
        'continue',
      );
    }
    expect(r.run().turns).toBe(0);
  });

  it('is back after one turn that ended', () => {
    const r = ledgerRun();
    r.launch();
    r.started();
    r.ended({ status: 'failed', failure: { kind: 'unreachable', message: 'nobody answers' } });
    expect(r.run().awayInRow).toBe(1);
    r.onEvent({ type: 'timer-fired', timer: 'wait', effect: r.run().timers.wait?.effect ?? '' }, minuteMs);
    r.launch();
    r.started();
    r.ended();
    expect(r.run().awayInRow).toBe(0);
  });
});

describe('failures that were answered', () => {
  const fail = (r: ReturnType<typeof ledgerRun>, kind: FailureKind = 'server-error') => {
    r.launch();
    r.started();
    return r.ended({ status: 'failed', failure: { kind, message: 'no' } });
  };
  const waitOver = (r: ReturnType<typeof ledgerRun>) =>
    r.onEvent({ type: 'timer-fired', timer: 'wait', effect: r.run().timers.wait?.effect ?? '' }, 1_800_000);

  it('back off four times and stop the run at the fifth in a row', () => {
    const r = ledgerRun();
    for (const minutes of [1, 2, 4, 8]) {
      const { decision } = fail(r);
      expect(decision).toMatchObject({ rule: 'failed-turn', waiting: { on: 'backoff' } });
      expect((decision?.waiting?.until ?? 0) - r.run().at).toBe(minutes * minuteMs);
      waitOver(r);
    }
    expect(fail(r).decision).toMatchObject({
      rule: 'failures-max',
      verdict: 'stop',
      to: 'paused',
      cause: 'limit:failuresMax',
    });
  });

  it('speak at failuresMax and not one before', () => {
    const run = failedWith(dueRun({ limits: { failuresMax: 3 } }), 'other');
    expect(spoken({ ...run, failuresInRow: 2 })).toBe('failed-turn');
    expect(spoken({ ...run, failuresInRow: 3 })).toBe('failures-max');
  });

  it('are forgotten after one turn that ended', () => {
    const r = ledgerRun();
    fail(r);
    waitOver(r);
    r.launch();
    r.started();
    r.ended();
    expect(r.run().failuresInRow).toBe(0);
  });

  it('get exactly one more try when the person resumes', () => {
    const r = ledgerRun({ policy: { limits: { failuresMax: 2 } } });
    fail(r);
    waitOver(r);
    expect(fail(r).decision?.rule).toBe('failures-max');
    expect(r.onEvent({ type: 'person-asked', ask: 'resume', by: 'me' }).decision?.rule).toBe('continue');
    expect(fail(r).decision?.rule).toBe('failures-max');
  });

  it('go on with more tries when the limit was raised', () => {
    const r = ledgerRun({ policy: { limits: { failuresMax: 2 } } });
    fail(r);
    waitOver(r);
    fail(r);
    r.onEvent({ type: 'limits-changed', limits: { failuresMax: 4 }, by: 'me' });
    r.onEvent({ type: 'person-asked', ask: 'resume', by: 'me' });
    expect(fail(r).decision?.rule).toBe('failed-turn');
    waitOver(r);
    expect(fail(r).decision?.rule).toBe('failures-max');
  });

  it('include an agent that cannot be opened, which costs no turn', () => {
    const r = ledgerRun();
    const failure = { kind: 'other' as const, message: 'it does not start' };
    const entry = r.outcome('session-open', { of: 'session-open', failure });
    expect(entry.decision).toMatchObject({ rule: 'failed-turn', waiting: { on: 'backoff' } });
    expect(r.run()).toMatchObject({ failuresInRow: 1, turns: 0, launch: null });
  });
});

describe('a short turn that changed nothing', () => {
  it.each([
    [1, 1],
    [2, 2],
    [3, 4],
    [4, 8],
    [5, 16],
    [6, 32],
    [7, 60],
    [50, 60],
  ])('number %i in a row cools down for %i seconds', (times, seconds) => {
    expect(cooldownMs(times)).toBe(seconds * 1_000);
    const run = { ...dueRun(), shortTurns: times };
    expect(untilOf(run)).toBe(run.at + seconds * 1_000);
    expect(ruled(run).decision?.waiting?.on).toBe('backoff');
  });

  it('is one of less than five seconds', () => {
    const afterTurn = (ms: number) => {
      const r = ledgerRun();
      r.launch('same');
      const turn = r.started();
      r.onEvent({ type: 'turn-ended', session: 's1', turn, status: 'completed' }, ms);
      const tree = { tree: r.run().tree?.tree ?? 'unknown', head: null };
      return r.outcome('tree-read', { of: 'tree-read', tree }).decision?.rule;
    };
    // The turn began a moment before its end was awaited: two events of 10 ms.
    expect(afterTurn(4_979)).toBe('cooldown');
    expect(afterTurn(4_980)).toBe('continue');
  });

  it('waits once, then the next turn starts', () => {
    const run = withLast({ ...dueRun(), shortTurns: 1 }, { waited: ['cooldown'] });
    expect(spoken(run)).toBe('continue');
  });
});
