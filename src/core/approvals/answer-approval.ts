import type { Action, Effect, EventOf, Judgement } from '../../contract/index.ts';
import { bounds } from '../bounds.ts';
import { judgeAction } from '../guards/index.ts';
import type { Run } from '../run.ts';
import { approve, isDestructive } from './before-destruction.ts';
import { gateTimer, shapeRule } from './gates.ts';
import { allowedBy, kindsOf, shapesOf } from './shapes.ts';

/**
 * What happens to an action an agent asks about. The guard judges it by its effects; the strategy says who answers;
 * the never list is inside the judgement and no strategy widens it.
 */
export function answerApproval(run: Run, event: EventOf<'approval-asked'>, seq: number): readonly Effect[] {
  const { action } = event;
  const judged = judge(run, action);
  const to = { session: event.session, request: event.request };
  const rendered = action.rendered.text.slice(0, bounds.actionCharsMax);
  const kinds = kindsOf(judged);
  const approved = (approval: { because: string; rule: string; gate?: string }): readonly Effect[] => [
    approve(
      { ...to, turn: event.turn, ...approval, digest: action.digest, action: rendered },
      isDestructive(kinds),
      run.id,
      seq,
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
  return openEffects(run, seq, {
    kind: 'approval',
    ...to,
    turn: event.turn,
    asks: action.rendered,
    digest: action.digest,
    because: judged.because.slice(0, 2_000),
    rule: judged.rule,
    never: judged.never === true,
    action: action.kind,
    effects: lines(judged.effects ?? []),
    ...(judged.instead === undefined ? {} : { instead: judged.instead.slice(0, 500) }),
    destructive: isDestructive(kinds),
    kinds: [...kinds],
    ...(shapes === null ? {} : { shapes: [...shapes] }),
  });
}

/** Options that do not all fit are shown with the question alone: one that is cut would be another answer. */
const isLine = (text: string): boolean => text.length <= bounds.gateLineCharsMax;

const lines = (all: readonly string[]): string[] =>
  all.slice(0, bounds.gateLinesMax).map((line) => line.slice(0, bounds.gateLineCharsMax));

/** Puts an agent's question to a person; `why` says why nobody else answered it. */
export function openQuestion(
  run: Run,
  { session, turn, request, questions, digest }: Pick<EventOf<'input-asked'>, Asked>,
  seq: number,
  why: string | null,
): readonly Effect[] {
  const asks = questions
    .map((q) => (q.options === undefined ? q.question : `${q.question} (${q.options.join(' · ')})`))
    .join('\n');
  const offered = questions.length === 1 ? (questions[0]?.options ?? []) : [];
  const options = offered.length <= bounds.gateLinesMax && offered.every(isLine) ? offered : [];
  const because = why === null ? 'the agent asks a question' : `the agent asks a question; ${why}`;
  return openEffects(run, seq, {
    kind: 'input',
    session,
    turn,
    request,
    digest,
    rule: 'question',
    asks: { text: asks.slice(0, 16_000) },
    because: because.slice(0, 2_000),
    ...(options.length === 0 ? {} : { options }),
  });
}
type Asked = 'session' | 'turn' | 'request' | 'questions' | 'digest';

type Opening = Omit<Extract<Effect, { type: 'gate-open' }>, 'type' | 'gate' | 'expiresAt'>;

/**
 * A gate and the clock that closes it. Its id is derived, so a replay opens the same one. A person who has so many
 * questions open already is not asked one more: the agent hears no.
 */
export function openEffects(run: Run, seq: number, opening: Opening): readonly Effect[] {
  const { session, request } = opening;
  if (run.gates.length >= bounds.gatesMax && session !== undefined && request !== undefined) {
    const because = `${bounds.gatesMax} questions wait for the person already; go on without it`;
    const action = opening.asks.text.slice(0, bounds.actionCharsMax);
    return [{ type: 'request-answer', session, request, answer: 'deny', because, rule: 'gates-max', action }];
  }
  const gate = `g${seq}`;
  const waits = run.policy.gates.whenUnanswered === 'wait' || opening.request === undefined;
  const afterMs = run.policy.gates.timeoutMs;
  const expiresAt = waits ? null : run.at + afterMs;
  const open: Effect = { type: 'gate-open', gate, ...opening, expiresAt };
  return expiresAt === null
    ? [open]
    : [open, { type: 'timer-set', timer: gateTimer(gate), dueAt: expiresAt, clock: 'wall', afterMs }];
}

const withInstead = (judged: Judgement): string =>
  judged.instead === undefined ? judged.because : `${judged.because}; instead: ${judged.instead}`;

const blind: Judgement = {
  verdict: 'ask',
  rule: 'unknown',
  because: 'nothing is known about where this would happen',
};

export function judge({ site, workspace, policy }: Run, action: Action): Judgement {
  if (site === null) return blind;
  const { approvals, guards } = policy;
  return judgeAction(action, { ...site, workspace, cwd: action.cwd ?? workspace, approvals, config: guards });
}
