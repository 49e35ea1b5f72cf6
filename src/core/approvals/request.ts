/**
 * An approval, from the agent's request to the answer it receives:
 *
 * 1. The agent asks (`requestMade` in `fold/turns.ts` folds `approval-asked` and `input-asked`). Here `answerApproval`
 *    decides who answers: the guard's verdict, a person's earlier approval, the policy, an allowed shape (`shapes.ts`),
 *    or a person now. A question that is no action goes to the decision model where that is allowed (`answerInput`).
 * 2. `gates.ts`: a person is asked. The effect `gate-open` opens a gate with a timer; an answer, the agent withdrawing
 *    its request, or the expiry closes it.
 * 3. `answer.ts`: the person's answer, event `gate-answered`, is compared with the gate and closes it.
 * 4. `deliver.ts`: the effect `request-answer` sends it to the agent. A destructive action gets a savepoint first. An
 *    approval that may not have reached the agent is kept for the same action.
 *
 * `approvalEffects` gives all effects an event starts here; `settle` and `fold` call the rest.
 */
import type { Action, Effect, Event, EventOf, Judgement, Question } from '../../contract/index.ts';
import { bounds } from '../bounds.ts';
import { judgeAction } from '../guards/index.ts';
import { answersOf, keptForPeople } from '../models/answers.ts';
import type { Run } from '../run.ts';
import { afterSavepoint, answerGate, approve, isDestructive, shapeRule } from './deliver.ts';
import { isAlive, isOverTools, openEffects, openQuestion } from './gates.ts';
import { allowedBy, kindsOf, shapesOf } from './shapes.ts';

/** The effects an event starts in answer to an agent's request. */
export function approvalEffects(before: Run | null, run: Run, event: Event): readonly Effect[] {
  switch (event.type) {
    case 'approval-asked':
      return answerApproval(run, event);
    case 'input-asked':
      return answerInput(run, event);
    case 'gate-answered':
    case 'timer-fired':
      return answerGate(before, run, event);
    case 'effect-ended':
      return [...afterSavepoint(before, run, event), ...afterModelAnswer(before, run, event)];
    default:
      return [];
  }
}

/** The turn a question belongs to; a sub-agent's belongs to none. */
const turnOf = ({ turn, subagent }: EventOf<'approval-asked' | 'input-asked'>): string | undefined =>
  subagent === undefined ? turn : undefined;

/**
 * How an agent's request for an action is answered. The guard judges its effects; the strategy says who answers; the
 * never list is part of the judgement and no strategy overrides it.
 */
function answerApproval(run: Run, event: EventOf<'approval-asked'>): readonly Effect[] {
  const { action } = event;
  const judged = judge(run, action);
  const to = { session: event.session, request: event.request };
  const rendered = action.rendered.text.slice(0, bounds.actionCharsMax);
  const kinds = kindsOf(judged);
  const approved = (approval: { because: string; rule: string; gate?: string }): readonly Effect[] => [
    approve(
      run,
      { ...to, turn: turnOf(event), ...approval, digest: action.digest, action: rendered },
      isDestructive(kinds),
    ),
  ];
  if (judged.verdict === 'forbid') {
    return [
      {
        type: 'request-answer',
        ...to,
        answer: 'deny',
        because: withInstead(judged),
        rule: judged.rule,
        never: judged.never === true,
        action: rendered,
      },
    ];
  }
  const unused = run.unusedApprovals.find((a) => a.digest === action.digest);
  if (unused !== undefined) {
    const when = unused.late === true ? 'after its time was over' : 'before the agent was lost';
    const because = `a person approved this exact action ${when}`;
    return approved({ because, rule: 'person', gate: unused.gate });
  }
  const unasked = run.policy.approvals === 'never-ask' && judged.never !== true;
  if (unasked || (run.policy.approvals === 'policy' && judged.verdict === 'allow')) {
    return [
      {
        type: 'request-answer',
        ...to,
        answer: 'approve',
        because: judged.because,
        rule: unasked ? 'never-ask' : judged.rule,
      },
    ];
  }
  const allowed = allowedBy(run.shapes, action, judged);
  if (allowed !== null) {
    const because = `a person allowed this shape for this run: ${allowed.shape}`;
    return approved({ because, rule: shapeRule(allowed.gate) });
  }
  const shapes = shapesOf(action, judged);
  return openEffects(run, {
    kind: 'approval',
    ...to,
    turn: turnOf(event),
    asks: shownAction(run, action),
    digest: action.digest,
    because: judged.because.slice(0, 2_000),
    rule: judged.rule,
    never: judged.never === true,
    action: action.kind,
    effects: lines(judged.effects ?? []),
    instead: judged.instead?.slice(0, 500),
    destructive: isDestructive(kinds),
    kinds: [...kinds],
    shapes: shapes === null ? undefined : [...shapes],
  });
}

/** The action as a person is asked about it. Elsewhere than in the workspace it is another action, so that is said. */
const shownAction = ({ workspace }: Run, { rendered, cwd = workspace }: Action): Action['rendered'] =>
  cwd === workspace ? rendered : { ...rendered, text: `${rendered.text}\n(in ${cwd})` };

const lines = (all: readonly string[]): string[] =>
  all.slice(0, bounds.gateLinesMax).map((line) => line.slice(0, bounds.gateLineCharsMax));

const withInstead = (judged: Judgement): string =>
  judged.instead === undefined ? judged.because : `${judged.because}; instead: ${judged.instead}`;

const blind: Judgement = {
  verdict: 'ask',
  rule: 'unknown',
  because: 'nothing is known about where this would happen',
};

function judge({ site, workspace, policy }: Run, action: Action): Judgement {
  if (site === null) return blind;
  const { approvals, guards } = policy;
  return judgeAction(action, { ...site, workspace, cwd: action.cwd ?? workspace, approvals, config: guards });
}

/** Longer questions are not put to a model, nor kept while it answers. */
const questionsCharsMax = 8_000;

/**
 * An agent's question. The decision model answers it if the person allowed that, it is not for a person alone, and the
 * guard would not ask about any command it names; otherwise a person does.
 */
function answerInput(run: Run, event: EventOf<'input-asked'>): readonly Effect[] {
  // `ask_person` is for the person, whatever a model may answer.
  if (isOverTools(event) || keptFromModel(run, event.questions) !== null)
    return openQuestion(run, { ...event, turn: turnOf(event) }, null);
  const { session, request, questions, digest } = event;
  return [{ type: 'input-advise', session, turn: turnOf(event), request, questions, digest }];
}

/** Why a model is not asked, or null where it may be. */
function keptFromModel(run: Run, questions: readonly Question[]): string | null {
  const { advice, approvals } = run.policy;
  if (!advice.enabled || !advice.answers) return 'no decision model answers questions';
  if (approvals === 'pause') return 'everything is asked of a person';
  if (JSON.stringify(questions).length > questionsCharsMax) return 'it is too long';
  return keptForPeople(questions) ?? namedAction(run, questions);
}

/** A command named in a question: a model must not settle what the guard would ask about. */
function namedAction(run: Run, questions: readonly Question[]): string | null {
  const texts = questions.flatMap(({ question, options = [] }) => [question, ...options]);
  const named = texts.flatMap((text) => [...text.matchAll(/`+([^`]+)`+/g)].map((found) => found[1] ?? ''));
  const isHarmless = (text: string): boolean =>
    judge(run, { kind: 'command', rendered: { text }, digest: '0'.repeat(64) }).verdict === 'allow';
  const found = named.find((text) => !isHarmless(text));
  return found === undefined ? null : `it names an action: ${found}`;
}

/** The model answered, or did not. What it may not or cannot answer goes to a person. */
function afterModelAnswer(
  before: Run | null,
  run: Run,
  { effect: id, outcome }: EventOf<'effect-ended'>,
): readonly Effect[] {
  const effect = before?.pending.find((one) => one.id === id);
  if (effect?.type !== 'input-advise' || outcome.of !== 'input-advise' || !isAlive(run, effect)) return [];
  const { advised } = outcome;
  const { session, request, questions } = effect;
  if (advised === undefined)
    return openQuestion(run, effect, `the decision model failed: ${outcome.failure?.message ?? 'unknown'}`);
  const { answers, confidence, isSure, problems, model } = advised;
  const read = { fields: { answers, confidence }, problems, isSure };
  const taken = answersOf(read, questions, run.policy.advice.confidenceMin);
  if ('askPerson' in taken) return openQuestion(run, effect, `${model}: ${taken.because}`);
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
