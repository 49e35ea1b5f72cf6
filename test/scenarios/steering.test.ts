import { describe, expect, it } from 'vitest';
import { bounds } from '../../src/core/index.ts';
import { ledgerRun } from '../../src/testkit/ledger-run.ts';
import { askApproval, effectsOfType, person } from './asks.ts';

const inTurn = (steers = true) => {
  const r = ledgerRun({ agent: { steers } });
  r.launch();
  r.started('t1');
  return r;
};
const steer = (r: ReturnType<typeof ledgerRun>, text: string) =>
  r.onEvent({ type: 'steer-given', text: { text }, by: 'me' });

describe('steering', () => {
  it('goes into the running turn where the agent takes it', () => {
    const r = inTurn();
    const entry = steer(r, 'mind the docs');
    expect(effectsOfType(entry, 'turn-steer')).toMatchObject([
      { turn: 't1', input: { parts: [{ part: 'steer', texts: [{ text: 'mind the docs' }] }] } },
    ]);
    r.outcome('turn-steer', { of: 'turn-steer', ok: true });
    expect(r.run()).toMatchObject({ steers: [], steering: null });
    expect(r.ended().decision?.rule).toBe('continue');
  });

  it('joins the next input where it does not', () => {
    const r = inTurn(false);
    expect(steer(r, 'mind the docs').effects).toBeUndefined();
    const { decision } = r.ended();
    expect(decision).toMatchObject({ rule: 'person-steer', actor: 'person' });
    expect(decision?.input?.parts).toContainEqual({ part: 'steer', texts: [{ text: 'mind the docs' }] });
    expect(r.run().steers).toEqual([]);
  });

  it('that is refused waits for the next input, and is not tried again in the same turn', () => {
    const r = inTurn();
    steer(r, 'mind the docs');
    const entry = r.outcome('turn-steer', { of: 'turn-steer', ok: false });
    expect(effectsOfType(entry, 'turn-steer')).toEqual([]);
    expect(effectsOfType(steer(r, 'and the tests'), 'turn-steer')).toEqual([]);
    const steered = r.ended().decision?.input?.parts.find((p) => p.part === 'steer');
    expect(steered).toEqual({ part: 'steer', texts: [{ text: 'mind the docs' }, { text: 'and the tests' }] });
  });

  it('waits while the turn waits for a person, or is being interrupted', () => {
    const r = inTurn();
    const gate = askApproval(r, 'q1');
    expect(effectsOfType(steer(r, 'one'), 'turn-steer')).toEqual([]);
    const answered = r.onEvent({ type: 'gate-answered', gate: gate.id, answer: 'approve', by: 'me' });
    expect(effectsOfType(answered, 'turn-steer')).toHaveLength(1);
    const halting = inTurn();
    person(halting, 'pause', true);
    expect(effectsOfType(steer(halting, 'two'), 'turn-steer')).toEqual([]);
  });

  it('sends one at a time, in order', () => {
    const r = inTurn();
    steer(r, 'one');
    expect(effectsOfType(steer(r, 'two'), 'turn-steer')).toEqual([]);
    const next = r.outcome('turn-steer', { of: 'turn-steer', ok: true });
    expect(effectsOfType(next, 'turn-steer')).toMatchObject([
      { input: { parts: [{ texts: [{ text: 'two' }] }] } },
    ]);
  });

  it('comes before failures and claims, but lifts neither budget nor limit', () => {
    const spent = ledgerRun({ policy: { limits: { turnsMax: 1 } }, agent: { steers: false } });
    spent.launch();
    spent.started();
    steer(spent, 'mind the docs');
    expect(spent.ended().decision?.rule).toBe('turn-budget');
    expect(spent.run().steers).toHaveLength(1);
    const limited = inTurn(false);
    steer(limited, 'mind the docs');
    const failure = { kind: 'usage-limit' as const, message: 'limit' };
    expect(limited.ended({ status: 'failed', failure }).decision?.rule).toBe('usage-limit');
    expect(limited.run().steers).toHaveLength(1);
  });

  it('is kept within what a run may remember, the newest first', () => {
    const r = inTurn(false);
    for (let n = 0; n < 30; n++) steer(r, `direction ${n}`);
    expect(r.run().steers).toHaveLength(bounds.steersMax);
    expect(r.run().steers.at(-1)?.text).toBe('direction 29');
    const long = inTurn(false);
    for (const letter of ['a', 'b', 'c']) steer(long, letter.repeat(bounds.steersCharsMax / 2));
    expect(long.run().steers.map((t) => t.text[0])).toEqual(['b', 'c']);
  });
});
