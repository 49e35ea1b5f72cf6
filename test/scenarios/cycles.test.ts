import { describe, expect, it } from 'vitest';
import { closingLine, renderInput } from '../../src/core/index.ts';
import { checksOutcome, failed, ledgerRun, passed } from '../../src/testkit/ledger-run.ts';
import { askApproval } from './asks.ts';
import {
  begun,
  cyclesRun,
  effects,
  item,
  parts,
  prepared,
  sent,
  turn,
  used,
  wholeCycle,
} from './cycle-kit.ts';

describe('a run of one window', () => {
  it('never sees a cycle, however much it uses', () => {
    const r = ledgerRun();
    for (let n = 1; n <= 5; n++) {
      const entry = turn(r, n * 10_000_000);
      if (r.has('turn-steer')) r.outcome('turn-steer', { of: 'turn-steer', ok: true });
      expect(entry.decision?.rule).toBe('continue');
    }
    expect(['cycle', 'wrap-up', 'closing'].flatMap((part) => sent(r, part as 'cycle'))).toEqual([]);
    expect(r.entries.flatMap(effects)).not.toContain('summarise');
    expect(r.entries.flatMap(effects)).not.toContain('session-close');
    expect(r.run().cycle).toMatchObject({ n: 1, wrapUp: false });
  });
});

describe('the first cycle', () => {
  it('begins with what is remembered, the task queue and where it stands', () => {
    const r = cyclesRun();
    expect(r.entries.at(-1)?.decision).toMatchObject({ rule: 'between-cycles', verdict: 'wait' });
    const entry = prepared(r, '', ['- (fact) the tests need Redis']);
    expect(entry.decision).toMatchObject({ rule: 'next-cycle', verdict: 'continue', cycle: 1 });
    r.launch();
    const [told] = sent(r, 'cycle');
    expect(told).toMatchObject({ cycle: 1, of: 3, memories: ['- (fact) the tests need Redis'] });
    const prompt = renderInput(r.pending('turn-start').effect.input, r.run().mission);
    for (const text of ['make it work', '## Cycle 1 of 3', 'the tests need Redis', '### Task queue'])
      expect(prompt).toContain(text);
    expect(prompt).not.toContain('What the last cycle left');
  });

  it('is told so once, not with every input', () => {
    const r = begun();
    turn(r, 10);
    turn(r, 20);
    r.launch();
    expect(sent(r, 'cycle')).toHaveLength(1);
  });
});

describe('the wrap-up', () => {
  it('comes with the next input at exactly the share of the tokens', () => {
    const at = (tokens: number) => turn(begun(), tokens).decision?.input?.parts.map(({ part }) => part);
    expect(at(799)).toEqual(['mission', 'ask-status']);
    expect(at(800)).toEqual(['mission', 'wrap-up']);
  });

  it('comes at exactly the share of the context window, where the agent tells it', () => {
    const at = (contextTokens: number) => {
      const r = begun();
      r.launch();
      r.started();
      const usage = { totalTokens: 10 };
      r.onEvent({ type: 'usage-reported', session: 's1', usage, contextTokens, windowTokens: 200 });
      r.ended();
      return parts(r);
    };
    expect(at(159)).not.toContain('wrap-up');
    expect(at(160)).toContain('wrap-up');
  });

  it('does not come because of a window that died with its session', () => {
    const r = begun({}, { agent: { resumes: false, steers: false } });
    r.launch();
    r.started();
    const usage = { totalTokens: 10 };
    r.onEvent({ type: 'usage-reported', session: 's1', usage, contextTokens: 190, windowTokens: 200 });
    r.restarted();
    r.outcome('session-open', { of: 'session-open', session: 's1b' });
    r.outcome('tree-read', { of: 'tree-read', tree: { tree: 'unknown', head: null } });
    expect(r.entries.at(-1)?.decision?.rule).toBe('continue');
    expect(parts(r)).not.toContain('wrap-up');
  });

  it('is 80 % of 500,000 tokens where nobody said otherwise, with three closing turns', () => {
    const at = (tokens: number) => {
      const r = ledgerRun({
        mode: 'autonomous',
        policy: { limits: { cyclesMax: 2 } },
        agent: { steers: false },
      });
      prepared(r);
      turn(r, tokens);
      return r;
    };
    expect(parts(at(399_999))).not.toContain('wrap-up');
    const r = at(400_000);
    expect(parts(r)).toContain('wrap-up');
    expect(turn(r, 400_001).decision?.rule).toBe('continue');
    expect(turn(r, 400_002).decision?.rule).toBe('continue');
    expect(turn(r, 400_003).decision?.rule).toBe('between-cycles');
    expect(at(499_999).entries.at(-1)?.decision?.rule).toBe('continue');
    expect(at(500_000).entries.at(-1)?.decision?.rule).toBe('between-cycles');
  });

  it('is told once, whatever the turns were: without tool calls, cut short, or failed half way', () => {
    const r = begun({ closingTurnsMax: 10 });
    turn(r, 810, { message: { text: 'I only talked' } });
    turn(r, 820, { status: 'interrupted' });
    r.launch();
    r.started();
    item(r, 'npm test');
    r.ended({ status: 'failed', failure: { kind: 'server-error', message: 'half way' } });
    expect(sent(r, 'wrap-up')).toMatchObject([{ cycle: 1, of: 3, percent: 81, turns: 10 }]);
  });

  it('that the agent never saw is told again, once', () => {
    const r = begun();
    turn(r, 850);
    r.launch();
    r.outcome('turn-start', { of: 'turn-start', failure: { kind: 'server-error', message: 'no' } });
    r.outcome('tree-read', { of: 'tree-read', tree: { tree: 'unknown', head: null } });
    expect(r.run().cycle.closingTurns).toBe(0);
    r.onEvent({ type: 'timer-fired', timer: 'wait', effect: r.run().timers.wait?.effect ?? '' }, 60_000);
    expect(parts(r)).toContain('wrap-up');
    turn(r, 860);
    expect(parts(r)).toContain('closing');
    expect(parts(r)).not.toContain('wrap-up');
  });

  it('says how many closing turns are left, and counts only turns that were worked', () => {
    const r = begun();
    turn(r, 850);
    turn(r, 860);
    const resetAt = r.run().at + 60_000;
    turn(r, null, { status: 'failed', failure: { kind: 'usage-limit', message: 'the limit', resetAt } });
    expect(r.run().cycle.closingTurns).toBe(1);
    r.onEvent({ type: 'timer-fired', timer: 'wait', effect: r.run().timers.wait?.effect ?? '' }, 600_000);
    turn(r, 870);
    expect(sent(r, 'closing')).toMatchObject([{ turns: 2 }, { turns: 2 }]);
    r.launch();
    r.started();
    item(r, 'npm test');
    // Work was begun and the world cut it off: it costs no turn, so it closes nothing.
    r.ended({ status: 'failed', failure: { kind: 'usage-limit', message: 'the limit', resetAt } });
    expect(r.run().cycle.closingTurns).toBe(2);
    r.onEvent({ type: 'timer-fired', timer: 'wait', effect: r.run().timers.wait?.effect ?? '' }, 600_000);
    expect(r.run().launch?.input.parts).toContainEqual({ part: 'closing', turns: 1 });
  });

  it('goes into the running turn where the agent takes steering, and counts as told', () => {
    const r = begun({}, { agent: { steers: true } });
    r.launch();
    r.started();
    expect(effects(used(r, 799))).toEqual([]);
    const entry = used(r, 800);
    expect(entry.effects).toMatchObject([{ type: 'turn-steer', input: { parts: [{ part: 'wrap-up' }] } }]);
    r.outcome('turn-steer', { of: 'turn-steer', ok: true });
    expect(effects(used(r, 850))).toEqual([]);
    r.ended();
    // The turn in which it was told is no closing turn: it may have been at its end.
    expect(r.run().launch?.input.parts).toEqual([{ part: 'mission' }, { part: 'closing', turns: 3 }]);
    expect(sent(r, 'wrap-up')).toHaveLength(1);
  });

  it('that a running turn refuses comes with the next input', () => {
    const r = begun({}, { agent: { steers: true } });
    r.launch();
    r.started();
    used(r, 800);
    r.outcome('turn-steer', { of: 'turn-steer', ok: false });
    expect(effects(used(r, 810))).toEqual([]);
    r.ended();
    expect(parts(r)).toContain('wrap-up');
    expect(r.run().cycle.closingTurns).toBe(0);
  });

  it('travels with the words of the person', () => {
    const r = begun({}, { agent: { steers: true } });
    r.launch();
    r.onEvent({ type: 'steer-given', text: { text: 'mind the docs' }, by: 'me' });
    used(r, 800);
    const { dispatch, session } = r.pending('turn-start').effect;
    const entry = r.onEvent({ type: 'turn-started', session, turn: 'a', dispatch });
    const steered = entry.effects?.find((one) => one.type === 'turn-steer');
    expect(steered?.input.parts.map(({ part }) => part)).toEqual(['steer', 'wrap-up']);
  });
});

describe('a cycle', () => {
  it('is over after its closing turns', () => {
    const r = begun();
    turn(r, 800);
    expect(turn(r, 801).decision?.rule).toBe('continue');
    expect(turn(r, 802).decision?.rule).toBe('continue');
    const entry = turn(r, 803);
    expect(entry.decision).toMatchObject({ rule: 'between-cycles', waiting: { on: 'summary' } });
    expect(entry.effects).toContainEqual({ type: 'summarise', cycle: 1 });
  });

  it('is over sooner when a closing turn changed nothing: there is nothing left to save', () => {
    const r = begun();
    turn(r, 800, {}, 'a');
    expect(turn(r, 801, {}, 'a').decision?.rule).toBe('between-cycles');
  });

  it('is not over when nobody can tell what a closing turn changed', () => {
    const r = begun();
    turn(r, 800, {}, 'a');
    expect(turn(r, 801, {}, 'unknown').decision?.rule).toBe('continue');
  });

  it('is halted at 100 %, in the middle of a turn', () => {
    const r = begun();
    r.launch();
    r.started();
    expect(effects(used(r, 999))).toEqual([]);
    expect(effects(used(r, 1_000))).toContain('turn-interrupt');
    expect(effects(used(r, 1_100))).not.toContain('turn-interrupt');
    const entry = r.ended({ status: 'interrupted' });
    expect(entry.decision).toMatchObject({ rule: 'between-cycles' });
    expect(entry.decision?.because).toContain('cycle 1 of 3 is full');
  });

  it('that jumps over the wrap-up to its end is over all the same', () => {
    const r = begun();
    expect(turn(r, 1_200).decision?.rule).toBe('between-cycles');
    expect(sent(r, 'wrap-up')).toEqual([]);
  });

  it('is over when the agent runs into the end of its window, after the usual wait', () => {
    const r = begun();
    const full = { status: 'failed', failure: { kind: 'context-full', message: 'too long' } } as const;
    expect(turn(r, null, full).decision?.rule).toBe('failed-turn');
    const entry = r.onEvent(
      { type: 'timer-fired', timer: 'wait', effect: r.run().timers.wait?.effect ?? '' },
      60_000,
    );
    expect(entry.decision?.rule).toBe('between-cycles');
  });

  it('counts its own tokens, and the run counts them all', () => {
    const r = begun();
    expect(wholeCycle(r).decision).toMatchObject({ rule: 'next-cycle', cycle: 2 });
    turn(r, 700);
    expect(r.run().usage.tokens).toBe(1_700);
    expect(parts(r)).not.toContain('wrap-up');
    turn(r, 800);
    expect(parts(r)).toContain('wrap-up');
    expect(r.run().usage.tokens).toBe(1_800);
  });

  it('counts what its summary cost to the run, and not to the next cycle', () => {
    const r = begun();
    turn(r, 1_000);
    r.outcome('summarise', {
      of: 'summarise',
      cycle: 1,
      summary: { text: 's' },
      memories: [],
      recalled: [],
      usage: { totalTokens: 300 },
    });
    expect(r.run().usage.tokens).toBe(1_300);
    expect(r.run().cycle).toMatchObject({ n: 2, tokensBefore: 1_300 });
  });
});

describe('the next cycle', () => {
  it('begins in a fresh session, once the old one is closed', () => {
    const r = begun();
    const entry = wholeCycle(r, 'the parser is half done');
    expect(effects(entry)).toEqual(['session-close', 'slot-request', 'tree-read']);
    expect(r.has('session-open')).toBe(false);
    const opening = r.outcome('session-close', { of: 'session-close' });
    expect(opening.effects).toEqual([{ type: 'session-open' }]);
    r.launch();
    expect(r.pending('turn-start').effect.session).toBe('s2');
    expect(parts(r).slice(0, 2)).toEqual(['mission', 'cycle']);
    expect(sent(r, 'cycle').at(-1)).toMatchObject({ cycle: 2, of: 3, summary: 'the parser is half done' });
    expect(renderInput(r.pending('turn-start').effect.input, r.run().mission)).toContain('## Cycle 2 of 3');
  });

  it('hears nothing more of the old session', () => {
    const r = begun();
    wholeCycle(r);
    r.launch();
    r.started();
    expect(r.onEvent({ type: 'turn-started', session: 's1', turn: 'old' }).late).toBe(true);
    expect(r.onEvent({ type: 'session-ended', session: 's1' }).late).toBe(true);
    expect(r.run().turn?.session).toBe('s2');
  });

  it('takes over what waits to be said, exactly once: doubt, steering and denials', () => {
    const r = begun();
    r.launch();
    r.started();
    item(r, 'npm test');
    const gate = askApproval(r, 'q1');
    r.onEvent({ type: 'gate-answered', gate: gate.id, answer: 'deny', by: 'me' });
    used(r, 1_000);
    r.ended({ status: 'interrupted' });
    r.onEvent({ type: 'steer-given', text: { text: 'mind the docs' }, by: 'me' });
    prepared(r);
    expect(parts(r)).toEqual(['mission', 'cycle', 'recovery', 'steer', 'denied']);
    turn(r, 10);
    expect(parts(r)).toEqual(['mission', 'ask-status']);
    expect(sent(r, 'steer')).toHaveLength(1);
    expect(sent(r, 'denied')).toHaveLength(1);
  });

  it('takes over the evidence against a claim of the last turn, exactly once', () => {
    const r = begun();
    turn(r, 1_000, { message: { text: closingLine } });
    const refused = r.outcome('checks-run', checksOutcome([failed()], 't1'));
    expect(refused.decision?.rule).toBe('between-cycles');
    prepared(r);
    expect(parts(r)).toEqual(['mission', 'cycle', 'evidence']);
    turn(r, 10);
    expect(parts(r)).not.toContain('evidence');
  });

  it('takes over what a review found at the end of the last one, exactly once', () => {
    const r = begun({}, { policy: { review: 'before-completion' } });
    turn(r, 1_000, { message: { text: closingLine } });
    expect(r.outcome('checks-run', checksOutcome([passed()], 't1')).decision?.rule).toBe('review-first');
    r.launch('t1');
    r.started();
    // A review may take its time: a full cycle does not cut it short.
    expect(effects(used(r, 1_100))).not.toContain('turn-interrupt');
    expect(r.ended({ message: { text: '- [P1] the docs are wrong' } }, 't1').decision?.rule).toBe(
      'between-cycles',
    );
    prepared(r);
    expect(parts(r)).toEqual(['mission', 'cycle', 'findings']);
    turn(r, 10);
    expect(sent(r, 'findings')).toHaveLength(1);
    expect(parts(r)).not.toContain('findings');
  });

  it('keeps the task queue and clears the notes of working memory', () => {
    const r = begun();
    r.launch();
    r.started();
    const by = 'scripted@mcp';
    r.onEvent({
      type: 'task-written',
      write: { action: 'add', text: 'write the parser' },
      from: 'agent',
      by,
    });
    r.onEvent({ type: 'memory-noted', note: { text: 'two passes', kind: 'fact' }, from: 'agent', by });
    used(r, 1_000);
    r.ended({ status: 'interrupted' });
    expect(r.run().working).toHaveLength(1);
    prepared(r);
    expect(r.run().working).toEqual([]);
    r.launch();
    expect(sent(r, 'cycle').at(-1)?.tasks).toContain('tq-1 [pending] priority 5: write the parser');
  });

  it('is not begun by the words of the person: they wait for it', () => {
    const r = begun();
    turn(r, 1_000);
    const entry = r.onEvent({ type: 'steer-given', text: { text: 'mind the docs' }, by: 'me' });
    expect(entry.decision).toBeUndefined();
    expect(prepared(r).decision?.rule).toBe('next-cycle');
    expect(parts(r)).toContain('steer');
  });

  it('is told everything again when the first try to open it failed', () => {
    const r = begun();
    wholeCycle(r, 'half done');
    r.outcome('session-close', { of: 'session-close' });
    r.outcome('session-open', { of: 'session-open', failure: { kind: 'server-error', message: 'no' } });
    expect(r.run().state).toBe('waiting');
    r.onEvent({ type: 'timer-fired', timer: 'wait', effect: r.run().timers.wait?.effect ?? '' }, 60_000);
    expect(r.entries.at(-1)?.decision?.rule).toBe('continue');
    r.launch();
    expect(sent(r, 'cycle').at(-1)).toMatchObject({ cycle: 2, summary: 'half done' });
    expect(r.run().cycle.n).toBe(2);
  });

  it('waits for a foreign turn in the old session, which is not closed under it', () => {
    const r = begun();
    r.launch();
    r.started();
    used(r, 1_000);
    r.onEvent({ type: 'turn-started', session: 's1', turn: 'typed' });
    const entry = r.ended({ status: 'interrupted' });
    expect(entry.decision?.because).toContain('another turn is at work');
    expect(r.has('summarise')).toBe(false);
    expect(
      r.onEvent({ type: 'turn-ended', session: 's1', turn: 'typed', status: 'completed' }).decision?.rule,
    ).toBe('between-cycles');
    expect(prepared(r).decision?.rule).toBe('next-cycle');
  });

  it('waits for a foreign turn that began during the summary', () => {
    const r = begun();
    turn(r, 1_000);
    r.onEvent({ type: 'turn-started', session: 's1', turn: 'typed' });
    expect(prepared(r).decision).toMatchObject({ rule: 'next-cycle', verdict: 'wait' });
    const over = r.onEvent({ type: 'turn-ended', session: 's1', turn: 'typed', status: 'completed' });
    expect(over.decision).toMatchObject({ rule: 'next-cycle', verdict: 'continue', cycle: 2 });
  });

  it('does not summarise twice when a foreign turn ends meanwhile', () => {
    const r = begun();
    turn(r, 1_000);
    r.onEvent({ type: 'turn-started', session: 's1', turn: 'typed' });
    const over = r.onEvent({ type: 'turn-ended', session: 's1', turn: 'typed', status: 'completed' });
    expect(over.decision).toBeUndefined();
    expect(effects(over)).toEqual([]);
    expect(prepared(r).decision?.cycle).toBe(2);
  });

  it('does not come after the last: raising the limit goes on, without summarising again', () => {
    const r = begun({ cyclesMax: 2 });
    wholeCycle(r);
    const entry = wholeCycle(r);
    expect(entry.decision).toMatchObject({
      rule: 'cycle-budget',
      verdict: 'stop',
      to: 'paused',
      cause: 'limit:cyclesMax',
    });
    expect(r.onEvent({ type: 'person-asked', ask: 'resume', by: 'me' }).decision?.rule).toBe('cycle-budget');
    r.onEvent({ type: 'limits-changed', limits: { cyclesMax: 3 }, by: 'me' });
    const resumed = r.onEvent({ type: 'person-asked', ask: 'resume', by: 'me' });
    expect(resumed.decision).toMatchObject({ rule: 'next-cycle', cycle: 3 });
    r.launch();
    expect(sent(r, 'cycle').at(-1)).toMatchObject({ cycle: 3, of: 3, summary: 'so far' });
  });
});
