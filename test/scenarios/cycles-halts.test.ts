import { describe, expect, it } from 'vitest';
import { closingLine } from '../../src/core/index.ts';
import { checksOutcome, type LedgerRun, passed } from '../../src/testkit/ledger-run.ts';
import { fire, person } from './asks.ts';
import { begun, effects, parts, prepared, sent, turn, used, wholeCycle } from './cycle-kit.ts';

const sessionsOpened = (r: LedgerRun): number =>
  r.entries.flatMap(effects).filter((type) => type === 'session-open').length;

describe('a usage limit', () => {
  it('waits and burns no cycle, however often it comes', () => {
    const r = begun();
    for (let n = 0; n < 20; n++) {
      const resetAt = r.run().at + 1_000;
      turn(r, null, { status: 'failed', failure: { kind: 'usage-limit', message: '429', resetAt } });
      expect(r.run()).toMatchObject({ state: 'waiting', waiting: { on: 'usage-limit' } });
      fire(r, 'wait', 300_000);
    }
    expect(r.run().cycle).toMatchObject({ n: 1, closingTurns: 0, prepared: null });
    expect(r.run().turns).toBe(0);
    expect(r.entries.flatMap(effects).filter((type) => type === 'summarise')).toHaveLength(1);
    // The first input of the cycle was never seen: it is still what the agent gets.
    expect(parts(r)).toEqual(['mission', 'cycle']);
  });

  it('in a closing turn, or when the cycle is already full, burns nothing either', () => {
    const r = begun();
    turn(r, 900);
    const resetAt = r.run().at + 1_000;
    const limited = { status: 'failed', failure: { kind: 'usage-limit', message: '429', resetAt } } as const;
    expect(turn(r, 1_000, limited).decision?.rule).toBe('usage-limit');
    expect(r.run().cycle.n).toBe(1);
    expect(fire(r, 'wait', 300_000).decision?.rule).toBe('between-cycles');
  });
});

describe('a storm of failures', () => {
  it.each(['rate-limited', 'server-error', 'other'] as const)(
    'of %s waits longer and longer and then stops, in the first cycle',
    (kind) => {
      const r = begun();
      const beganAt = r.run().at;
      for (let n = 1; n < 5; n++) {
        expect(turn(r, null, { status: 'failed', failure: { kind, message: 'no' } }).decision?.rule).toBe(
          'failed-turn',
        );
        fire(r, 'wait', 60_000 * 2 ** (n - 1));
      }
      const last = turn(r, null, { status: 'failed', failure: { kind, message: 'no' } });
      expect(last.decision).toMatchObject({ rule: 'failures-max', to: 'paused' });
      expect(r.run().cycle.n).toBe(1);
      expect(r.run().at - beganAt).toBeGreaterThan(15 * 60_000);
    },
  );

  it('of windows that are too small stops before it has burned the cycles', () => {
    const r = begun({ cyclesMax: 10 });
    const full = { status: 'failed', failure: { kind: 'context-full', message: 'too long' } } as const;
    let entry = turn(r, null, full);
    for (let n = 0; entry.decision?.rule === 'failed-turn' && n < 10; n++) {
      fire(r, 'wait', 3_600_000);
      prepared(r);
      entry = turn(r, null, full);
    }
    expect(entry.decision?.rule).toBe('failures-max');
    expect(r.run().cycle.n).toBe(5);
  });

  it('while the next session opens burns no cycle', () => {
    const r = begun();
    wholeCycle(r);
    r.outcome('session-close', { of: 'session-close' });
    for (let n = 1; n < 5; n++) {
      r.outcome('session-open', { of: 'session-open', failure: { kind: 'unreachable', message: 'away' } });
      fire(r, 'wait', 3_600_000);
      expect(r.run().cycle.n).toBe(2);
    }
    r.launch();
    expect(sent(r, 'cycle').map(({ cycle }) => cycle)).toEqual([1, 2]);
  });
});

describe('a certified end', () => {
  it('ends the run in its first cycle: "all finished" does not go on for ten', () => {
    const r = begun({ cyclesMax: 10 });
    turn(r, 100, { message: { text: `All finished.\n${closingLine}` } });
    const entry = r.outcome('checks-run', checksOutcome([passed()], 't1'));
    expect(entry.decision).toMatchObject({ rule: 'certified', to: 'done' });
    expect(r.run()).toMatchObject({ state: 'done', cycle: { n: 1 } });
    // What the last cycle learned is written down all the same.
    expect(entry.effects).toContainEqual({ type: 'summarise', cycle: 1 });
    expect(prepared(r).late).toBe(true);
  });

  it('in a closing turn, or in the turn that fills the cycle, comes before the next cycle', () => {
    const r = begun();
    turn(r, 1_000, { message: { text: closingLine } });
    expect(r.run().state).toBe('verifying');
    expect(r.outcome('checks-run', checksOutcome([passed()], 't1')).decision?.rule).toBe('certified');
  });

  it('without checks asks the person and burns nothing while they think', () => {
    const r = begun({}, { checks: [] });
    const entry = turn(r, 100, { message: { text: closingLine } });
    expect(entry.decision).toMatchObject({ rule: 'ask-to-accept', waiting: { on: 'input' } });
    const gate = r.run().gates[0]?.id ?? '';
    const accepted = r.onEvent({ type: 'gate-answered', gate, answer: 'approve', by: 'me' });
    expect(accepted.decision).toMatchObject({ rule: 'certified', to: 'done' });
    expect(r.run().cycle.n).toBe(1);
  });
});

describe('the person', () => {
  it.each(['stop', 'off'] as const)(
    'who says %s is heard at once, also while a cycle is summarised',
    (ask) => {
      const r = begun();
      turn(r, 1_000);
      expect(r.has('summarise')).toBe(true);
      expect(person(r, ask).decision).toMatchObject({ to: 'stopped' });
      expect(r.has('summarise')).toBe(false);
    },
  );

  it('who pauses in the middle of a cycle finds it as it was', () => {
    const r = begun();
    r.launch();
    r.started();
    used(r, 500);
    person(r, 'pause');
    expect(r.ended().decision?.rule).toBe('person-pause');
    person(r, 'resume');
    r.launch();
    expect(r.pending('turn-start').effect.session).toBe('s1');
    expect(r.run().cycle.n).toBe(1);
    expect(parts(r)).toEqual(['mission', 'ask-status']);
  });

  it('who pauses during the summary gets it again when they resume', () => {
    const r = begun();
    turn(r, 1_000);
    const { id } = r.pending('summarise');
    expect(person(r, 'pause').decision?.rule).toBe('person-pause');
    const outcome = {
      of: 'summarise',
      cycle: 1,
      summary: { text: 'x' },
      memories: [],
      recalled: [],
    } as const;
    const late = r.onEvent({
      type: 'effect-ended',
      effect: id,
      outcome: { ...outcome, memories: [], recalled: [] },
    });
    expect(late.late).toBe(true);
    expect(person(r, 'resume').effects).toContainEqual({ type: 'summarise', cycle: 1 });
    expect(prepared(r).decision).toMatchObject({ rule: 'next-cycle', cycle: 2 });
  });

  it('who pauses between the summary and the fresh session loses nothing and hears it once', () => {
    const r = begun();
    wholeCycle(r, 'half done');
    expect(person(r, 'pause').decision?.rule).toBe('person-pause');
    expect(r.run()).toMatchObject({ session: null, cycle: { n: 2 } });
    person(r, 'resume');
    r.launch();
    expect(r.pending('turn-start').effect.session).toBe('s2');
    expect(sent(r, 'cycle').map(({ cycle, summary }) => [cycle, summary])).toEqual([
      [1, 'so far'],
      [2, 'half done'],
    ]);
  });

  it('who kills it in the middle of a turn of the second cycle is heard', () => {
    const r = begun();
    wholeCycle(r);
    r.launch();
    r.started();
    expect(effects(person(r, 'stop', true))).toContain('turn-interrupt');
    expect(r.ended({ status: 'interrupted' }).decision).toMatchObject({ to: 'stopped' });
  });
});

describe('a keeper that dies', () => {
  it('during the summary leaves it to be made again', () => {
    const r = begun();
    turn(r, 1_000);
    expect(r.restarted().effects).toContainEqual({ type: 'summarise', cycle: 1 });
    expect(prepared(r).decision).toMatchObject({ rule: 'next-cycle', cycle: 2 });
    // The old session died with the keeper: nothing is left to close.
    expect(r.has('session-close')).toBe(false);
    r.launch();
    expect(r.pending('turn-start').effect.session).toBe('s2');
  });

  it('between the summary and the fresh session has the next one open it, fresh, and say everything once', () => {
    const r = begun();
    wholeCycle(r, 'half done');
    const entry = r.restarted();
    expect(entry.effects).toContainEqual({ type: 'session-open' });
    expect(effects(entry)).not.toContain('summarise');
    r.launch();
    expect(r.pending('turn-start').effect.session).toBe('s2');
    expect(sessionsOpened(r)).toBe(2);
    expect(sent(r, 'cycle').map(({ cycle }) => cycle)).toEqual([1, 2]);
  });

  it('while the fresh session opens opens another, never the old one again', () => {
    const r = begun();
    wholeCycle(r);
    r.outcome('session-close', { of: 'session-close' });
    expect(r.has('session-open')).toBe(true);
    expect(r.restarted().effects).toContainEqual({ type: 'session-open' });
    r.launch();
    turn(r, 10);
    expect(r.run()).toMatchObject({ session: { id: 's2' }, cycle: { n: 2 } });
  });

  it('with the wrap-up on its way has it told again only if it did not arrive', () => {
    const r = begun();
    turn(r, 850);
    r.launch();
    r.restarted();
    r.outcome('session-open', { of: 'session-open', session: 's1' });
    r.outcome('turn-find', { of: 'turn-find', found: 'ended', turn: 'x', status: 'completed' });
    r.outcome('tree-read', { of: 'tree-read', tree: { tree: 'b'.repeat(40), head: null } });
    expect(parts(r)).toContain('closing');
    expect(sent(r, 'wrap-up')).toHaveLength(1);
  });

  it('with the wrap-up steered into a turn that is lost has it told with the next input', () => {
    const r = begun({}, { agent: { steers: true, finds: false } });
    r.launch();
    r.started();
    used(r, 850);
    r.restarted();
    r.outcome('session-open', { of: 'session-open', session: 's1' });
    r.outcome('tree-read', { of: 'tree-read', tree: { tree: 'b'.repeat(40), head: null } });
    expect(parts(r)).toContain('wrap-up');
  });
});
