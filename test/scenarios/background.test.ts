import { describe, expect, it } from 'vitest';
import { closingLine } from '../../src/core/index.ts';
import { checksOutcome, ledgerRun, passed } from '../../src/testkit/ledger-run.ts';
import { fire, person } from './asks.ts';
import { background, build, busy, inputOf, kindsOf, opened, woken } from './session-kit.ts';

describe('background work', () => {
  it('is waited for after its turn, with what runs and until when, and nothing is sent', () => {
    const r = ledgerRun();
    const entry = busy(r);
    expect(entry.decision).toMatchObject({ rule: 'background', waiting: { on: 'background' } });
    expect(entry.decision?.because).toContain('shell npm run build');
    expect(entry.decision?.waiting?.until).toBe(r.run().at + 1_800_000);
    expect(kindsOf(entry)).toEqual(['timer-set']);
  });

  it('lets the run go on when it has ended, and says nothing about it', () => {
    const r = ledgerRun();
    busy(r);
    expect(background(r, []).decision).toMatchObject({ rule: 'continue' });
    expect(r.run().timers.wait).toBeUndefined();
    expect(inputOf(r).map(({ part }) => part)).not.toContain('background');
  });

  it('is waited for no longer than its limit: the next input then names it', () => {
    const r = ledgerRun({ policy: { limits: { backgroundWaitMs: 60_000 } } });
    busy(r);
    expect(fire(r, 'wait', 60_000).decision).toMatchObject({ rule: 'continue' });
    expect(inputOf(r)).toContainEqual({ part: 'background', tasks: ['shell: npm run build'] });
    r.launch();
    expect(r.run().state).toBe('running');
  });

  it('is told as a whole each time: a repeated or shorter list changes nothing until it is empty', () => {
    const r = ledgerRun();
    busy(r);
    const two = [build, { id: 'b2', kind: 'timer' as const, label: 'in an hour' }];
    for (const tasks of [two, two, [build]]) expect(background(r, tasks).decision).toBeUndefined();
    expect(r.run().background).toEqual([build]);
    expect(background(r, []).decision?.rule).toBe('continue');
    expect(background(r, []).decision).toBeUndefined();
  });

  it('told after the turn ended still holds the next turn back', () => {
    const r = ledgerRun();
    r.launch();
    r.started();
    expect(r.ended().decision?.rule).toBe('continue');
    background(r);
    r.prepare();
    expect(r.run().waiting?.on).toBe('background');
    expect(r.has('turn-start')).toBe(false);
    background(r, []);
    r.launch();
    expect(r.run().state).toBe('running');
  });

  it('does not keep the person waiting: their words are sent', () => {
    const r = ledgerRun();
    busy(r);
    r.onEvent({ type: 'steer-given', text: { text: 'look there' }, by: 'me' });
    person(r, 'resume');
    r.launch();
    expect(inputOf(r).map(({ part }) => part)).toEqual(expect.arrayContaining(['steer', 'background']));
  });

  it('of a session we do not know, or one that is gone, is nobody here', () => {
    const r = ledgerRun();
    r.launch();
    r.started();
    expect(background(r, [build], 'elsewhere').late).toBe(true);
    r.onEvent({ type: 'session-ended', session: 's1' });
    expect(background(r).late).toBe(true);
  });

  it.each(['session-ended', 'killed'] as const)('is over with its session: %s', (how) => {
    const r = ledgerRun();
    busy(r);
    const entry = how === 'killed' ? r.restarted() : r.onEvent({ type: 'session-ended', session: 's1' });
    expect(r.run().background).toEqual([]);
    expect(entry.decision?.rule).toBe('continue');
  });

  it('of an agent that outlives us is waited for by the next keeper, which attaches to hear of it', () => {
    const r = opened({ resumes: true, finds: true, outlives: true });
    busy(r);
    const entry = r.restarted();
    expect(r.run().waiting?.on).toBe('background');
    expect(entry.effects).toContainEqual({ type: 'session-open', resume: 's1' });
    r.outcome('session-open', { of: 'session-open', session: 's1' });
    expect(background(r, []).decision?.rule).toBe('continue');
  });

  it('is not waited for in a session that cannot be attached to any more', () => {
    const r = opened({ resumes: true, finds: true, outlives: true });
    busy(r);
    r.restarted();
    const failure = { kind: 'gone' as const, message: 'no such session' };
    expect(r.outcome('session-open', { of: 'session-open', failure }).decision?.rule).toBe('continue');
  });

  it('is over before a claim is checked, and what was checked while it began does not count', () => {
    const r = ledgerRun();
    expect(busy(r, closingLine).decision?.rule).toBe('background');
    expect(background(r, []).decision?.rule).toBe('verify-claim');
    background(r);
    expect(r.outcome('checks-run', checksOutcome([passed()], 't1')).decision?.rule).toBe('background');
    expect(background(r, []).decision?.rule).toBe('verify-claim');
    expect(r.outcome('checks-run', checksOutcome([passed()], 't1')).decision?.rule).toBe('certified');
  });

  it('that was waited for in vain does not keep a claim from being checked', () => {
    const r = ledgerRun();
    busy(r, closingLine);
    expect(fire(r, 'wait', 1_800_000).decision?.rule).toBe('verify-claim');
    background(r);
    expect(r.outcome('checks-run', checksOutcome([passed()], 't1')).decision?.rule).toBe('certified');
  });
});

describe('an adopted turn', () => {
  it('woken by background work counts like one we sent: turn, items, claim, decision', () => {
    const r = ledgerRun();
    busy(r);
    woken(r);
    expect(r.run()).toMatchObject({
      state: 'running',
      foreign: null,
      turn: { turn: 'woken', adopted: true },
    });
    expect(r.run().timers.wait).toBeUndefined();
    expect(r.run().timers['turn-total']).toBeDefined();
    background(r, []);
    r.onEvent({
      ...{ type: 'item-ended', session: 's1', turn: 'woken', item: 'i1' },
      ...{ kind: 'command', outcome: 'ok', label: 'npm test' },
    });
    const entry = r.ended({ message: { text: closingLine } });
    expect(entry.decision).toMatchObject({ rule: 'verify-claim', summary: { turn: 2, items: 1 } });
  });

  it('counts against the turns', () => {
    const r = ledgerRun({ policy: { limits: { turnsMax: 2 } } });
    busy(r);
    woken(r);
    background(r, []);
    expect(r.ended().decision).toMatchObject({ rule: 'turn-budget', cause: 'limit:turnsMax' });
  });

  it('keeps what was on its way to the agent for the next input', () => {
    const r = ledgerRun();
    r.launch();
    r.started();
    r.onEvent({ type: 'steer-given', text: { text: 'mind the docs' }, by: 'me' });
    r.outcome('turn-steer', { of: 'turn-steer', ok: false });
    r.ended();
    expect(r.run().launch?.input.parts).toContainEqual({ part: 'steer', texts: [{ text: 'mind the docs' }] });
    woken(r);
    expect(r.run().launch).toBeNull();
    r.ended();
    expect(inputOf(r)).toContainEqual({ part: 'steer', texts: [{ text: 'mind the docs' }] });
  });

  it('told twice, or after its end, is one turn', () => {
    const r = ledgerRun();
    busy(r);
    woken(r);
    woken(r);
    r.ended();
    expect(r.run().turns).toBe(2);
    expect(woken(r).late).toBe(true);
    expect(r.run().turns).toBe(2);
  });

  it('takes back a question about finished work', () => {
    const r = ledgerRun({ checks: [] });
    r.launch();
    r.started();
    expect(r.ended({ message: { text: closingLine } }).decision?.rule).toBe('ask-to-accept');
    woken(r);
    expect(r.run()).toMatchObject({ gates: [], state: 'running' });
  });

  it.each(['absent', 'unknown'] as const)(
    'is never sent again after a kill, whatever is found: %s',
    (found) => {
      const r = ledgerRun();
      busy(r);
      woken(r);
      r.restarted();
      r.outcome('session-open', { of: 'session-open', session: 's1' });
      expect(r.pending('turn-find').effect.dispatch).toBe('woken');
      r.outcome('turn-find', { of: 'turn-find', found });
      expect(r.has('turn-start')).toBe(false);
      expect(r.run().turn).toBeNull();
      r.outcome('tree-read', { of: 'tree-read', tree: { tree: 'unknown', head: null } });
      expect(inputOf(r).map(({ part }) => part)).toContain('recovery');
    },
  );

  it('goes on after a kill where the agent still works on it', () => {
    const r = ledgerRun();
    busy(r);
    woken(r);
    r.restarted();
    r.outcome('session-open', { of: 'session-open', session: 's1' });
    r.outcome('turn-find', { of: 'turn-find', found: 'running', turn: 'woken' });
    expect(r.run().turn).toMatchObject({ phase: 'started', adopted: true });
  });

  it.each([
    ['person', 'person', true],
    ['person', 'ours', false],
    ['agent', 'person', false],
  ] as const)('begun by the %s in a session of type %s: %s', (origin, session, adopted) => {
    const r = ledgerRun({ agent: { session } });
    r.launch();
    r.started();
    r.ended();
    r.onEvent({ type: 'turn-started', session: 's1', turn: 'typed', origin });
    expect(r.run().turn?.adopted === true).toBe(adopted);
    expect(r.run().foreign === 'typed').toBe(!adopted);
  });
});
