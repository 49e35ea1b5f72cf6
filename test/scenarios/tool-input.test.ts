import { describe, expect, it } from 'vitest';
import type { Outcome, Question } from '../../src/contract/index.ts';
import { replay } from '../../src/core/index.ts';
import { type LedgerRun, ledgerRun } from '../../src/testkit/ledger-run.ts';

const database: Question = { id: 'db', question: 'Which database?', options: ['PostgreSQL', 'SQLite'] };
const folder: Question = { id: 'name', question: 'What should the folder be called?' };
const answersOn = { advice: { enabled: true, answers: true } };

function asking(questions: readonly Question[], policy: Record<string, unknown> = answersOn) {
  const r = ledgerRun({ policy });
  r.launch();
  const turn = r.started();
  const digest = 'd'.repeat(64);
  const entry = r.onEvent({
    type: 'input-asked',
    session: 's1',
    turn,
    request: 'q1',
    questions: [...questions],
    digest,
  });
  return { r, turn, effects: (entry.effects ?? []).map((effect) => effect.type) };
}

type Advised = Extract<Outcome, { of: 'input-advise' }>;
const advised = (r: LedgerRun, over: Partial<NonNullable<Advised['advised']>>, more: Partial<Advised> = {}) =>
  r.outcome('input-advise', {
    of: 'input-advise',
    advised: {
      answers: [{ id: 'db', answer: 'sqlite' }],
      confidence: 0.9,
      isSure: true,
      problems: [],
      model: 'a-model',
      ...over,
    },
    ...more,
  });

describe('a question of the agent’s', () => {
  it('is answered by the decision model when it is sure, each question by its own answer', () => {
    const { r, effects } = asking([database, folder]);
    expect(effects).toEqual(['input-advise']);
    const answers = [
      { id: 'db', answer: 'sqlite' },
      { id: 'name', answer: 'parser' },
    ];
    const entry = advised(r, { answers, confidence: 0.55 }, { usage: { totalTokens: 40 } });
    expect(entry.effects).toMatchObject([
      {
        type: 'request-answer',
        request: 'q1',
        answer: 'text',
        rule: 'tool-input',
        because: 'answered by a-model with confidence 0.55',
        answers: [{ id: 'db', answer: 'SQLite' }, answers[1]],
      },
    ]);
    expect(r.run()).toMatchObject({ state: 'running', gates: [], usage: { tokens: 40 } });
    expect(replay(r.entries).divergences).toEqual([]);
  });

  it.each([
    ['is hardly sure', { confidence: 0.54 }, 'low confidence 0.54'],
    ['contradicts itself', { isSure: false }, 'no usable answer'],
    ['gives no confidence', { confidence: null }, 'no usable answer'],
    ['names what was not offered', { answers: [{ id: 'db', answer: 'MySQL' }] }, 'that was offered'],
    ['says nothing', { answers: null }, 'no usable answer'],
  ])('is a person’s when the model %s', (_how, over, because) => {
    const { r } = asking([database]);
    advised(r, over);
    expect(r.run()).toMatchObject({ state: 'waiting', waiting: { on: 'input' } });
    expect(r.run().gates).toMatchObject([{ kind: 'input', options: database.options }]);
    expect(r.run().gates[0]?.because).toContain(because);
  });

  it('is a person’s when the model is away', () => {
    const { r } = asking([database]);
    const failure = { kind: 'unreachable' as const, message: 'nobody answers' };
    r.outcome('input-advise', { of: 'input-advise', failure });
    expect(r.run().gates[0]?.because).toContain('the decision model failed: nobody answers');
  });

  it.each([
    ['the decision model is off', [database], {}],
    ['it may give advice and no answers', [database], { advice: { enabled: true } }],
    ['everything is asked', [database], { ...answersOn, approvals: 'pause' }],
    ['a secret is wanted', [{ ...folder, secret: true }], answersOn],
    ['a permission is wanted', [{ id: 'a', question: 'May I push?' }], answersOn],
    ['it names an action nobody may take unasked', [{ id: 'a', question: 'Run `rm -rf ../x`?' }], answersOn],
    [
      'it is a book',
      [{ id: 'a', question: 'y'.repeat(4_000) }, { id: 'b', question: 'x'.repeat(4_000) }, folder],
      answersOn,
    ],
  ])('is a person’s from the start where %s', (_why, questions, policy) => {
    const { r, effects } = asking(questions, policy);
    expect(effects).toContain('gate-open');
    expect(r.has('input-advise')).toBe(false);
  });

  it.each(['policy', 'never-ask'])('may be the model’s under the strategy %s', (approvals) => {
    expect(asking([database], { ...answersOn, approvals }).effects).toEqual(['input-advise']);
  });

  it('that the agent takes back is not answered', () => {
    const { r } = asking([database]);
    const { id } = r.pending('input-advise');
    r.onEvent({ type: 'request-withdrawn', session: 's1', request: 'q1' });
    const outcome: Outcome = { of: 'input-advise', failure: { kind: 'other', message: 'late' } };
    expect(r.onEvent({ type: 'effect-ended', effect: id, outcome })).toMatchObject({ late: true });
  });

  it('whose turn is over by then is not answered', () => {
    const { r } = asking([database]);
    r.ended();
    expect(advised(r, {}).effects ?? []).toEqual([]);
  });

  it('dies with the process that was asking; the agent asks again', () => {
    const { r } = asking([database]);
    r.restarted();
    expect(r.has('input-advise')).toBe(false);
    expect(r.run().turn?.requests).toEqual([]);
  });
});
