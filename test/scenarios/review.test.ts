import { describe, expect, it } from 'vitest';
import { cleanLine, findingsIn } from '../../src/core/fold/review.ts';
import { closingLine, replay } from '../../src/core/index.ts';
import { renderInput, renderReview } from '../../src/core/prompt/prompt.ts';
import { checksOutcome, failed, type LedgerRun, ledgerRun, passed } from '../../src/testkit/ledger-run.ts';

const claims = { message: { text: `All done.\n${closingLine}` } };
const found = {
  message: { text: 'One bug.\n\nReview comment:\n\n- [P1] Off by one — /w/a.ts:1-1\n  Wrong.' },
};
const clean = { message: { text: `All good.\n${cleanLine}` } };
const treeRead = (r: LedgerRun, tree: string) =>
  r.outcome('tree-read', { of: 'tree-read', tree: { tree: tree.padEnd(40, '0'), head: null } });

/** A run whose agent has claimed completion, with the checks green. */
function claimed(options: Parameters<typeof ledgerRun>[0] = {}): LedgerRun {
  const r = ledgerRun({ policy: { review: 'before-completion' }, agent: { reviews: true }, ...options });
  work(r, claims);
  return r;
}

function work(r: LedgerRun, ended: Parameters<LedgerRun['ended']>[0]): void {
  r.launch();
  r.started();
  r.ended(ended);
  if (r.has('checks-run')) r.outcome('checks-run', checksOutcome([passed()], 'proven'));
}

/** Takes the review that is about to start to its end, on the tree that was proven. */
function reviewed(r: LedgerRun, ended: Parameters<LedgerRun['ended']>[0], tree = 'proven') {
  if (r.has('session-open')) r.outcome('session-open', { of: 'session-open', session: 's1' });
  r.outcome('slot-request', { of: 'slot-request' });
  r.outcome('tree-read', checksTree('proven'));
  const { dispatch, session } = r.pending('review-start').effect;
  r.onEvent({ type: 'turn-started', session, turn: `review-${dispatch}`, dispatch });
  r.outcome('review-start', { of: 'review-start', turn: `review-${dispatch}` });
  r.ended(ended, tree);
}

const checksTree = (tree: string) => ({ of: 'tree-read' as const, tree: checksOutcome([], tree).after });

const lastDecision = (r: LedgerRun) => r.entries.findLast((entry) => entry.decision)?.decision;
const parts = (r: LedgerRun) => lastDecision(r)?.input?.parts.map((part) => part.part);

describe('a review before completion', () => {
  it('comes after the checks and before the run is done', () => {
    const r = claimed();
    expect(lastDecision(r)).toMatchObject({ verdict: 'review', rule: 'review-first' });
    expect(r.run().state).toBe('waiting');
    reviewed(r, clean);
    expect(r.run()).toMatchObject({ state: 'done', cause: 'certified' });
    expect(replay(r.entries).divergences).toEqual([]);
  });

  it('that finds something gives it to the agent, and the claim is gone', () => {
    const r = claimed();
    reviewed(r, found);
    expect(r.run()).toMatchObject({ claim: null, state: 'waiting', reviewed: { rounds: 1 } });
    expect(lastDecision(r)).toMatchObject({ verdict: 'continue', rule: 'continue' });
    expect(parts(r)).toEqual(['mission', 'findings']);
    const input = lastDecision(r)?.input;
    expect(input && renderInput(input, r.run().mission)).toContain('- [P1] Off by one');
    expect(r.run().review).toBeNull();
  });

  it('that still finds something after two rounds is put to a person, whose yes ends the run', () => {
    const r = claimed();
    for (let round = 0; round < 2; round++) {
      reviewed(r, found);
      work(r, claims);
    }
    expect(lastDecision(r)).toMatchObject({ verdict: 'wait', rule: 'ask-about-findings' });
    const gate = r.run().gates[0]?.id ?? '';
    r.onEvent({ type: 'gate-answered', gate, answer: 'approve', by: 'ada' });
    r.outcome('checks-run', checksOutcome([passed()], 'proven'));
    expect(r.run()).toMatchObject({ state: 'done', cause: 'certified' });
    expect(replay(r.entries).divergences).toEqual([]);
  });

  it('that only chats is told to the agent once and not asked for again', () => {
    const r = claimed();
    reviewed(r, { message: { text: 'Looks fine to me.' } });
    expect(parts(r)).toEqual(['mission', 'findings']);
    work(r, claims);
    expect(r.run()).toMatchObject({ state: 'done' });
  });

  it('that says nothing has failed and is asked for again after a wait', () => {
    const r = claimed();
    reviewed(r, { message: { text: ' ' } });
    expect(lastDecision(r)).toMatchObject({ verdict: 'wait', rule: 'failed-turn' });
    const { effect } = r.run().timers.wait ?? { effect: '' };
    r.onEvent({ type: 'timer-fired', timer: 'wait', effect });
    expect(lastDecision(r)).toMatchObject({ rule: 'review-first' });
    expect(r.run().claim).not.toBeNull();
  });

  it('that changed the files voids the proof, and the checks run again', () => {
    const r = claimed();
    reviewed(r, clean, 'touched');
    expect(lastDecision(r)).toMatchObject({ verdict: 'verify' });
    r.outcome('checks-run', checksOutcome([passed()], 'touched'));
    expect(r.run().state).toBe('done');
  });

  it('counts as a turn: without one left the run stops by that limit, unfinished', () => {
    const r = claimed({
      policy: { review: 'before-completion', limits: { turnsMax: 1 } },
      agent: { reviews: true },
    });
    r.outcome('slot-request', { of: 'slot-request' });
    treeRead(r, 'a');
    expect(r.run()).toMatchObject({ state: 'paused', cause: 'limit:turnsMax' });
  });

  it('is a turn that is told to look, where the agent has no review of its own', () => {
    const r = claimed({ agent: {} });
    r.launch();
    const { input } = r.pending('turn-start').effect;
    expect(renderInput(input, r.run().mission)).toContain(cleanLine);
    r.started();
    // Its closing line claims nothing.
    r.ended({ message: { text: `${found.message.text}\n${closingLine}` } });
    expect(r.run().claim).toBeNull();
    expect(parts(r)).toEqual(['mission', 'findings']);
  });

  it('lost with its process is asked for again once the agent does not know it', () => {
    const r = claimed();
    r.outcome('slot-request', { of: 'slot-request' });
    r.outcome('tree-read', checksTree('proven'));
    const { dispatch } = r.pending('review-start').effect;
    r.restarted();
    expect(r.has('review-start')).toBe(false);
    r.outcome('session-open', { of: 'session-open', session: 's1' });
    r.outcome('turn-find', { of: 'turn-find', found: 'absent' });
    expect(r.pending('review-start').effect.dispatch).toBe(dispatch);
    r.outcome('review-start', { of: 'review-start', turn: 'review-1' });
    r.onEvent({ type: 'turn-ended', session: 's1', turn: 'review-1', status: 'completed', ...clean });
    r.outcome('tree-read', checksTree('proven'));
    expect(r.run()).toMatchObject({ state: 'done' });
    expect(replay(r.entries).divergences).toEqual([]);
  });

  it('that the person stops leaves the claim for the next time', () => {
    const r = claimed();
    r.outcome('slot-request', { of: 'slot-request' });
    r.outcome('tree-read', checksTree('proven'));
    const { dispatch, session } = r.pending('review-start').effect;
    r.onEvent({ type: 'turn-started', session, turn: 'rv', dispatch });
    r.onEvent({ type: 'person-asked', ask: 'pause', now: true, by: 'ada' });
    r.onEvent({ type: 'turn-ended', session, turn: 'rv', status: 'interrupted' });
    r.outcome('tree-read', checksTree('proven'));
    expect(r.run()).toMatchObject({ state: 'paused', claim: { via: 'closing-line' } });
    r.onEvent({ type: 'person-asked', ask: 'resume', by: 'ada' });
    expect(lastDecision(r)).toMatchObject({ rule: 'review-first' });
  });
});

describe('a review on error', () => {
  const options = { policy: { review: 'on-error' }, agent: { reviews: true } };
  const serverError = {
    status: 'failed' as const,
    failure: { kind: 'server-error' as const, message: '500' },
  };

  it('looks at the work once after a failed turn, forgives nothing and feeds what it found', () => {
    const r = ledgerRun(options);
    work(r, serverError);
    r.onEvent({ type: 'timer-fired', timer: 'wait', effect: r.run().timers.wait?.effect ?? '' });
    expect(lastDecision(r)).toMatchObject({ verdict: 'review', rule: 'review-after-error' });
    reviewed(r, found);
    expect(r.run().failuresInRow).toBe(1);
    expect(parts(r)).toContain('findings');
    expect(lastDecision(r)).toMatchObject({ rule: 'continue' });
  });

  it('does not follow an outage or a usage limit', () => {
    const r = ledgerRun(options);
    work(r, { status: 'failed', failure: { kind: 'unreachable', message: 'nobody' } });
    r.onEvent({ type: 'timer-fired', timer: 'wait', effect: r.run().timers.wait?.effect ?? '' });
    expect(lastDecision(r)).toMatchObject({ rule: 'continue' });
  });

  it('follows the second claim that the same check refused, with the evidence kept', () => {
    const r = ledgerRun(options);
    for (let n = 0; n < 2; n++) {
      r.launch();
      r.started();
      r.ended(claims);
      r.outcome('checks-run', checksOutcome([failed()], 'red'));
    }
    expect(lastDecision(r)).toMatchObject({ rule: 'review-after-error' });
    r.outcome('slot-request', { of: 'slot-request' });
    r.outcome('tree-read', checksTree('red'));
    r.outcome('review-start', { of: 'review-start', turn: 'rv' });
    r.ended(found, 'red');
    expect(parts(r)).toEqual(['mission', 'evidence', 'findings']);
  });
});

describe('what a review says', () => {
  it.each([
    [`fine\n${cleanLine}`, 0],
    [`${cleanLine}\n- [P2] but this`, 1],
    ['Full review comments:\n\n- [P1] a\n  b\n\n- [P3] c', 2],
    ['I like it', null],
    [`it must end with ${cleanLine}`, null],
  ])('is read as it is written: %j', (text, count) => {
    expect(findingsIn(text)).toBe(count);
  });

  it('is asked for with the mission, since a reviewer sees no conversation', () => {
    const asked = renderReview({ text: 'make it work' });
    expect(asked).toContain('make it work');
    expect(asked).toContain(cleanLine);
    expect(asked).not.toContain(closingLine);
  });
});
