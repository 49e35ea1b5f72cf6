import type { Event, EventOf, Policy, StampedEvent } from '../../contract/index.ts';
import { foldGateAnswer } from '../approvals/answer.ts';
import { foldWithdrawn } from '../approvals/gates.ts';
import { newCycle, usageReported } from '../cycle/cycle.ts';
import { must, unreachable } from '../must.ts';
import { isTerminal, type Run } from '../run.ts';
import { foldTaskWrite } from '../tasks/task-checks.ts';
import { emptyQueue, foldNote } from '../tasks/task-queue.ts';
import { waitsFor } from '../waits.ts';
import { move } from './lifecycle.ts';
import { foldOutcome } from './outcomes.ts';
import { foldAsk } from './people.ts';
import { foldKeeper } from './recovery.ts';
import { backgroundChanged, sessionChanged, underPresentId } from './sessions.ts';
import { foldTimer } from './timers.ts';
import { toDeciding } from './to-deciding.ts';
import * as turns from './turns.ts';

/** A run after an event. `late` means: heard and recorded, and nothing changed. */
export interface Folded {
  readonly run: Run;
  readonly late: boolean;
}

const changed = (run: Run): Folded => ({ run, late: false });
const late = (run: Run): Folded => ({ run, late: true });

/** Remembers one event. Total, pure, exhaustive: the only place where an event changes a run. */
export function fold(before: Run | null, stamped: StampedEvent, id: string): Folded {
  const { event } = stamped;
  if (before === null) {
    must(event.type === 'run-created', `a ledger must begin with run-created, not ${event.type}`);
    return changed(newRun(id, stamped, event));
  }
  const run = atTime(before, stamped);
  if (isTerminal(run.state)) return late(run);
  const next = foldEvent(run, underPresentId(run, event));
  if (next === null) return late(run);
  return changed(run.foreign !== null && next.foreign === null ? foreignOver(next) : next);
}

/** Nobody else works in the session any more: what waited only for that goes on. */
const foreignOver = (run: Run): Run =>
  waitsFor(run, 'foreign-turn') ? move(run, 'deciding', { because: 'the other turn is over' }) : run;

/** Null when the event says nothing to this run any more. */
function foldEvent(run: Run, event: Event): Run | null {
  switch (event.type) {
    case 'run-created':
      return null;
    case 'keeper-started':
      return foldKeeper(run, event);
    case 'keeper-ended':
      return run;
    case 'limits-changed':
      return { ...run, policy: { ...run.policy, limits: { ...run.policy.limits, ...event.limits } } };
    case 'person-asked':
    case 'steer-given':
      return foldAsk(run, event);
    case 'gate-answered':
      return foldGateAnswer(run, event);
    case 'task-written':
      return foldTaskWrite(run, event);
    case 'memory-noted':
      return foldNote(run, event);
    case 'usage-reported':
      return usageReported(run, event);
    case 'limit-seen':
      return limitSeen(run, event);
    case 'mode-raised':
      return turns.modeRaised(run, event);
    case 'session-ended':
      return turns.sessionEnded(run, event);
    case 'session-changed':
      return sessionChanged(run, event);
    case 'background-changed':
      return backgroundChanged(run, event);
    case 'turn-started':
      return turns.turnStarted(run, event);
    case 'turn-ended':
      return turns.turnEnded(run, event);
    case 'turn-silent':
      return turns.turnSilent(run, event);
    case 'item-ended':
    case 'plan-changed':
    case 'status-reported':
    case 'compaction-seen':
    case 'error-seen':
      return turns.duringTurn(run, event);
    case 'approval-asked':
    case 'input-asked':
      return turns.requestMade(run, event);
    case 'request-withdrawn':
      return foldWithdrawn(run, event);
    case 'unreadable':
    case 'sleep-detected':
      return run;
    case 'timer-fired':
      return foldTimer(run, event);
    case 'effect-ended':
      return foldOutcome(run, event);
    default:
      return unreachable(event);
  }
}

/** A reset that becomes known while the run only probes for it is waited for instead. */
function limitSeen(run: Run, { resetAt, because }: EventOf<'limit-seen'>): Run {
  const isProbing = run.waiting?.on === 'usage-limit' && run.limit?.until === null;
  const next: Run = { ...run, limit: { until: resetAt, because } };
  return isProbing && resetAt !== null ? toDeciding(next, 'the reset of the limit is known now') : next;
}

/** Time passes: what was spent in a working state counts as active. A new process starts a new count. */
function atTime(run: Run, stamped: StampedEvent): Run {
  const passed = stamped.event.type === 'keeper-started' ? 0 : Math.max(0, stamped.mono - run.mono);
  const slept = stamped.event.type === 'sleep-detected' ? Math.min(passed, stamped.event.countedMs) : 0;
  const active =
    run.state === 'running' || run.state === 'deciding' || run.state === 'verifying' ? passed - slept : 0;
  return { ...run, seq: run.seq + 1, at: stamped.at, mono: stamped.mono, activeMs: run.activeMs + active };
}

/** Examples prove a person's rule when it is loaded; judging does not need them, and they may be long. */
const slimPolicy = (policy: Policy): Policy => ({
  ...policy,
  guards: {
    ...policy.guards,
    rules: policy.guards.rules.map((rule) => ({ ...rule, applies: [], leaves: [] })),
  },
});

function newRun(id: string, stamped: StampedEvent, event: EventOf<'run-created'>): Run {
  const { mission, workspace, agent, policyVersion, checks, mode } = event;
  const policy = slimPolicy(event.policy);
  return {
    id,
    seq: 1,
    at: stamped.at,
    mono: stamped.mono,
    createdAt: stamped.at,
    mission,
    workspace,
    site: event.site ?? null,
    agent,
    policy,
    policyVersion,
    checks,
    mode,
    state: 'ready',
    waiting: null,
    cause: null,
    because: 'created',
    epoch: 0,
    asked: { stop: false, off: false, pause: false },
    steers: [],
    steering: null,
    session: null,
    proven: null,
    reachDenied: false,
    subagentRequests: [],
    background: [],
    turn: null,
    foreign: null,
    endedTurns: [],
    last: null,
    launch: null,
    redo: [],
    awaiting: { tree: false, advice: false, find: false },
    turns: 0,
    recentTurns: [],
    usage: { tokens: null, money: null, bySession: {} },
    activeMs: 0,
    cycle: newCycle(mode === 'autonomous' ? 0 : 1, 1, null),
    tree: null,
    seenMarks: [],
    changed: [],
    noProgressTurns: 0,
    shortTurns: 0,
    plan: null,
    diff: null,
    tasks: emptyQueue,
    working: [],
    claim: null,
    baseline: null,
    proof: null,
    proofVoid: false,
    refusals: null,
    accepted: null,
    review: null,
    reviewed: { rounds: 0, isPassed: false, isUnclear: false },
    limit: null,
    failuresInRow: 0,
    awayInRow: 0,
    sameError: null,
    compactions: [],
    unsafe: null,
    gates: [],
    unusedApprovals: [],
    shapes: [],
    denied: [],
    expiriesInRow: 0,
    unansweredStop: null,
    unanswered: [],
    advice: null,
    adviceAsked: false,
    adviceMisses: 0,
    carry: [],
    inDoubt: false,
    timers: {},
    pending: [],
    recent: [],
  };
}
