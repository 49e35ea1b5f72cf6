import { describe, expect, it } from 'vitest';
import type { OpenedFacts } from '../../src/contract/index.ts';
import { closingLine } from '../../src/core/index.ts';
import { checksOutcome, type LedgerRun, ledgerRun, passed } from '../../src/testkit/ledger-run.ts';
import { askApproval, person } from './asks.ts';
import { begun, effects, parts, prepared, turn, used } from './cycle-kit.ts';
import { kindsOf, opened } from './session-kit.ts';

const changed = (r: LedgerRun, session: string, to: string) =>
  r.onEvent({ type: 'session-changed', session, to, because: 'compact' });

describe('a session that goes on under a new id', () => {
  it('keeps its turn, also for what still comes under the old id', () => {
    const r = ledgerRun();
    r.launch();
    const id = r.started();
    changed(r, 's1', 's2');
    expect(r.run()).toMatchObject({
      session: { id: 's2', former: ['s1'] },
      turn: { session: 's2', turn: id },
    });
    const item = { item: 'i1', kind: 'command', outcome: 'ok', label: 'npm test' } as const;
    expect(r.onEvent({ type: 'item-ended', session: 's1', turn: id, ...item }).late).toBeUndefined();
    expect(r.run().turn?.items).toBe(1);
    r.onEvent({ type: 'turn-ended', session: 's1', turn: id, status: 'completed' });
    expect(r.run().turn).toBeNull();
  });

  it('is resumed by that id after a kill', () => {
    const r = ledgerRun();
    r.launch();
    r.started();
    changed(r, 's1', 's2');
    expect(r.restarted().effects).toContainEqual({ type: 'session-open', resume: 's2' });
  });

  it('answers an open question under it', () => {
    const r = ledgerRun();
    r.launch();
    r.started();
    const gate = askApproval(r, 'q1');
    changed(r, 's1', 's2');
    r.onEvent({ type: 'gate-answered', gate: gate.id, answer: 'deny', by: 'me' });
    expect(r.pending('request-answer').effect).toMatchObject({ session: 's2', request: 'q1' });
  });

  it('is asked under either id, and a repeated question is one', () => {
    const r = ledgerRun();
    r.launch();
    r.started();
    changed(r, 's1', 's2');
    const gate = askApproval(r, 'q1');
    expect(gate).toMatchObject({ session: 's2', request: 'q1' });
    askApproval(r, 'q1');
    expect(r.run().gates).toHaveLength(1);
  });

  it('takes along a question that a model is about to answer', () => {
    const r = ledgerRun({ policy: { advice: { enabled: true, answers: true } } });
    r.launch();
    const id = r.started();
    const asked = { questions: [{ id: 'q', question: 'which way?' }], digest: 'd'.repeat(64) };
    r.onEvent({ type: 'input-asked', session: 's1', turn: id, request: 'q1', ...asked });
    changed(r, 's1', 's2');
    const failure = { kind: 'setup' as const, message: 'no model' };
    r.outcome('input-advise', { of: 'input-advise', failure });
    expect(r.run().gates).toMatchObject([{ session: 's2', request: 'q1' }]);
  });

  it('told twice, or late, has changed once', () => {
    const r = ledgerRun();
    r.launch();
    r.started();
    changed(r, 's1', 's2');
    expect(changed(r, 's1', 's2').late).toBe(true);
    changed(r, 's2', 's3');
    expect(changed(r, 's1', 's2').late).toBe(true);
    expect(changed(r, 's2', 's3').late).toBe(true);
    expect(r.run().session).toMatchObject({ id: 's3', former: ['s1', 's2'] });
  });

  it('may go back to an id it had', () => {
    const r = ledgerRun();
    r.launch();
    r.started();
    changed(r, 's1', 's2');
    changed(r, 's2', 's1');
    expect(r.run().session).toMatchObject({ id: 's1', former: ['s2'] });
  });

  it('remembers only the last few ids', () => {
    const r = ledgerRun();
    r.launch();
    r.started();
    for (let n = 1; n < 20; n++) changed(r, `s${n}`, `s${n + 1}`);
    expect(r.run().session?.former).toHaveLength(8);
  });

  it('bills each id for itself', () => {
    const r = ledgerRun();
    r.launch();
    r.started();
    r.onEvent({ type: 'usage-reported', session: 's1', usage: { totalTokens: 1_000 } });
    changed(r, 's1', 's2');
    r.onEvent({ type: 'usage-reported', session: 's2', usage: { totalTokens: 50 } });
    r.onEvent({ type: 'usage-reported', session: 's1', usage: { totalTokens: 1_100 } });
    expect(r.run().usage.tokens).toBe(1_150);
  });
});

describe('a session that can begin a fresh context', () => {
  const renewing = (): LedgerRun => {
    const r = begun({}, { agent: { renews: true } });
    turn(r, 1_000);
    return r;
  };

  it('is not closed for the next cycle, and gets its first input only then', () => {
    const r = renewing();
    const entry = prepared(r);
    expect(entry.decision).toMatchObject({ rule: 'next-cycle', cycle: 2 });
    expect(effects(entry)).toEqual(['session-renew', 'slot-request', 'tree-read']);
    r.outcome('slot-request', { of: 'slot-request' });
    r.outcome('tree-read', { of: 'tree-read', tree: { tree: 'unknown', head: null } });
    expect(r.has('turn-start')).toBe(false);
    r.outcome('session-renew', { of: 'session-renew', session: 's2' });
    expect(r.pending('turn-start').effect.session).toBe('s2');
    expect(parts(r)).toContain('cycle');
  });

  it('may keep its id', () => {
    const r = renewing();
    prepared(r);
    r.outcome('session-renew', { of: 'session-renew', session: 's1' });
    r.launch();
    expect(r.run().session).toMatchObject({ id: 's1', stale: false });
  });

  it('that could not is tried again after a wait, with the same input', () => {
    const r = renewing();
    prepared(r);
    const failure = { kind: 'server-error' as const, message: 'not now' };
    const entry = r.outcome('session-renew', { of: 'session-renew', failure });
    expect(entry.decision).toMatchObject({ rule: 'failed-turn', waiting: { on: 'backoff' } });
    expect(r.run().session?.stale).toBe(true);
    r.onEvent({ type: 'timer-fired', timer: 'wait', effect: r.run().timers.wait?.effect ?? '' }, 60_000);
    r.outcome('slot-request', { of: 'slot-request' });
    expect(r.has('session-renew')).toBe(true);
    r.launch();
    expect(parts(r)).toContain('cycle');
  });

  it('is renewed by the next keeper when the last one was killed in between', () => {
    const r = renewing();
    prepared(r);
    r.restarted();
    r.outcome('session-open', { of: 'session-open', session: 's1' });
    expect(r.has('session-renew')).toBe(true);
    r.launch();
    expect(r.run().session).toMatchObject({ id: 's2', stale: false });
  });

  it('stays closed when the answer comes after a pause', () => {
    const r = renewing();
    prepared(r);
    person(r, 'pause');
    r.outcome('session-renew', { of: 'session-renew', session: 's2' });
    expect(r.run()).toMatchObject({ state: 'paused', session: { id: 's2', open: false } });
  });
});

describe('a session that outlives us', () => {
  const facts: OpenedFacts = { resumes: true, finds: true, outlives: true };
  const closing = (r: LedgerRun) => r.entries.at(-1)?.effects?.find(({ type }) => type === 'session-close');

  it('is left by a pause, and attached to again', () => {
    const r = opened(facts);
    r.started();
    person(r, 'pause');
    r.ended();
    expect(closing(r)).toMatchObject({ keep: true });
    r.outcome('session-close', { of: 'session-close' });
    person(r, 'resume');
    expect(r.pending('session-open').effect.resume).toBe('s1');
  });

  it.each(['stop', 'off'] as const)('is closed by the person: %s', (ask) => {
    const r = opened(facts);
    r.started();
    person(r, ask);
    r.ended();
    expect(closing(r)).not.toHaveProperty('keep', true);
  });

  it('is closed with a run that is done', () => {
    const r = opened(facts);
    r.started();
    r.ended({ message: { text: closingLine } });
    r.outcome('checks-run', checksOutcome([passed()], 't1'));
    expect(r.run().state).toBe('done');
    expect(closing(r)).toMatchObject({ session: 's1' });
    expect(closing(r)).not.toHaveProperty('keep', true);
  });

  it('that was left by a pause is attached to and closed by a stop', () => {
    const r = opened(facts);
    r.started();
    person(r, 'pause');
    r.ended();
    person(r, 'stop');
    expect(closing(r)).toMatchObject({ session: 's1', attach: true });
  });

  it('is ended where nobody can say whether its turn is still at work', () => {
    const r = opened(facts);
    r.started();
    r.restarted();
    r.outcome('session-open', { of: 'session-open', session: 's1', agent: facts });
    expect(kindsOf(r.outcome('turn-find', { of: 'turn-find', found: 'unknown' }))).toContain('session-close');
    r.outcome('tree-read', { of: 'tree-read', tree: { tree: 'unknown', head: null } });
    expect(r.has('session-open')).toBe(false);
    r.outcome('session-close', { of: 'session-close' });
    expect(r.pending('session-open').effect.resume).toBe('s1');
  });

  it('that cannot be attached to in order to find its turn is ended before anything is sent', () => {
    const r = opened(facts);
    r.started();
    r.restarted();
    const failure = { kind: 'other' as const, message: 'not now' };
    const entry = r.outcome('session-open', { of: 'session-open', failure });
    expect(entry.effects).toContainEqual(expect.objectContaining({ type: 'session-close', attach: true }));
    // Killed before it was: the next keeper does it.
    expect(kindsOf(r.restarted())).toContain('session-close');
  });

  it('may have got a new id while nobody was attached', () => {
    const r = opened(facts);
    const id = r.started();
    r.restarted();
    r.outcome('session-open', { of: 'session-open', session: 's9', agent: facts });
    expect(r.run()).toMatchObject({ session: { id: 's9', former: ['s1'] }, turn: { session: 's9' } });
    r.outcome('turn-find', { of: 'turn-find', found: 'running', turn: id });
    expect(r.run().state).toBe('running');
  });

  it('is not closed twice', () => {
    const r = opened({ ...facts, outlives: false });
    r.started();
    person(r, 'pause');
    r.ended();
    expect(kindsOf(person(r, 'stop'))).not.toContain('session-close');
  });

  it('keeps the turn that goes on without us', () => {
    const r = opened(facts);
    const id = r.started();
    r.restarted();
    r.outcome('session-open', { of: 'session-open', session: 's1', agent: facts });
    r.outcome('turn-find', { of: 'turn-find', found: 'running', turn: id });
    expect(r.run()).toMatchObject({ state: 'running', turn: { turn: id, phase: 'started' } });
  });
});

it('counts what a session that was renewed uses from its own beginning', () => {
  const r = begun({}, { agent: { renews: true } });
  turn(r, 1_000);
  prepared(r);
  r.launch();
  r.started();
  used(r, 300);
  expect(r.run().usage.tokens).toBe(1_300);
});
