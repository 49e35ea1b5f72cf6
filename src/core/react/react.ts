import type { Effect, Event, Input, InputPart } from '../../contract/index.ts';
import { answerApproval } from '../approvals/answer-approval.ts';
import { afterToolAdvice, answerInput } from '../approvals/answer-input.ts';
import { afterSavepoint, approve } from '../approvals/before-destruction.ts';
import { gateTimer, isAlive } from '../approvals/gates.ts';
import { bounds } from '../bounds.ts';
import { isWrapUpDue, wrapUpPart } from '../cycle/cycle.ts';
import { reviewIn } from '../fold/review.ts';
import type { Gate, Run } from '../run.ts';
import { startTaskChecks } from '../tasks/task-checks.ts';
import { isLaunchReady, isUnderWay, openSession } from './launch.ts';

/**
 * What must be under way now and is not yet. Most of it is read off the run, so that a missed or repeated event
 * cannot start a thing twice; only answers belong to the very event that asked for them.
 */
export function react(before: Run | null, run: Run, event: Event, seq: number): readonly Effect[] {
  const effects: Effect[] = [...run.redo];
  const add = (more: readonly Effect[]): void => void effects.push(...more);
  if (event.type === 'approval-asked') add(answerApproval(run, event, seq));
  else if (event.type === 'input-asked') add(answerInput(run, event, seq));
  else if (event.type === 'gate-answered' || event.type === 'timer-fired')
    add(answerGate(before, run, event, seq));
  else if (event.type === 'effect-ended')
    add([...afterSavepoint(before, run, event), ...afterToolAdvice(before, run, event, seq)]);
  if (run.turn !== null) add(duringTurn(run, event, seq, effects));
  if (run.tasks.waiting.length > 0) add(startTaskChecks(run, effects));
  if (run.awaiting.tree && !isUnderWay(run, 'tree-read') && !effects.some((e) => e.type === 'tree-read'))
    add([{ type: 'tree-read', when: 'after-turn' }]);
  const isClosing = effects.some((e) => e.type === 'session-close');
  const isFinding = run.awaiting.find && run.state !== 'paused';
  if ((run.launch !== null || isFinding) && !isClosing) add(openSession(run));
  if (isFinding && run.session?.open === true && !isUnderWay(run, 'turn-find')) add(findEffects(run));
  return effects;
}

/** The decided turn, at the moment it starts. Its dispatch is the effect's own id, so it is never drawn twice. */
export function startEffects(run: Run, dispatch: string): readonly Effect[] {
  const { launch, session } = run;
  if (!isLaunchReady(run) || launch === null || session === null) return [];
  return [dispatched(run, session.id, dispatch, launch.input)];
}

/** A prompt, or the agent's own review where that is asked for and it has one. */
const dispatched = (run: Run, session: string, dispatch: string, input: Input): Effect => ({
  type: reviewIn(input) !== null && run.agent.reviews === true ? 'review-start' : 'turn-start',
  session,
  dispatch,
  input,
});

function duringTurn(run: Run, event: Event, seq: number, before: readonly Effect[]): readonly Effect[] {
  const { turn, session } = run;
  if (turn === null || turn.phase === 'doubt') return [];
  const effects: Effect[] = [];
  const isOpen = session?.open === true;
  // The agent was asked and never got it: the same dispatch, once more.
  if (turn.phase === 'sent' && isOpen && !isUnderWay(run, 'turn-start') && !isUnderWay(run, 'review-start'))
    effects.push(dispatched(run, turn.session, turn.dispatch, turn.input));
  const asked =
    run.gates.some((gate) => isAlive(run, gate)) ||
    before.some((effect) => effect.type === 'gate-open' && effect.turn === turn.turn);
  effects.push(...clockEffects(run, asked, event));
  if (turn.interrupt === 'wanted' && isOpen) {
    if (turn.turn !== null) effects.push({ type: 'turn-interrupt', session: turn.session, turn: turn.turn });
    if (run.timers['interrupt-grace'] === undefined)
      effects.push(timer(run, 'interrupt-grace', run.policy.limits.interruptGraceMs));
  }
  const words = steering(run);
  const maySteer =
    words.length > 0 &&
    run.agent.steers &&
    !turn.steerRefused &&
    run.steering === null &&
    turn.phase === 'started' &&
    turn.interrupt === null &&
    !asked &&
    isOpen;
  if (maySteer && turn.turn !== null) {
    const dispatch = `${run.id}/${seq}/${before.length + effects.length}`;
    const input = { parts: [...words] };
    effects.push({ type: 'turn-steer', session: turn.session, turn: turn.turn, dispatch, input });
  }
  return effects;
}

/** What a running turn should hear now: the person's words, and that its cycle is nearly full. */
const steering = (run: Run): readonly InputPart[] => [
  ...(run.steers.length === 0 ? [] : [{ part: 'steer' as const, texts: [...run.steers] }]),
  ...(isWrapUpDue(run) ? [wrapUpPart(run)] : []),
];

const timer = (run: Run, name: string, afterMs: number): Effect => ({
  type: 'timer-set',
  timer: name,
  dueAt: run.mono + afterMs,
  clock: 'mono',
  afterMs,
});

/** The turn's own deadline: stopped while a gate is pending, extended by a sleep of the machine. */
function clockEffects(run: Run, asked: boolean, event: Event): readonly Effect[] {
  const { turn } = run;
  const set = run.timers['turn-total'];
  if (turn === null || turn.endAs !== null) return [];
  if (asked) return set === undefined ? [] : [{ type: 'timer-cancel', timer: 'turn-total' }];
  if (set === undefined) return [timer(run, 'turn-total', turn.clockLeftMs ?? run.policy.limits.turnTotalMs)];
  if (event.type === 'sleep-detected')
    return [timer(run, 'turn-total', Math.max(0, set.dueAt - run.mono) + event.countedMs)];
  return [];
}

function findEffects(run: Run): readonly Effect[] {
  const session = run.session?.id ?? '';
  const dispatch = run.steering?.dispatch ?? (run.turn?.phase === 'doubt' ? run.turn.dispatch : undefined);
  return dispatch === undefined || !run.agent.finds ? [] : [{ type: 'turn-find', session, dispatch }];
}

/** Passes a person's answer, or the expiry of their time, on to the agent that waits for it. */
function answerGate(before: Run | null, run: Run, event: Event, seq: number): readonly Effect[] {
  const closed = before?.gates.find((g) =>
    event.type === 'gate-answered'
      ? g.id === event.gate
      : event.type === 'timer-fired' && gateTimer(g.id) === event.timer,
  );
  const isClosed = closed !== undefined && !run.gates.some((g) => g.id === closed.id);
  if (isClosed && before !== null && isAlive(before, closed)) return [answerTo(run, closed, event, seq)];
  return event.type === 'timer-fired' && event.timer === 'interrupt-grace'
    ? closeAfterGrace(before, run)
    : [];
}

function answerTo(run: Run, gate: Gate, event: Event, seq: number): Effect {
  const to = {
    type: 'request-answer' as const,
    session: gate.session ?? '',
    request: gate.request ?? '',
    gate: gate.id,
  };
  const action = gate.asks.text.slice(0, bounds.actionCharsMax);
  if (event.type !== 'gate-answered')
    return {
      ...to,
      answer: 'deny',
      because: 'nobody answered in time; go on without it',
      rule: 'gate-expired',
      action,
    };
  const said = event.text?.text ?? '';
  if (event.answer === 'text')
    return { ...to, answer: 'text', because: `answered by ${event.by}`, rule: 'person', text: said };
  if (event.answer === 'deny')
    return {
      ...to,
      answer: 'deny',
      because: said === '' ? 'a person denied it' : said.slice(0, 2_000),
      rule: 'person',
      action,
    };
  const approval = { because: `approved by ${event.by}`, rule: 'person', digest: gate.digest };
  return approve({ ...to, turn: gate.turn ?? '', ...approval, action }, gate.destructive, run.id, seq);
}

function closeAfterGrace(before: Run | null, run: Run): readonly Effect[] {
  if (before?.turn == null || run.turn !== null || run.session === null) return [];
  return [
    { type: 'session-close', session: run.session.id, because: 'an interrupted turn did not end in time' },
  ];
}
