import { describe, expect, it } from 'vitest';
import type { Entry } from '../../src/contract/index.ts';
import { bandKinds, nextAction, reportOf } from '../../src/core/report/index.ts';
import { fire, night, teller } from './night.ts';

const sum = (list: readonly (number | null)[]): number => list.reduce<number>((all, n) => all + (n ?? 0), 0);

describe('the report of a night', () => {
  const told = night();
  const report = reportOf(told.entries);

  it('opens with what was denied because nobody answered', () => {
    expect(report.unanswered).toMatchObject([{ asks: 'npm publish', end: 'expired', by: null, turn: 2 }]);
    expect(report.unanswered[0]?.closedAt).toBe((report.unanswered[0]?.askedAt ?? 0) + 30 * 60_000);
  });

  it('follows every question to its end and says who answered', () => {
    expect(report.gates.shown.map(({ end, by, said }) => ({ end, by, said }))).toEqual([
      { end: 'denied', by: 'ada@cli', said: 'use a branch' },
      { end: 'expired', by: null, said: '' },
    ]);
  });

  it('bills every token and every cent to exactly one turn', () => {
    expect(sum(report.turns.shown.map((turn) => turn.tokens))).toBe(report.spent.tokens);
    expect(sum(report.turns.shown.map((turn) => turn.money))).toBeCloseTo(report.spent.money ?? -1, 9);
    expect(sum(report.points.map((point) => point.tokens))).toBe(report.spent.tokens);
  });

  it('accounts for all of the wall time, once', () => {
    expect(sum(bandKinds.map((kind) => report.spent.byBand[kind]))).toBe(report.spent.elapsedMs);
    expect(report.spent.byBand.asleep).toBe(50 * 60_000);
    expect(report.spent.byBand['waiting-person']).toBe(33 * 60_000);
    for (const [i, band] of report.bands.entries())
      expect(band.from).toBe(report.bands[i - 1]?.to ?? band.from);
  });

  it('tells each turn with what it changed and what was decided after it', () => {
    const turns = report.turns.shown;
    expect(turns.map((turn) => turn.turn)).toEqual([1, 2, 3, 3, 4, 5, 6]);
    expect(turns[2]).toMatchObject({ status: 'failed', failure: { kind: 'usage-limit' }, changed: [] });
    expect(turns[2]?.decided.map((one) => one.rule)).toEqual(['usage-limit', 'continue']);
    expect(turns[3]).toMatchObject({
      claimed: true,
      changed: ['files', 'plan'],
      plan: { done: 3, total: 6 },
    });
    expect(turns[3]?.decided.map((one) => one.rule)).toEqual(['verify-claim', 'continue']);
    expect(turns[3]?.trees.before).not.toBe(turns[3]?.trees.after);
    expect(turns[4]?.input).toContain('evidence');
    expect(turns[6]?.decided.at(-1)).toMatchObject({ rule: 'certified', to: 'done' });
  });

  it('keeps every decision with rule and reason, and counts them by rule', () => {
    expect(report.decisions.total).toBe(told.entries.filter((entry) => entry.decision !== undefined).length);
    expect(sum(report.rules.map((rule) => rule.times))).toBe(report.decisions.total);
    expect(report.decisions.shown.every((one) => one.because !== '')).toBe(true);
  });

  it('shows the certificate as it was issued: claim, checks, and the same tree before and after', () => {
    expect(report.certificate).toMatchObject({
      claim: { via: 'closing-line' },
      acceptedBy: null,
      plan: { done: 6, total: 6 },
      checks: [{ name: 'unit', command: 'npm test', exitCode: 0, outcome: 'passed' }],
      tree: { isFresh: true },
    });
    expect(report.certificate?.checks[0]?.tail.text).toContain('214 passed');
    expect(report.refusals).toBe(1);
    expect(report.checkRuns.shown.map((ran) => ran.results[0]?.outcome)).toEqual([
      'passed',
      'failed',
      'passed',
    ]);
  });

  it('names the trouble on the way, and nothing of our own parting', () => {
    expect(report.troubles).toMatchObject({
      compactions: 1,
      keepers: 1,
      recoveries: 0,
      foreignTurns: 0,
      lostSessions: 0,
      failures: [{ kind: 'usage-limit', times: 1 }],
      sleeps: { times: 1, ms: 50 * 60_000 },
      late: [{ name: 'turn-ended', times: 1 }],
      unreadable: { times: 1 },
    });
  });

  it('says why it ended and that nothing is left to do', () => {
    expect(report.ending).toMatchObject({ state: 'done', rule: 'certified', actor: 'rule', next: null });
    expect(report.ending.lastMessage).toContain('every test passes');
    expect(report.people.shown).toMatchObject([{ act: 'steer', text: 'leave the error messages alone' }]);
  });
});

describe('a report', () => {
  it('of a run at its limit names the flag that raises it', () => {
    const told = teller({ policy: { limits: { turnsMax: 1 } } });
    told.turn();
    const { ending, view, certificate } = reportOf(told.entries);
    expect(ending).toMatchObject({ state: 'paused', cause: 'limit:turnsMax', rule: 'turn-budget' });
    expect(ending.next).toBe(`tireless resume ${view.id} --turns 2`);
    expect(nextAction(view)).toBe(ending.next);
    expect(certificate).toBeNull();
  });

  it('of a run whose agent raised nothing but failures counts attempts that never became a turn', () => {
    const told = teller();
    told.outcome({ of: 'session-open', failure: { kind: 'overloaded', message: 'busy' } });
    expect(reportOf(told.entries).troubles.failures).toMatchObject([{ kind: 'overloaded', times: 1 }]);
    fire(told, 'wait', 60_000);
    told.outcome({ of: 'session-open', failure: { kind: 'auth', message: 'log in' } });
    const report = reportOf(told.entries);
    expect(report.troubles.failures.map(({ kind, times }) => `${kind} ${times}`)).toEqual([
      'overloaded 1',
      'auth 1',
    ]);
    expect(report.ending.state).toBe('failed');
    expect(report.turns.total).toBe(0);
  });

  it('counts the time nobody kept the run as nobody’s, and a turn in doubt as recovered', () => {
    const told = teller();
    told.launch();
    told.keeper(3_600_000);
    const report = reportOf(told.entries);
    expect(report.spent.byBand.unkept).toBe(3_600_000);
    expect(report.troubles).toMatchObject({ keepers: 2, recoveries: 1 });
  });

  it('follows a turn somebody else started, and bills it apart', () => {
    const told = teller();
    told.turn({ tokens: 1_000 });
    told.outcome({ of: 'slot-request' });
    told.onEvent({ type: 'turn-started', session: 's1', turn: 'theirs' });
    told.onEvent({ type: 'usage-reported', session: 's1', usage: { totalTokens: 1_500 } });
    told.onEvent({ type: 'turn-ended', session: 's1', turn: 'theirs', status: 'completed' }, 5_000);
    const report = reportOf(told.entries);
    const foreign = report.turns.shown.find((turn) => turn.isForeign);
    expect(foreign).toMatchObject({ tokens: 500, status: 'completed' });
    expect(report.troubles.foreignTurns).toBe(1);
    expect(report.turns.shown.map((turn) => turn.isForeign)).toEqual([false, true]);
    expect(report.points.map((point) => point.tokens)).toEqual([1_000]);
  });

  it('of an open turn shows it as running', () => {
    const told = teller();
    told.launch();
    expect(reportOf(told.entries).turns.shown).toMatchObject([{ status: 'running', endedAt: null, turn: 1 }]);
  });

  it('counts automatic answers by rule, and keeps what was refused', () => {
    const told = teller();
    told.launch();
    const { dispatch = '', session = '' } = told.run().turn ?? {};
    told.onEvent({ type: 'turn-started', session, turn: 't', dispatch });
    for (const [i, text] of ['ls', 'git status', 'rm -rf /'].entries())
      told.onEvent({
        type: 'approval-asked',
        session,
        turn: 't',
        request: `r${i}`,
        action: {
          kind: 'command',
          rendered: { text },
          digest: String(i).repeat(64),
          cwd: '/home/ada/projects/parser',
        },
      });
    const answered = told.entries
      .flatMap((entry) => entry.effects ?? [])
      .filter((e) => e.type === 'request-answer');
    const report = reportOf(told.entries);
    expect(sum(report.answers.map((answer) => answer.times))).toBe(answered.length);
    expect(report.denials.shown.map((denial) => denial.action)).toEqual(
      answered.filter((e) => e.answer === 'deny').map(() => 'rm -rf /'),
    );
    expect(answered.length + report.gates.total).toBe(3);
  });

  it('of a ledger that contradicts itself tells all up to there, and where it broke', () => {
    const entries = night().entries;
    const torn = [...entries.slice(0, 40), ...entries.slice(41)];
    const report = reportOf(torn);
    expect(report.broken).toMatchObject({ seq: 42 });
    expect(report.ending.entries).toBe(40);
    expect(() => reportOf(entries.slice(1))).toThrow('run-created');
  });

  it('of a hundred thousand entries stays small and keeps first and last', () => {
    const told = teller({ policy: { limits: { turnsMax: 100_000, activeHoursMax: 1_000_000 } } });
    while (told.entries.length < 100_000) told.turn({ commands: 20, tookMs: 30_000 });
    const count = told.run().turns;
    const report = reportOf(counted(told.entries));
    expect(report.spent.turns).toBe(count);
    expect(report.turns.total).toBe(count);
    expect(report.turns.shown).toHaveLength(1_000);
    expect(report.turns.gapAt).toBe(200);
    expect(report.turns.shown[199]?.turn).toBe(200);
    expect(report.turns.shown[200]?.turn).toBe(count - 799);
    expect(report.turns.shown.at(-1)?.turn).toBe(count);
    expect(report.points.length).toBeLessThanOrEqual(400);
    const widths = report.points.map((point) => point.toTurn - point.fromTurn + 1);
    expect(new Set(widths.slice(0, -1)).size).toBe(1);
    expect(sum(widths)).toBe(count);
    expect(sum(report.points.map((point) => point.tokens))).toBe(report.spent.tokens);
    expect(report.bands.length).toBeLessThanOrEqual(1_200);
    expect(JSON.stringify(report).length).toBeLessThan(3_000_000);
  }, 60_000);
});

/** An iterable that can be walked only once, as a store gives it. */
function* counted(entries: readonly Entry[]): Iterable<Entry> {
  yield* entries;
}
