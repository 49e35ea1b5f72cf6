import type { Effect, EventOf, Question } from '../../contract/index.ts';
import { answersOf, keptForPeople } from '../models/answers.ts';
import type { Run } from '../run.ts';
import { judge, openQuestion } from './answer-approval.ts';
import { isAlive, isOverTools } from './gates.ts';

/** More than this is not put to a model, and not kept while it thinks. */
const questionsCharsMax = 8_000;

/**
 * A question of the agent's. The decision model answers it where the person let it, nothing in it is a person's alone,
 * and no command it names would be asked about; else a person does.
 */
export function answerInput(run: Run, event: EventOf<'input-asked'>, seq: number): readonly Effect[] {
  // What is put to the person by name is theirs, whatever a model may answer.
  if (isOverTools(event) || keptFromModel(run, event.questions) !== null)
    return openQuestion(run, event, seq, null);
  const { session, turn, request, questions, digest } = event;
  return [{ type: 'input-advise', session, turn, request, questions, digest }];
}

/** Why a model is not asked, or null where it may be. */
function keptFromModel(run: Run, questions: readonly Question[]): string | null {
  const { advice, approvals } = run.policy;
  if (!advice.enabled || !advice.answers) return 'no decision model answers questions';
  if (approvals === 'pause') return 'everything is asked of a person';
  if (JSON.stringify(questions).length > questionsCharsMax) return 'it is too long';
  return keptForPeople(questions) ?? namedAction(run, questions);
}

/** A command named in a question: what the guard would ask about is not settled by the way. */
function namedAction(run: Run, questions: readonly Question[]): string | null {
  const texts = questions.flatMap(({ question, options = [] }) => [question, ...options]);
  const named = texts.flatMap((text) => [...text.matchAll(/`+([^`]+)`+/g)].map((found) => found[1] ?? ''));
  const isHarmless = (text: string): boolean =>
    judge(run, { kind: 'command', rendered: { text }, digest: '0'.repeat(64) }).verdict === 'allow';
  const found = named.find((text) => !isHarmless(text));
  return found === undefined ? null : `it names an action: ${found}`;
}

/** The model answered, or did not. What it may not or cannot settle is a person's. */
export function afterToolAdvice(
  before: Run | null,
  run: Run,
  { effect: id, outcome }: EventOf<'effect-ended'>,
  seq: number,
): readonly Effect[] {
  const effect = before?.pending.find((one) => one.id === id);
  if (effect?.type !== 'input-advise' || outcome.of !== 'input-advise' || !isAlive(run, effect)) return [];
  const { advised } = outcome;
  const { session, request, questions } = effect;
  if (advised === undefined)
    return openQuestion(
      run,
      effect,
      seq,
      `the decision model failed: ${outcome.failure?.message ?? 'unknown'}`,
    );
  const { answers, confidence, isSure, problems, model } = advised;
  const read = { fields: { answers, confidence }, problems, isSure };
  const taken = answersOf(read, questions, run.policy.advice.confidenceMin);
  if ('askPerson' in taken) return openQuestion(run, effect, seq, `${model}: ${taken.because}`);
  const given = [...taken.answers].map(([one, answer]) => ({ id: one, answer: answer.slice(0, 4_000) }));
  return [
    {
      type: 'request-answer',
      session,
      request,
      answer: 'text',
      rule: 'tool-input',
      because: `answered by ${model} with confidence ${confidence ?? 0}`,
      text: given
        .map(({ answer }) => answer)
        .join('\n')
        .slice(0, 16_384),
      answers: given,
    },
  ];
}
