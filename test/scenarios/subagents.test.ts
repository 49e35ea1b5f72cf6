import { describe, expect, it } from 'vitest';
import { ledgerRun } from '../../src/testkit/ledger-run.ts';
import { fire, person } from './asks.ts';
import { background, busy, kindsOf, opened, subagentAsks } from './session-kit.ts';

const site = { home: '/home/p', tirelessHome: '/home/p/.tireless' };

describe("a sub-agent's request", () => {
  it('within a turn is judged and put to a person, and its answer is delivered', () => {
    const r = ledgerRun();
    r.launch();
    r.started();
    subagentAsks(r, 'q1');
    expect(r.run()).toMatchObject({ state: 'waiting', waiting: { on: 'approval' } });
    expect(r.run().timers['turn-total']).toBeUndefined();
    const [gate] = r.run().gates;
    expect(gate).toMatchObject({ session: 's1', turn: null, request: 'q1' });
    const entry = r.onEvent({ type: 'gate-answered', gate: gate?.id ?? '', answer: 'deny', by: 'me' });
    expect(kindsOf(entry)).toContain('request-answer');
    expect(r.run().state).toBe('running');
  });

  it('is answered by the guard like any other', () => {
    const r = ledgerRun({ site });
    r.launch();
    r.started();
    subagentAsks(r, 'q1', 'rm -rf /');
    expect(r.pending('request-answer').effect).toMatchObject({ answer: 'deny', never: true });
  });

  it('after the turn, while background work is waited for, is answered too', () => {
    const r = ledgerRun();
    busy(r);
    subagentAsks(r, 'q1');
    expect(r.run()).toMatchObject({ state: 'waiting', waiting: { on: 'background' } });
    const [gate] = r.run().gates;
    const entry = r.onEvent({ type: 'gate-answered', gate: gate?.id ?? '', answer: 'approve', by: 'me' });
    expect(kindsOf(entry).some((type) => type === 'request-answer' || type === 'savepoint')).toBe(true);
    expect(background(r, []).decision?.rule).toBe('continue');
  });

  it('made in a turn outlives it', () => {
    const r = ledgerRun();
    r.launch();
    r.started();
    subagentAsks(r, 'q1');
    r.ended();
    expect(r.run().gates).toHaveLength(1);
    const [gate] = r.run().gates;
    expect(kindsOf(fire(r, `gate:${gate?.id}`, 1_800_000))).toContain('request-answer');
  });

  it('made twice is answered once, in a turn and after it', () => {
    const r = ledgerRun({ site });
    r.launch();
    r.started();
    subagentAsks(r, 'q1', 'ls');
    expect(subagentAsks(r, 'q1', 'ls').late).toBe(true);
    background(r);
    r.ended();
    expect(subagentAsks(r, 'q1', 'ls').late).toBe(true);
    expect(kindsOf(subagentAsks(r, 'q2', 'ls'))).toEqual(['request-answer']);
  });

  it('of a session that is gone is late, and one that waited there cannot be heard any more', () => {
    const r = ledgerRun();
    busy(r);
    subagentAsks(r, 'q1');
    r.onEvent({ type: 'session-ended', session: 's1' });
    expect(subagentAsks(r, 'q2').late).toBe(true);
    r.launch();
    r.started();
    const [gate] = r.run().gates;
    expect(gate).toMatchObject({ request: 'q1', session: null });
    expect(r.run().timers['turn-total']).toBeDefined();
    const entry = r.onEvent({ type: 'gate-answered', gate: gate?.id ?? '', answer: 'approve', by: 'me' });
    expect(kindsOf(entry)).not.toContain('request-answer');
    // The approval waits for the same action.
    expect(kindsOf(subagentAsks(r, 'q1')).some((type) => /answer|savepoint/.test(type))).toBe(true);
  });

  it('still waits after a kill where the session outlived it', () => {
    const r = opened({ resumes: true, finds: true, outlives: true });
    busy(r);
    subagentAsks(r, 'q1');
    r.restarted();
    r.outcome('session-open', { of: 'session-open', session: 's1' });
    const [gate] = r.run().gates;
    const entry = r.onEvent({ type: 'gate-answered', gate: gate?.id ?? '', answer: 'deny', by: 'me' });
    expect(kindsOf(entry)).toContain('request-answer');
  });

  it('does not keep a stop waiting', () => {
    const r = ledgerRun();
    r.launch();
    r.started();
    subagentAsks(r, 'q1');
    person(r, 'stop');
    expect(r.has('turn-interrupt')).toBe(true);
  });

  it('for an input goes to a person as well', () => {
    const r = ledgerRun();
    busy(r);
    const questions = [{ id: 'q', question: 'which way?' }];
    const asked = { turn: 'x', request: 'q1', questions, digest: 'd'.repeat(64), subagent: { id: 'a1' } };
    r.onEvent({ type: 'input-asked', session: 's1', ...asked });
    expect(r.run().gates).toMatchObject([{ kind: 'input', turn: null, request: 'q1' }]);
  });

  it('is not all that counts: what it does is part of the turn that runs', () => {
    const r = ledgerRun();
    r.launch();
    r.started();
    const item = { item: 'i1', kind: 'command', outcome: 'ok', label: 'npm test', turn: 'its-own' } as const;
    r.onEvent({ type: 'item-ended', session: 's1', ...item, subagent: { id: 'a1' } });
    expect(r.run().turn?.items).toBe(1);
    expect(r.onEvent({ type: 'item-ended', session: 's1', ...item }).late).toBe(true);
  });
});
