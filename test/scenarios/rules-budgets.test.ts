import { describe, expect, it } from 'vitest';
import { ledgerRun } from '../../src/testkit/ledger-run.ts';
import { claim, dueRun, ruled, spoken, withLimits, withUsage } from './due.ts';

const hourMs = 3_600_000;

describe('a budget', () => {
  it('of turns ends at exactly as many turns', () => {
    const run = dueRun({ limits: { turnsMax: 7 } });
    expect(spoken({ ...run, turns: 6 })).toBe('continue');
    expect(spoken({ ...run, turns: 7 })).toBe('turn-budget');
    expect(ruled({ ...run, turns: 7 }).decision).toMatchObject({
      verdict: 'stop',
      to: 'paused',
      cause: 'limit:turnsMax',
      actor: 'rule',
    });
  });

  it('of tokens ends when they are spent', () => {
    const used = (tokens: number) => spoken(withUsage(dueRun(), { tokensMax: 1_000 }, { tokens }));
    expect(used(999)).toBe('continue');
    expect(used(1_000)).toBe('token-budget');
  });

  it('of money ends when it is spent', () => {
    const used = (money: number) => spoken(withUsage(dueRun(), { moneyMax: 2 }, { money }));
    expect(used(1.99)).toBe('continue');
    expect(used(2)).toBe('money-budget');
  });

  it('of active time ends when it is spent', () => {
    const run = { ...withLimits(dueRun(), { activeHoursMax: 1 }), recentTurns: [] };
    expect(spoken({ ...run, activeMs: hourMs - 1 })).toBe('continue');
    expect(spoken({ ...run, activeMs: hourMs })).toBe('active-time');
  });

  it('of clock time ends at that moment', () => {
    const run = dueRun();
    expect(spoken(withLimits(run, { until: run.at + 1 }))).toBe('continue');
    expect(spoken(withLimits(run, { until: run.at }))).toBe('clock-time');
  });

  it('stops before a turn like the last ones would overrun it', () => {
    const recentTurns = [
      { tokens: 300, money: 0.3, activeMs: 1_000 },
      { tokens: 500, money: 0.5, activeMs: 3_000 },
    ];
    const run = { ...dueRun(), recentTurns };
    const tokens = (used: number) =>
      spoken({ ...withUsage(run, { tokensMax: 1_000 }, { tokens: used }), recentTurns });
    const money = (used: number) =>
      spoken({ ...withUsage(run, { moneyMax: 1 }, { money: used }), recentTurns });
    const time = (activeMs: number) => spoken({ ...withLimits(run, { activeHoursMax: 1 }), activeMs });
    expect([tokens(600), tokens(601)]).toEqual(['continue', 'token-budget']);
    expect([money(0.6), money(0.61)]).toEqual(['continue', 'money-budget']);
    expect([time(hourMs - 2_000), time(hourMs - 1_999)]).toEqual(['continue', 'active-time']);
  });

  it('that nobody measures says nothing: unknown is not zero, and not spent', () => {
    expect(dueRun().usage).toMatchObject({ tokens: null, money: null });
    expect(spoken(withUsage(dueRun(), { tokensMax: 1, moneyMax: 0.01 }, {}))).toBe('continue');
    const r = ledgerRun();
    r.onEvent({ type: 'usage-reported', session: 's1', usage: { inputTokens: 5 } });
    expect(r.run().usage).toMatchObject({ tokens: null, money: null });
    r.onEvent({ type: 'usage-reported', session: 's1', usage: { money: 0 } });
    expect(r.run().usage).toMatchObject({ tokens: null, money: 0 });
  });

  it('counts what a session adds, once, over all sessions', () => {
    const r = ledgerRun();
    const report = (session: string, totalTokens: number) =>
      r.onEvent({ type: 'usage-reported', session, usage: { totalTokens } });
    report('s1', 100);
    report('s1', 100);
    report('s1', 150);
    report('sub-agent', 30);
    expect(r.run().usage.tokens).toBe(180);
    // A counter that went back is a new count.
    report('s1', 20);
    expect(r.run().usage.tokens).toBe(200);
  });

  it('does not keep a claim from being verified: checks cost no turn', () => {
    expect(spoken({ ...dueRun({ limits: { turnsMax: 1 } }), turns: 1, claim })).toBe('verify-claim');
  });

  it('is sticky: resuming without raising it stops again at once, and spends nothing', () => {
    const r = ledgerRun({ policy: { limits: { turnsMax: 1 } } });
    r.launch();
    r.started();
    expect(r.ended().decision?.rule).toBe('turn-budget');
    const again = r.onEvent({ type: 'person-asked', ask: 'resume', by: 'me' });
    expect(again.decision).toMatchObject({ rule: 'turn-budget', to: 'paused' });
    expect(r.has('session-open')).toBe(false);
  });

  it('that was raised lets the same run go on', () => {
    const r = ledgerRun({ policy: { limits: { turnsMax: 1 } } });
    r.launch();
    r.started();
    r.ended();
    const { id } = r.run();
    r.onEvent({ type: 'limits-changed', limits: { turnsMax: 2 }, by: 'me' });
    expect(r.run().state).toBe('paused');
    expect(r.onEvent({ type: 'person-asked', ask: 'resume', by: 'me' }).decision?.rule).toBe('continue');
    expect(r.run()).toMatchObject({ id, turns: 1 });
    expect(r.run().policy.limits).toMatchObject({ turnsMax: 2, failuresMax: 5, noProgressTurns: 3 });
  });

  it('is looked at again at the moment the turn would start', () => {
    const r = ledgerRun({ policy: { limits: { tokensMax: 100 } } });
    r.outcome('session-open', { of: 'session-open', session: 's1' });
    r.outcome('tree-read', { of: 'tree-read', tree: { tree: 'unknown', head: null } });
    r.onEvent({ type: 'usage-reported', session: 's1', usage: { totalTokens: 100 } });
    const entry = r.outcome('slot-request', { of: 'slot-request' });
    expect(entry.decision).toMatchObject({ rule: 'token-budget', to: 'paused' });
    expect(r.has('turn-start')).toBe(false);
    expect(r.run().launch).toBeNull();
  });

  it('of active time leaves out paused and waiting time, and the sleep of the machine', () => {
    const r = ledgerRun();
    r.launch();
    r.started();
    const before = r.run().activeMs;
    r.onEvent({ type: 'sleep-detected', sleptMs: 9_000, countedMs: 9_000 }, 10_000);
    expect(r.run().activeMs - before).toBe(1_000);
    r.ended({ status: 'failed', failure: { kind: 'unreachable', message: 'away' } });
    const waiting = r.run().activeMs;
    r.onEvent({ type: 'timer-fired', timer: 'wait', effect: r.run().timers.wait?.effect ?? '' }, 60_000);
    expect(r.run().activeMs).toBe(waiting);
    r.onEvent({ type: 'person-asked', ask: 'pause', by: 'me' }, 5_000);
    r.onEvent({ type: 'person-asked', ask: 'resume', by: 'me' }, 50_000);
    expect(r.run().activeMs).toBe(waiting);
  });

  it('expects of a turn what it worked, not what it waited for a person', () => {
    const r = ledgerRun();
    r.launch();
    const turn = r.started();
    const action = { kind: 'command' as const, rendered: { text: 'make deploy' }, digest: 'a'.repeat(64) };
    r.onEvent({ type: 'approval-asked', session: 's1', turn, request: 'q1', action });
    const gate = r.run().gates[0]?.id ?? '';
    r.onEvent({ type: 'gate-answered', gate, answer: 'approve', by: 'me' }, hourMs / 3);
    r.ended();
    expect(r.run().recentTurns.at(-1)?.activeMs).toBeLessThan(60_000);
  });

  it('that nobody set is 200 turns and 12 hours of work', () => {
    const run = { ...dueRun(), recentTurns: [] };
    expect([spoken({ ...run, turns: 199 }), spoken({ ...run, turns: 200 })]).toEqual([
      'continue',
      'turn-budget',
    ]);
    const worked = (activeMs: number) => spoken({ ...run, activeMs });
    expect([worked(12 * hourMs - 1), worked(12 * hourMs)]).toEqual(['continue', 'active-time']);
  });
});
