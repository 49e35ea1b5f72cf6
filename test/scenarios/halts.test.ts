import { describe, expect, it } from 'vitest';
import { closingLine } from '../../src/core/index.ts';
import { ledgerRun } from '../../src/testkit/ledger-run.ts';
import { askApproval, effectsOfType, fire, person } from './asks.ts';

type R = ReturnType<typeof ledgerRun>;
const unknown = { of: 'tree-read' as const, tree: { tree: 'unknown' as const, head: null } };

/** Every place a run can stand in, and how to get there. */
const places: Readonly<Record<string, () => R>> = {
  'before its first turn': () => ledgerRun(),
  'with its turn about to start': () => {
    const r = ledgerRun();
    r.outcome('session-open', { of: 'session-open', session: 's1' });
    r.outcome('slot-request', { of: 'slot-request' });
    return r;
  },
  'between two turns': () => {
    const r = inTurn();
    r.onEvent({ type: 'turn-ended', session: 's1', turn: 't1', status: 'completed' });
    return r;
  },
  'while it verifies': () => {
    const r = inTurn();
    r.ended({ message: { text: closingLine } });
    return r;
  },
  'while it backs off': () => {
    const r = inTurn();
    r.ended({ status: 'failed', failure: { kind: 'server-error', message: 'no' } });
    return r;
  },
  'while it waits for a limit': () => {
    const r = inTurn();
    r.ended({ status: 'failed', failure: { kind: 'usage-limit', message: 'no' } });
    return r;
  },
  'while the world is away': () => {
    const r = inTurn();
    r.ended({ status: 'failed', failure: { kind: 'unreachable', message: 'no' } });
    return r;
  },
  'while work waits to be accepted': () => {
    const r = ledgerRun({ checks: [] });
    r.launch();
    r.started('t1');
    r.ended({ message: { text: closingLine } });
    return r;
  },
  paused: () => {
    const r = ledgerRun();
    person(r, 'pause');
    return r;
  },
};

function inTurn(): R {
  const r = ledgerRun();
  r.launch();
  r.started('t1');
  return r;
}

describe('without a turn in flight', () => {
  it.each(Object.keys(places))('stop is obeyed at once %s', (place) => {
    for (const ask of ['stop', 'off'] as const) {
      const r = places[place]?.() ?? ledgerRun();
      expect(person(r, ask).decision).toMatchObject({
        rule: `person-${ask}`,
        verdict: 'stop',
        to: 'stopped',
        actor: 'person',
      });
      expect(r.run()).toMatchObject({ state: 'stopped', launch: null, turn: null });
      expect(r.has('turn-start')).toBe(false);
    }
  });

  it.each(Object.keys(places))('pause is obeyed at once %s, and resume goes on from there', (place) => {
    const r = places[place]?.() ?? ledgerRun();
    expect(person(r, 'pause').decision).toMatchObject({ rule: 'person-pause', to: 'paused' });
    expect(r.run().timers.wait).toBeUndefined();
    const resumed = person(r, 'resume');
    expect(['continue', 'verify', 'wait']).toContain(resumed.decision?.verdict);
    expect(r.run().state).not.toBe('paused');
  });

  it.each(Object.keys(places))('pausing loses none of the words that were on their way %s', (place) => {
    const r = places[place]?.() ?? ledgerRun();
    r.onEvent({ type: 'steer-given', text: { text: 'mind the docs' }, by: 'me' });
    person(r, 'pause');
    const resumed = person(r, 'resume');
    const said = JSON.stringify([resumed.decision?.input, r.run().steers]);
    expect(said).toContain('mind the docs');
  });

  it('ends the session, and tells the person once', () => {
    const r = inTurn();
    r.ended();
    const entry = person(r, 'pause');
    expect(effectsOfType(entry, 'session-close')).toHaveLength(1);
    expect(effectsOfType(entry, 'notify')).toHaveLength(1);
  });

  it('hears nothing of what it no longer waits for', () => {
    const r = ledgerRun();
    const { id } = r.pending('slot-request');
    person(r, 'pause');
    expect(r.onEvent({ type: 'effect-ended', effect: id, outcome: { of: 'slot-request' } }).late).toBe(true);
    expect(r.run().state).toBe('paused');
  });

  it('does not open a second agent while the first is being opened or closed', () => {
    const r = ledgerRun();
    person(r, 'pause');
    expect(effectsOfType(person(r, 'resume'), 'session-open')).toEqual([]);
    r.outcome('session-open', { of: 'session-open', session: 's1' });
    person(r, 'pause');
    expect(effectsOfType(person(r, 'resume'), 'session-open')).toEqual([]);
    const closed = r.outcome('session-close', { of: 'session-close' });
    expect(effectsOfType(closed, 'session-open')).toEqual([{ type: 'session-open', resume: 's1' }]);
  });

  it('takes an agent that opens too late for a paused run as no failure', () => {
    const r = ledgerRun();
    person(r, 'pause');
    const failure = { kind: 'other' as const, message: 'no' };
    r.outcome('session-open', { of: 'session-open', failure });
    expect(r.run()).toMatchObject({ state: 'paused', failuresInRow: 0 });
  });
});

describe('with a turn in flight', () => {
  it.each([
    ['pause', 'paused'],
    ['stop', 'stopped'],
    ['off', 'stopped'],
  ] as const)('%s lets the turn end, and sends nothing more', (ask, state) => {
    const r = inTurn();
    const entry = person(r, ask);
    expect(entry.decision).toBeUndefined();
    expect(effectsOfType(entry, 'turn-interrupt')).toEqual([]);
    expect(r.ended().decision).toMatchObject({ rule: `person-${ask}`, to: state });
  });

  it.each(['pause', 'stop', 'off'] as const)(
    '%s now interrupts it, which is neither failure nor idleness',
    (ask) => {
      const r = inTurn();
      expect(effectsOfType(person(r, ask, true), 'turn-interrupt')).toEqual([
        { type: 'turn-interrupt', session: 's1', turn: 't1' },
      ]);
      expect(r.run().timers['interrupt-grace']).toBeDefined();
      r.ended({ status: 'interrupted' }, 't0');
      expect(r.run()).toMatchObject({ failuresInRow: 0, noProgressTurns: 0, last: { byPerson: true } });
    },
  );

  it('interrupts a turn whose id comes later, when it comes', () => {
    const r = ledgerRun();
    const dispatch = r.launch();
    expect(effectsOfType(person(r, 'stop', true), 'turn-interrupt')).toEqual([]);
    const entry = r.onEvent({ type: 'turn-started', session: 's1', turn: 't1', dispatch });
    expect(effectsOfType(entry, 'turn-interrupt')).toHaveLength(1);
  });

  it('interrupts once', () => {
    const r = inTurn();
    person(r, 'pause', true);
    expect(effectsOfType(person(r, 'stop', true), 'turn-interrupt')).toEqual([]);
  });

  it('obeys a stop that came after a pause', () => {
    const r = inTurn();
    person(r, 'pause');
    person(r, 'stop');
    expect(r.ended().decision?.rule).toBe('person-stop');
  });

  it('takes a pause back with resume, but never a stop', () => {
    const paused = inTurn();
    person(paused, 'pause');
    person(paused, 'resume');
    expect(paused.ended().decision?.rule).toBe('continue');
    const stopped = inTurn();
    person(stopped, 'stop');
    person(stopped, 'resume');
    expect(stopped.ended().decision?.rule).toBe('person-stop');
  });

  it('stops also after the claim that would have finished it', () => {
    const r = inTurn();
    person(r, 'stop');
    expect(r.ended({ message: { text: closingLine } }).decision?.rule).toBe('person-stop');
  });

  it('ends an agent that ignores the interrupt after the grace', () => {
    const r = inTurn();
    person(r, 'stop', true);
    const { afterMs } = r.run().timers['interrupt-grace'] ?? { afterMs: 0 };
    expect(afterMs).toBe(30_000);
    const entry = fire(r, 'interrupt-grace', 30_000);
    expect(effectsOfType(entry, 'session-close')).toHaveLength(1);
    expect(r.run()).toMatchObject({ turn: null, session: { open: false } });
    expect(r.outcome('tree-read', unknown).decision?.rule).toBe('person-stop');
  });

  it('stops a run whose turn is in doubt without asking what became of it', () => {
    const r = inTurn();
    r.restarted();
    expect(r.run().turn?.phase).toBe('doubt');
    person(r, 'stop', true);
    expect(r.run().turn).toBeNull();
    expect(r.outcome('tree-read', unknown).decision?.rule).toBe('person-stop');
  });

  it('does not send a turn again that the person has halted meanwhile', () => {
    const r = ledgerRun();
    r.launch();
    r.restarted();
    person(r, 'pause');
    r.outcome('session-open', { of: 'session-open', session: 's1' });
    const entry = r.outcome('turn-find', { of: 'turn-find', found: 'absent' });
    expect(effectsOfType(entry, 'turn-start')).toEqual([]);
    expect(r.outcome('tree-read', unknown).decision?.rule).toBe('person-pause');
  });
});

describe('a gate that was open when the run was paused', () => {
  it('is still there', () => {
    const r = inTurn();
    const gate = askApproval(r, 'q1');
    r.onEvent({ type: 'session-ended', session: 's1' });
    r.outcome('tree-read', unknown);
    person(r, 'pause');
    expect(r.run().gates.map((g) => g.id)).toEqual([gate.id]);
  });
});
