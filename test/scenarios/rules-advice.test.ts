import { describe, expect, it } from 'vitest';
import type { Advice } from '../../src/contract/index.ts';
import { ledgerRun } from '../../src/testkit/ledger-run.ts';
import { advice, dueRun, ruled, spoken } from './due.ts';

const advised = (over: Partial<Advice>) => ({
  ...dueRun({ advice: { enabled: true } }),
  adviceAsked: true,
  advice: advice(over),
});

describe('advice', () => {
  it('is asked for only where no rule has decided', () => {
    const run = dueRun({ advice: { enabled: true } });
    expect(ruled(run)).toMatchObject({ decision: undefined, effects: [{ type: 'advice-ask' }] });
    expect(spoken({ ...run, shortTurns: 1 })).toBe('cooldown');
    expect(spoken(dueRun())).toBe('continue');
  });

  it('is not asked for before the first turn', () => {
    const r = ledgerRun({ policy: { advice: { enabled: true } } });
    expect(r.run().launch).not.toBeNull();
  });

  it.each([
    ['names no known action', { action: 'unknown' }, 'advice-unclear'],
    ['gives no usable confidence', { confidence: null }, 'advice-unclear'],
    ['is hardly sure', { confidence: 0.54 }, 'low-confidence'],
    ['says pause', { action: 'pause' }, 'advice-pause'],
    ['says stop, which only a certificate can', { action: 'stop' }, 'advice-stop'],
  ] as const)('that %s pauses the run', (_how, over, cause) => {
    expect(ruled(advised(over)).decision).toMatchObject({
      verdict: 'pause',
      rule: 'advice',
      to: 'paused',
      cause,
      overridden: false,
    });
  });

  it('counts from a confidence of 0.55', () => {
    expect(ruled(advised({ confidence: 0.55 })).decision).toMatchObject({
      verdict: 'continue',
      rule: 'advice',
      confidence: 0.55,
      because: 'it goes well',
    });
  });

  it('adds its words below the fixed template, never instead', () => {
    const { decision } = ruled(advised({ nextInput: { text: 'run the linter' } }));
    expect(decision?.input?.parts.map((p) => p.part)).toEqual(['mission', 'advised', 'ask-status']);
  });

  it('to review starts a review turn that still carries what must be said', () => {
    const run = { ...advised({ action: 'review' }), inDoubt: true };
    const { decision } = ruled(run);
    expect(decision).toMatchObject({ verdict: 'review', rule: 'advice' });
    expect(decision?.input?.parts.map((p) => p.part)).toEqual(['mission', 'recovery', 'review']);
  });

  it('never beats a rule, and the receipt says that it was overridden', () => {
    const run = { ...advised({ action: 'continue' }), noProgressTurns: 6 };
    expect(ruled(run).decision).toMatchObject({ rule: 'no-progress', overridden: true });
  });

  it('that is missing lets the rules decide, three times in a row pauses', () => {
    const missed = (adviceMisses: number) => ({
      ...dueRun({ advice: { enabled: true } }),
      adviceAsked: true,
      advice: null,
      adviceMisses,
    });
    expect(spoken(missed(2))).toBe('continue');
    expect(ruled(missed(3)).decision).toMatchObject({ rule: 'advice', cause: 'advice-missing' });
  });

  it('is asked for once per turn; a failure is a miss, an answer ends the count', () => {
    const r = ledgerRun({ policy: { advice: { enabled: true } } });
    const turn = (answer: 'missing' | 'given') => {
      r.launch();
      r.started();
      expect(r.ended().effects?.map((e) => e.type)).toEqual(['advice-ask']);
      const failure = { kind: 'overloaded' as const, message: 'no model' };
      return r.outcome(
        'advice-ask',
        answer === 'given' ? { of: 'advice-ask', advice: advice() } : { of: 'advice-ask', failure },
      ).decision?.rule;
    };
    expect([turn('missing'), turn('missing')]).toEqual(['continue', 'continue']);
    expect(r.run().adviceMisses).toBe(2);
    expect(turn('given')).toBe('advice');
    expect(r.run().adviceMisses).toBe(0);
    expect([turn('missing'), turn('missing'), turn('missing')]).toEqual(['continue', 'continue', 'advice']);
    expect(r.run().state).toBe('paused');
  });

  it('does not keep the person waiting: stop is heard while it is asked for', () => {
    const r = ledgerRun({ policy: { advice: { enabled: true } } });
    r.launch();
    r.started();
    r.ended();
    expect(r.run().awaiting.advice).toBe(true);
    expect(r.onEvent({ type: 'person-asked', ask: 'stop', by: 'me' }).decision?.rule).toBe('person-stop');
    expect(r.run().state).toBe('stopped');
  });
});
