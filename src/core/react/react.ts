import type { Effect, Event, Input, InputPart } from '../../contract/index.ts';
import { isAlive } from '../approvals/gates.ts';
import { approvalEffects } from '../approvals/request.ts';
import { isWrapUpDue, wrapUpPart } from '../cycle/cycle.ts';
import { effectId } from '../effects.ts';
import { reviewIn } from '../fold/review.ts';
import type { Run } from '../run.ts';
import { startTaskChecks } from '../tasks/task-checks.ts';
import { isLaunchReady, isUnderWay, openSession, renewSession } from './launch.ts';

/**
 * What must be under way now and is not yet. Most of it is read off the run, so that a missed or repeated event
 * cannot start a thing twice; only answers belong to the very event that asked for them.
 */
export function react(before: Run | null, run: Run, event: Event): readonly Effect[] {
  const effects: Effect[] = [...run.redo];
  const add = (more: readonly Effect[]): void => void effects.push(...more);
  add(approvalEffects(before, run, event));
  if (event.type === 'timer-fired' && event.timer === 'interrupt-grace') add(closeAfterGrace(before, run));
  add(closeLost(run));
  if (run.turn !== null) add(duringTurn(run, event, effects));
  if (run.tasks.waiting.length > 0) add(startTaskChecks(run, effects));
  if (run.awaiting.tree && !isUnderWay(run, 'tree-read') && !effects.some((e) => e.type === 'tree-read'))
    add([{ type: 'tree-read', when: 'after-turn' }]);
  const isClosing = effects.some((e) => e.type === 'session-close');
  const isFinding = run.awaiting.find && run.state !== 'paused';
  // Only whoever is attached hears what the work in a session that was left running comes to.
  const isListening = run.waiting?.on === 'background' && run.session?.detached === true;
  if ((run.launch !== null || isFinding || isListening) && !isClosing) add(openSession(run));
  if (run.launch !== null && !isClosing) add(renewSession(run));
  if (isFinding && run.session?.open === true && !isUnderWay(run, 'turn-find')) add(findEffects(run));
  return effects;
}

/** The decided turn, at the moment it starts, as the entry's n-th effect: its dispatch is the effect's own id. */
export function startEffects(run: Run, n: number): readonly Effect[] {
  const { launch, session } = run;
  if (!isLaunchReady(run) || launch === null || session === null) return [];
  return [dispatched(run, session.id, effectId(run.id, run.seq, n), launch.input)];
}

/** A prompt, or the agent's own review where that is asked for and it has one. */
const dispatched = (run: Run, session: string, dispatch: string, input: Input): Effect => ({
  type: reviewIn(input) !== null && run.agent.reviews === true ? 'review-start' : 'turn-start',
  session,
  dispatch,
  input,
});

function duringTurn(run: Run, event: Event, before: readonly Effect[]): readonly Effect[] {
  const { turn, session } = run;
  if (turn === null || turn.phase === 'doubt') return [];
  const effects: Effect[] = [];
  const isOpen = session?.open === true;
  // The agent was asked and never got it: the same dispatch, once more.
  if (turn.phase === 'sent' && isOpen && !isUnderWay(run, 'turn-start') && !isUnderWay(run, 'review-start'))
    effects.push(dispatched(run, turn.session, turn.dispatch, turn.input));
  const asked =
    run.gates.some((gate) => isAlive(run, gate)) ||
    before.some((effect) => effect.type === 'gate-open' && isAlive(run, { ...noRequest, ...effect }));
  effects.push(...clockEffects(run, asked, event));
  if (turn.interrupt === 'wanted' && isOpen) {
    if (turn.turn !== null) effects.push({ type: 'turn-interrupt', session: turn.session, turn: turn.turn });
    if (run.timers['interrupt-grace'] === undefined)
      effects.push(timer(run, 'interrupt-grace', run.policy.limits.interruptGraceMs));
  }
  const words = steering(run);
  const maySteer =
    words.length > 0 &&
    run.agent.steers === true &&
    !turn.steerRefused &&
    run.steering === null &&
    turn.phase === 'started' &&
    turn.interrupt === null &&
    !asked &&
    isOpen;
  if (maySteer && turn.turn !== null) {
    const dispatch = effectId(run.id, run.seq, before.length + effects.length);
    const input = { parts: [...words] };
    effects.push({ type: 'turn-steer', session: turn.session, turn: turn.turn, dispatch, input });
  }
  return effects;
}

const noRequest = { session: null, request: null };

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

/** The agent did not end its turn when it was asked to: its process is ended. */
function closeAfterGrace(before: Run | null, run: Run): readonly Effect[] {
  if (before?.turn == null || run.turn !== null || run.session === null) return [];
  return [
    { type: 'session-close', session: run.session.id, because: 'an interrupted turn did not end in time' },
  ];
}

/** A session in which a turn may still be at work that nobody can trace: it is ended before anything is sent. */
function closeLost(run: Run): readonly Effect[] {
  const { session } = run;
  if (session?.lost !== true || isUnderWay(run, 'session-close') || isUnderWay(run, 'session-open'))
    return [];
  const because = 'nobody can say what became of its turn';
  return [{ type: 'session-close', session: session.id, because, attach: session.open ? undefined : true }];
}
