import { describe, expect, it } from 'vitest';
import { claimsCompletion } from '../../src/core/completion/claims.ts';
import { closingLine } from '../../src/core/index.ts';
import { checksOutcome, failed, ledgerRun, passed } from '../../src/testkit/ledger-run.ts';
import { claim, dueRun, ruled, spoken } from './due.ts';

describe('a claim of completion', () => {
  it.each([
    ['alone', closingLine],
    ['after other words', `All tests pass.\n\n${closingLine}`],
    ['before trailing blank lines', `done\n${closingLine}\n\n  \n`],
    ['after a closed code fence', `\`\`\`\nnpm test\n\`\`\`\n${closingLine}`],
    ['after a fence of tildes that was closed', `~~~~\ncode\n~~~~\n${closingLine}`],
  ])('is the closing line %s', (_how, message) => {
    expect(claimsCompletion(message)).toBe(true);
  });

  it.each([
    ['not the line at all', 'DONE'],
    ['quoted with a doubt', '> DONE? not yet'],
    ['the line, quoted', `> ${closingLine}`],
    ['the line in quotation marks', `"${closingLine}"`],
    ['the line in backticks', `\`${closingLine}\``],
    ['the line, indented', `    ${closingLine}`],
    ['the line with more behind it', `${closingLine}!`],
    ['the line with more before it', `I say: ${closingLine}`],
    ['the line, but not the last one', `${closingLine}\nexcept for the docs`],
    ['the line in an open fence', `\`\`\`\n${closingLine}`],
    ['the line in a fence that a shorter one does not close', `\`\`\`\`\n\`\`\`\n${closingLine}`],
    ['the line in a fence of another kind', `~~~\n\`\`\`\n${closingLine}`],
    ['the line in other letters', closingLine.toLowerCase()],
    ['nothing', ''],
  ])('is not %s', (_what, message) => {
    expect(claimsCompletion(message)).toBe(false);
  });

  const afterTurn = (ended: Parameters<ReturnType<typeof ledgerRun>['ended']>[0]) => {
    const r = ledgerRun();
    r.launch();
    r.started();
    r.ended(ended);
    return r;
  };

  it('is verified, never believed', () => {
    const r = afterTurn({ message: { text: closingLine } });
    expect(r.entries.at(-1)?.decision).toMatchObject({ verdict: 'verify', rule: 'verify-claim' });
    expect(r.run()).toMatchObject({ state: 'verifying', claim: { via: 'closing-line' } });
  });

  it.each(['failed', 'interrupted'] as const)('does not count in a turn that was %s', (status) => {
    expect(afterTurn({ status, message: { text: closingLine } }).run().claim).toBeNull();
  });

  it('does not count when the message was cut before its end', () => {
    const message = { text: closingLine, body: 'b'.repeat(64) };
    expect(afterTurn({ message }).run().claim).toBeNull();
  });

  it('can be reported by the agent instead of written', () => {
    const r = ledgerRun();
    r.launch();
    const turn = r.started();
    r.onEvent({ type: 'status-reported', session: 's1', turn, status: 'done', text: { text: 'all of it' } });
    expect(r.ended({ message: { text: 'see report' } }).decision?.rule).toBe('verify-claim');
    expect(r.run().claim).toEqual({ via: 'reported', text: 'all of it' });
  });

  it('can be heard by the decision model', () => {
    const r = ledgerRun({ policy: { advice: { enabled: true } } });
    r.launch();
    r.started();
    r.ended({ message: { text: 'I believe that was everything.' } });
    const entry = r.outcome('advice-ask', {
      of: 'advice-ask',
      advice: { action: 'continue', claimsDone: true, reason: 'it says so', confidence: 0.9, problems: [] },
    });
    expect(entry.decision?.rule).toBe('verify-claim');
    expect(r.run().claim?.via).toBe('advice');
  });

  it('that is missing is asked for with the next input', () => {
    const r = afterTurn({ message: { text: 'I did some things' } });
    expect(r.run().launch?.input.parts.map((p) => p.part)).toEqual(['mission', 'ask-status']);
  });

  it('that fails its checks gets the evidence as the next input', () => {
    const r = afterTurn({ message: { text: closingLine } });
    const entry = r.outcome(
      'checks-run',
      checksOutcome([failed({ tail: { text: '1 failed: login' } })], 't1'),
    );
    expect(entry.decision).toMatchObject({ verdict: 'continue', rule: 'continue' });
    const evidence = entry.decision?.input?.parts.find((p) => p.part === 'evidence');
    expect(evidence).toMatchObject({ check: 'test', exitCode: 1, tail: { text: '1 failed: login' } });
    expect(r.run().claim).toBeNull();
  });

  it('that passes every check ends the run as done', () => {
    const r = afterTurn({ message: { text: closingLine } });
    const entry = r.outcome('checks-run', checksOutcome([passed()], 't1'));
    expect(entry.decision).toMatchObject({ verdict: 'stop', rule: 'certified', to: 'done' });
    expect(r.run().state).toBe('done');
  });

  it('whose checks ran while somebody else worked is verified again', () => {
    const r = afterTurn({ message: { text: closingLine } });
    r.onEvent({ type: 'turn-started', session: 's1', turn: 'foreign' });
    r.onEvent({ type: 'turn-ended', session: 's1', turn: 'foreign', status: 'completed' });
    const entry = r.outcome('checks-run', checksOutcome([passed()], 't1'));
    expect(entry.decision).toMatchObject({ verdict: 'verify', rule: 'verify-claim' });
  });

  it('is not verified while a foreign turn is at work, and is when that has ended', () => {
    const r = ledgerRun();
    r.launch();
    r.started();
    r.onEvent({ type: 'turn-started', session: 's1', turn: 'foreign' });
    const entry = r.ended({ message: { text: closingLine } });
    expect(entry.decision).toMatchObject({ verdict: 'wait', waiting: { on: 'foreign-turn', until: null } });
    const over = r.onEvent({ type: 'turn-ended', session: 's1', turn: 'foreign', status: 'completed' });
    expect(over.decision).toMatchObject({ verdict: 'verify', rule: 'verify-claim' });
  });

  it('in a project without checks waits for a person, for ever', () => {
    const { decision } = ruled({ ...dueRun(), claim, checks: [] });
    expect(decision).toMatchObject({ verdict: 'wait', waiting: { on: 'input', until: null } });
  });

  it('that the same check refuses a third time is put to a person', () => {
    const refused = (times: number) => spoken({ ...dueRun(), refusals: { check: 'test', times } });
    expect([refused(2), refused(3)]).toEqual(['continue', 'refused-too-often']);
  });
});

describe('work that only a person can accept', () => {
  const waiting = () => {
    const r = ledgerRun({ checks: [] });
    r.launch();
    r.started();
    r.ended({ message: { text: closingLine } });
    const gate = r.run().gates[0];
    if (gate === undefined) throw new Error('no gate was opened');
    return { r, gate };
  };

  it('is done when they accept it', () => {
    const { r, gate } = waiting();
    expect(gate).toMatchObject({ kind: 'accept', expiresAt: null, request: null });
    const entry = r.onEvent({ type: 'gate-answered', gate: gate.id, answer: 'approve', by: 'me' });
    expect(entry.decision).toMatchObject({ rule: 'certified', to: 'done' });
  });

  it('goes on when they do not, with their words', () => {
    const { r, gate } = waiting();
    const text = { text: 'the docs are missing' };
    const entry = r.onEvent({ type: 'gate-answered', gate: gate.id, answer: 'deny', text, by: 'me' });
    expect(entry.decision?.rule).toBe('person-steer');
    expect(r.run()).toMatchObject({ claim: null, gates: [] });
    const steer = entry.decision?.input?.parts.find((p) => p.part === 'steer');
    expect(steer).toEqual({ part: 'steer', texts: [text] });
  });

  it('goes on when they give new directions instead of an answer', () => {
    const { r } = waiting();
    const entry = r.onEvent({ type: 'steer-given', text: { text: 'also the docs' }, by: 'me' });
    expect(entry.decision?.rule).toBe('person-steer');
    expect(r.run().gates).toEqual([]);
  });
});
