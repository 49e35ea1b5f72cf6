import { describe, expect, it } from 'vitest';
import { closingLine, viewOf } from '../../src/core/index.ts';
import { checksOutcome, type LedgerRun, passed } from '../../src/testkit/ledger-run.ts';
import { effectsOfType, person } from './asks.ts';
import { inputOf, opened } from './session-kit.ts';
import { makeStage, settled } from './stage.ts';

const answered = (r: LedgerRun, answer: 'approve' | 'deny') =>
  r.onEvent({ type: 'gate-answered', gate: r.run().gates[0]?.id ?? '', answer, by: 'me' });

describe('a reach lower than the person confirmed', () => {
  it('is asked about before the first turn', () => {
    const r = opened({ sees: 'asks' });
    expect(r.run()).toMatchObject({ state: 'waiting', waiting: { on: 'approval' }, turn: null });
    expect(r.run().gates).toMatchObject([
      { kind: 'approval', rule: 'reach', request: null, expiresAt: null },
    ]);
    expect(viewOf(r.run()).agentFacts?.sees).toBe('asks');
  });

  it('is confirmed for this run by a yes, and not asked about again', () => {
    const r = opened({ sees: 'asks', resumes: true });
    expect(answered(r, 'approve').decision?.rule).toBe('continue');
    expect(r.run().agent.sees).toBe('asks');
    r.launch();
    r.started();
    r.onEvent({ type: 'session-ended', session: 's1' });
    r.outcome('tree-read', { of: 'tree-read', tree: { tree: 'unknown', head: null } });
    person(r, 'resume');
    r.outcome('session-open', { of: 'session-open', session: 's1', agent: { sees: 'asks' } });
    r.launch();
    expect(r.run()).toMatchObject({ state: 'running', gates: [] });
  });

  it('is asked about again when it falls further', () => {
    const r = opened({ sees: 'asks', resumes: true });
    answered(r, 'approve');
    r.onEvent({ type: 'session-ended', session: 's1' });
    person(r, 'resume');
    r.outcome('session-open', { of: 'session-open', session: 's1', agent: { sees: 'nothing' } });
    r.prepare();
    expect(r.run().gates).toMatchObject([{ rule: 'reach' }]);
  });

  it('pauses by a no; resuming looks at it anew', () => {
    const r = opened({ sees: 'nothing', resumes: true });
    expect(answered(r, 'deny').decision).toMatchObject({ rule: 'reach', to: 'paused', cause: 'reach' });
    r.outcome('session-close', { of: 'session-close' });
    person(r, 'resume');
    r.outcome('session-open', { of: 'session-open', session: 's1', agent: { sees: 'nothing' } });
    r.prepare();
    expect(r.run()).toMatchObject({ state: 'waiting', waiting: { on: 'approval' } });
    answered(r, 'deny');
    r.outcome('session-close', { of: 'session-close' });
    person(r, 'resume');
    r.outcome('session-open', { of: 'session-open', session: 's1', agent: { sees: 'every-action' } });
    r.launch();
    expect(r.run().state).toBe('running');
  });

  it('is asked about once, however often the run is looked at, and also after a kill', () => {
    const r = opened({ sees: 'asks', resumes: true });
    person(r, 'resume');
    r.restarted();
    person(r, 'pause');
    person(r, 'resume');
    expect(r.entries.flatMap((entry) => effectsOfType(entry, 'gate-open')).map((e) => e.type)).toHaveLength(
      2,
    );
    expect(r.run().gates).toHaveLength(1);
    expect(answered(r, 'approve').decision?.rule).toBe('continue');
  });

  it('holds back the words of the person, and loses none', () => {
    const r = opened({ sees: 'asks' });
    r.onEvent({ type: 'steer-given', text: { text: 'mind the docs' }, by: 'me' });
    expect(r.run().turn).toBeNull();
    answered(r, 'approve');
    expect(inputOf(r)).toContainEqual({ part: 'steer', texts: [{ text: 'mind the docs' }] });
  });

  it('answered while a turn is on its way again keeps what that turn would have said', () => {
    const r = opened({ sees: 'asks', resumes: true });
    r.onEvent({ type: 'steer-given', text: { text: 'mind the docs' }, by: 'me' });
    person(r, 'pause');
    r.outcome('session-close', { of: 'session-close' });
    expect(person(r, 'resume').decision?.rule).toBe('person-steer');
    answered(r, 'approve');
    r.launch();
    expect(inputOf(r)).toContainEqual({ part: 'steer', texts: [{ text: 'mind the docs' }] });
  });

  it.each([['every-action'], [undefined]] as const)('is not there where it proved %s', (sees) => {
    const r = opened({ sees });
    expect(r.run()).toMatchObject({ state: 'running', gates: [] });
  });
});

describe('what an agent can do', () => {
  it('is what the open session has, whatever the run was created with', () => {
    const r = opened({ steers: false, reviews: false, version: '1.2.3' });
    expect(r.run().agent).toMatchObject({ steers: false, reviews: false, version: '1.2.3', finds: true });
    expect(viewOf(r.run()).agentFacts).toMatchObject({ version: '1.2.3' });
  });

  it('does not forget what was known before', () => {
    const r = opened({ version: undefined, steers: false }, { agent: { version: '1.0.0' } });
    expect(r.run().agent.version).toBe('1.0.0');
  });

  it('sends the words to an agent that cannot be steered with the next input, before it can be certified', () => {
    const r = opened({ steers: false }, { agent: { steers: true } });
    r.started();
    r.onEvent({ type: 'steer-given', text: { text: 'mind the docs' }, by: 'me' });
    expect(r.has('turn-steer')).toBe(false);
    expect(r.ended({ message: { text: closingLine } }).decision?.rule).toBe('person-steer');
    expect(inputOf(r)).toContainEqual({ part: 'steer', texts: [{ text: 'mind the docs' }] });
    r.launch();
    r.started();
    r.ended({ message: { text: closingLine } });
    expect(r.outcome('checks-run', checksOutcome([passed()], 't2')).decision?.rule).toBe('certified');
  });

  it('is derived by the run loop from the methods that are there', async () => {
    const stage = await makeStage();
    stage.acting = { steer: async () => undefined, detach: async () => undefined, facts: { version: '7' } };
    stage.keep();
    await settled();
    const view = await stage.view();
    expect(view.agentFacts).toMatchObject({ steers: true, finds: false, resumes: true, outlives: false });
    expect(view.agentFacts?.version).toBe('7');
  });
});
