import { describe, expect, it } from 'vitest';
import { ledgerRun } from '../../src/testkit/ledger-run.ts';
import { dueRun, ruled, spoken, withLast } from './due.ts';

const parts = (run: Parameters<typeof ruled>[0]): string[] =>
  ruled(run).decision?.input?.parts.map((p) => p.part) ?? [];

describe('turns without progress', () => {
  it('get one nudge at the limit, none before and none after, and pause at twice that', () => {
    const at = (noProgressTurns: number) => ({ ...dueRun(), noProgressTurns });
    expect(parts(at(2))).not.toContain('nudge');
    expect(parts(at(3))).toContain('nudge');
    expect(parts(at(4))).not.toContain('nudge');
    expect(spoken(at(5))).toBe('continue');
    expect(ruled(at(6)).decision).toMatchObject({ rule: 'no-progress', to: 'paused', cause: 'no-progress' });
  });

  it('name in the nudge what did not change', () => {
    const nudge = ruled({ ...dueRun(), noProgressTurns: 3 }).decision?.input?.parts.find(
      (p) => p.part === 'nudge',
    );
    expect(nudge).toEqual({
      part: 'nudge',
      turns: 3,
      unchanged: ['files', 'commits', 'plan', 'check results'],
    });
  });

  it('are forgiven by resuming', () => {
    const r = ledgerRun({ policy: { limits: { noProgressTurns: 1 } } });
    for (const rule of ['continue', 'no-progress']) {
      r.launch('same');
      r.started();
      expect(r.ended({}, 'same').decision?.rule).toBe(rule);
    }
    expect(r.onEvent({ type: 'person-asked', ask: 'resume', by: 'me' }).decision?.rule).toBe('continue');
    expect(r.run().noProgressTurns).toBe(0);
  });
});

describe('an unsafe context', () => {
  it('is three denials in one turn, not two', () => {
    expect(spoken(withLast(dueRun(), { denials: 2 }))).toBe('continue');
    expect(ruled(withLast(dueRun(), { denials: 3 })).decision).toMatchObject({
      rule: 'unsafe-context',
      verdict: 'pause',
      cause: 'unsafe',
    });
  });

  it('is an agent that raised its own permission mode', () => {
    const r = ledgerRun();
    r.launch();
    r.started();
    const raised = r.onEvent({ type: 'mode-raised', session: 's1', mode: 'full access' });
    // What it would do now, nobody could be asked about: the turn does not go on.
    expect(raised.effects?.[0]).toMatchObject({ type: 'turn-interrupt' });
    expect(r.ended({ status: 'interrupted' }).decision).toMatchObject({
      rule: 'unsafe-context',
      to: 'paused',
    });
    expect(r.onEvent({ type: 'person-asked', ask: 'resume', by: 'me' }).decision?.rule).toBe('continue');
  });

  it('counts the denials of one turn only', () => {
    const r = ledgerRun({ policy: { limits: { denialsMax: 2 } } });
    for (let n = 0; n < 3; n++) {
      r.launch();
      const turn = r.started();
      const action = { kind: 'command' as const, rendered: { text: 'x' }, digest: 'a'.repeat(64) };
      r.onEvent({ type: 'approval-asked', session: 's1', turn, request: `q${n}`, action });
      r.onEvent({ type: 'gate-answered', gate: r.run().gates[0]?.id ?? '', answer: 'deny', by: 'me' });
      expect(r.run().turn?.denials).toBe(1);
      expect(r.ended().decision?.rule).toBe('continue');
    }
  });
});

describe('questions that stay unanswered', () => {
  it('pause at the third in a row, not at the second', () => {
    expect(spoken({ ...dueRun(), expiriesInRow: 2 })).toBe('continue');
    expect(ruled({ ...dueRun(), expiriesInRow: 3 }).decision).toMatchObject({
      rule: 'unanswered',
      to: 'paused',
      cause: 'unanswered',
    });
  });
});

describe('an agent that reports', () => {
  it('that it is blocked pauses the run with its words', () => {
    const r = ledgerRun();
    r.launch();
    const turn = r.started();
    r.onEvent({
      type: 'status-reported',
      session: 's1',
      turn,
      status: 'blocked',
      text: { text: 'no API key' },
    });
    expect(r.ended().decision).toMatchObject({ rule: 'agent-blocked', to: 'paused', actor: 'agent' });
    expect(r.run().because).toContain('no API key');
  });

  it('that it waits is looked at again on our own clock, once', () => {
    const r = ledgerRun();
    r.launch();
    const turn = r.started();
    r.onEvent({ type: 'status-reported', session: 's1', turn, status: 'waiting', text: { text: 'for CI' } });
    const entry = r.ended();
    expect(entry.decision).toMatchObject({ rule: 'agent-waiting', waiting: { on: 'agent' } });
    expect((entry.decision?.waiting?.until ?? 0) - r.run().at).toBe(60_000);
    const { effect } = r.run().timers.wait ?? { effect: '' };
    expect(r.onEvent({ type: 'timer-fired', timer: 'wait', effect }, 60_000).decision?.rule).toBe('continue');
  });
});

describe('the same class of error', () => {
  const turnWith = (r: ReturnType<typeof ledgerRun>, kind: 'server-error' | 'rate-limited' | null) => {
    r.launch();
    const turn = r.started();
    if (kind !== null) {
      const failure = { kind, message: 'no' };
      r.onEvent({ type: 'error-seen', session: 's1', turn, failure, willRetry: false });
    }
    return r.ended().decision?.rule;
  };

  it('in three turns in a row pauses the run', () => {
    const r = ledgerRun();
    expect(turnWith(r, 'server-error')).toBe('continue');
    expect(turnWith(r, 'server-error')).toBe('continue');
    expect(turnWith(r, 'server-error')).toBe('same-error');
    expect(r.run().cause).toBe('same-error');
  });

  it('starts anew with another class, or after a turn without one', () => {
    const r = ledgerRun();
    for (const kind of [
      'server-error',
      'server-error',
      'rate-limited',
      null,
      'rate-limited',
      'rate-limited',
    ] as const)
      expect(turnWith(r, kind)).toBe('continue');
    expect(r.run().sameError).toEqual({ kind: 'rate-limited', times: 2 });
  });

  it('does not count what the agent tries again by itself', () => {
    const r = ledgerRun({ policy: { limits: { sameErrorTimes: 1 } } });
    r.launch();
    const turn = r.started();
    const failure = { kind: 'server-error' as const, message: 'no' };
    r.onEvent({ type: 'error-seen', session: 's1', turn, failure, willRetry: true });
    expect(r.ended().decision?.rule).toBe('continue');
  });
});

describe('compaction', () => {
  const turnWith = (r: ReturnType<typeof ledgerRun>, compactions: number) => {
    r.launch();
    const turn = r.started();
    for (let n = 0; n < compactions; n++) r.onEvent({ type: 'compaction-seen', session: 's1', turn });
    return r.ended().decision?.rule;
  };

  it('three times within ten turns is a loop, two times is not', () => {
    const r = ledgerRun();
    expect(turnWith(r, 1)).toBe('continue');
    expect(turnWith(r, 1)).toBe('continue');
    for (let n = 0; n < 7; n++) expect(turnWith(r, 0)).toBe('continue');
    expect(turnWith(r, 1)).toBe('compaction-loop');
  });

  it('is forgotten after ten turns', () => {
    const r = ledgerRun();
    expect(turnWith(r, 1)).toBe('continue');
    expect(turnWith(r, 1)).toBe('continue');
    for (let n = 0; n < 8; n++) expect(turnWith(r, 0)).toBe('continue');
    expect(turnWith(r, 1)).toBe('continue');
    expect(r.run().turns).toBe(11);
  });

  it('may be allowed more often than a window has turns', () => {
    const r = ledgerRun({ policy: { limits: { compactionsMax: 12 } } });
    expect(turnWith(r, 11)).toBe('continue');
    expect(turnWith(r, 1)).toBe('compaction-loop');
  });
});

describe('what a decision shows of those before it', () => {
  it('is the last five', () => {
    const r = ledgerRun();
    for (let n = 0; n < 8; n++) {
      r.launch();
      r.started();
      r.ended();
    }
    expect(r.run().recent).toHaveLength(5);
    expect(r.entries.at(-1)?.decision?.summary.recent).toHaveLength(5);
  });
});
