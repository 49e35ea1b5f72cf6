import {
  type Certificate,
  type CheckResult,
  type Effect,
  type EffectOf,
  type EventOf,
  type Outcome,
  summaryCharsMax,
} from '../../contract/index.ts';
import { unheardApproval } from '../approvals/deliver.ts';
import { isAlive } from '../approvals/gates.ts';
import { bounds } from '../bounds.ts';
import { certify } from '../completion/certificate.ts';
import { must, unreachable } from '../must.ts';
import { lastOf, type Run, type Turn } from '../run.ts';
import { evidenceIn, taskChecksEnded } from '../tasks/task-checks.ts';
import { waitsFor } from '../waits.ts';
import { endTurn } from './end-turn.ts';
import { move } from './lifecycle.ts';
import { countProgress, judgeProgress, markTree } from './progress.ts';
import { sameWork } from './review.ts';
import { sessionOpened, sessionRenewed } from './sessions.ts';
import { untraceable } from './turns.ts';
import { steeringBack } from './unsent.ts';
import { billMore } from './usage.ts';

type OutcomeOf<T extends Outcome['of']> = Extract<Outcome, { of: T }>;

/** What came of an effect. An outcome nobody waits for any more changes nothing. */
export function foldOutcome(run: Run, event: EventOf<'effect-ended'>): Run | null {
  const effect = run.pending.find((one) => one.id === event.effect);
  if (effect === undefined) return null;
  const { outcome } = event;
  const of = <T extends Effect['type']>(type: T): EffectOf<T> => {
    must(effect.type === type, `outcome of ${type} for the effect ${effect.type}`);
    return effect as unknown as EffectOf<T>;
  };
  const next: Run = { ...run, pending: run.pending.filter((one) => one !== effect) };
  switch (outcome.of) {
    case 'session-open':
      return sessionOpened(next, of('session-open'), outcome);
    case 'session-renew':
      return sessionRenewed(next, outcome);
    case 'turn-start':
      return turnDelivered(next, of('turn-start').dispatch, outcome);
    case 'review-start':
      return turnDelivered(next, of('review-start').dispatch, outcome);
    case 'turn-find':
      return turnFound(next, of('turn-find'), outcome);
    case 'turn-steer':
      return steered(next, of('turn-steer'), outcome);
    case 'slot-request':
      return next.launch === null ? next : { ...next, launch: { ...next.launch, slot: true } };
    case 'tree-read':
      return treeRead(next, of('tree-read'), outcome);
    case 'checks-run':
      return checked(taskChecksEnded(next, event.effect, outcome), of('checks-run'), outcome);
    case 'advice-ask':
      return advised(next, outcome);
    case 'summarise':
      return summarised(next, outcome);
    case 'input-advise':
      return outcome.usage === undefined
        ? next
        : { ...next, usage: billMore(next.usage, 'advice', outcome.usage) };
    case 'request-answer':
      return answered(next, of('request-answer'), outcome.ok);
    case 'savepoint':
      // Kept or not, the agent that waits behind it is answered next, if it is still there.
      return answered(next, of('savepoint'), isAlive(next, of('savepoint').approves));
    case 'session-close':
      return next.session?.lost === true ? { ...next, session: { ...next.session, lost: false } } : next;
    case 'turn-interrupt':
    case 'gate-open':
    case 'notify':
    case 'timer-set':
    case 'timer-cancel':
      return next;
    default:
      return unreachable(outcome);
  }
}

function turnDelivered(run: Run, dispatch: string, outcome: OutcomeOf<'turn-start' | 'review-start'>): Run {
  const { turn } = run;
  if (turn === null || turn.dispatch !== dispatch) return run;
  if (outcome.failure !== undefined) {
    // What the agent has begun goes on, whatever became of the message that asked for it.
    if (turn.phase === 'started') return run;
    return endTurn(run, turn, { id: null, status: 'failed', failure: outcome.failure });
  }
  const id = turn.turn ?? outcome.turn ?? null;
  // It was over before we knew that it was ours.
  if (id !== null && run.endedTurns.includes(id))
    return { ...endTurn(run, { ...turn, turn: id }, { id: null, status: 'interrupted' }), inDoubt: true };
  const foreign = run.foreign === id ? null : run.foreign;
  return { ...run, foreign, turn: { ...turn, phase: 'started', turn: id } };
}

/** Recovery asked the agent whether a dispatch reached it. Unknown is never sent again blind. */
function turnFound(run: Run, effect: EffectOf<'turn-find'>, outcome: OutcomeOf<'turn-find'>): Run {
  const inDoubt = run.turn?.phase === 'doubt' ? run.turn : null;
  if (run.steering?.dispatch === effect.dispatch) {
    const asked: Run = { ...run, awaiting: { ...run.awaiting, find: inDoubt !== null } };
    if (outcome.found === 'running' || outcome.found === 'ended') return { ...asked, steering: null };
    return { ...steeringBack(asked), inDoubt: run.inDoubt || outcome.found === 'unknown' };
  }
  const done: Run = { ...run, awaiting: { ...run.awaiting, find: false } };
  if (inDoubt === null || inDoubt.dispatch !== effect.dispatch) return done;
  switch (outcome.found) {
    case 'running':
      return { ...done, turn: { ...inDoubt, phase: 'started', turn: outcome.turn ?? inDoubt.turn } };
    case 'absent':
      // We did not send it, so there is nothing to send again.
      return inDoubt.adopted ? untraceable(done, null) : sentAgain(done, inDoubt);
    case 'ended': {
      const { turn: id = null, status = 'interrupted', failure, message } = outcome;
      const keepsGates = status !== 'completed';
      const ended = endTurn(done, inDoubt, { id, status, failure, message, keepsGates });
      return { ...ended, inDoubt: ended.inDoubt || status !== 'completed' };
    }
    case 'unknown':
      return untraceable(done, null);
  }
}

/** It never arrived. The same dispatch is sent once more, unless nothing may be sent now: then it is decided anew. */
function sentAgain(run: Run, turn: Turn): Run {
  const { stop, off, pause } = run.asked;
  if (stop || off || pause || turn.endAs !== null || run.foreign !== null)
    return endTurn(run, { ...turn, endAs: 'person' }, { id: null, status: 'interrupted', isUnseen: true });
  return { ...run, turn: { ...turn, phase: 'sent', turn: null } };
}

/** Steering that was refused waits for the next input: asking again would be refused again. */
function steered(run: Run, effect: EffectOf<'turn-steer'>, outcome: OutcomeOf<'turn-steer'>): Run {
  if (run.steering?.dispatch !== effect.dispatch) return run;
  if (outcome.ok) return { ...run, steering: null };
  const { turn } = run;
  return { ...steeringBack(run), turn: turn === null ? null : { ...turn, steerRefused: true } };
}

const answered = (run: Run, effect: Effect, isHeard: boolean): Run =>
  isHeard ? run : unheardApproval(run, effect);

function treeRead(run: Run, effect: EffectOf<'tree-read'>, { tree, diff }: OutcomeOf<'tree-read'>): Run {
  if (effect.when === 'before-turn') {
    const launch = run.launch === null ? null : { ...run.launch, tree: true };
    return { ...run, launch, tree, seenMarks: markTree(run, tree) };
  }
  const settled: Run = { ...run, tree, diff: diff ?? null, awaiting: { ...run.awaiting, tree: false } };
  const { last } = run;
  if (last !== null && last.review !== null) return sameWork(settled, tree);
  // What the world or the person cut short says nothing about progress.
  if (last === null || last.byPerson || last.status === 'failed') return settled;
  return { ...settled, ...countProgress(run, judgeProgress(run, last, tree), last.durationMs) };
}

/** The host's own evidence. A proof whose ground moved while it was taken is void and taken again. */
function checked(run: Run, effect: EffectOf<'checks-run'>, outcome: OutcomeOf<'checks-run'>): Run {
  if (run.state !== 'verifying' || effect.purpose === 'task') return run;
  const next: Run = { ...run, tree: outcome.after, proofVoid: false };
  if (run.proofVoid)
    return move({ ...next, proof: null }, 'deciding', {
      because: 'the checks ran while somebody else worked: they do not count',
    });
  return effect.purpose === 'baseline' ? baselined(next, outcome) : weighed(next, outcome);
}

/** How things stood before the first turn. Tests of the person's that fail are known from here on. */
function baselined(run: Run, outcome: OutcomeOf<'checks-run'>): Run {
  const results = outcome.results.map((result) => ({ ...result, tail: { text: '' } }));
  const failing = results.filter((r) => r.outcome !== 'passed').map((r) => r.name);
  const because =
    failing.length === 0
      ? 'every check passes before the first turn'
      : `before the first turn these do not pass: ${failing.join(', ')}`;
  return move({ ...run, baseline: { results, tree: outcome.before.tree } }, 'deciding', { because });
}

function weighed(run: Run, outcome: OutcomeOf<'checks-run'>): Run {
  const results = kept(outcome.results);
  const certificate = certificateFor(run, outcome);
  const isRefused = certificate.verdict === 'refused';
  const mark = `checks:${outcome.results.map((r) => `${r.name}=${r.outcome}/${r.exitCode}`).join(' ')}`;
  const noted = run.seenMarks.includes(mark)
    ? {}
    : { noProgressTurns: 0, seenMarks: lastOf(run.seenMarks, mark, bounds.seenMarksMax) };
  const proven: Run = {
    ...run,
    ...noted,
    proof: { certificate, results },
    refusals: isRefused ? refusalsOf(run, results) : null,
  };
  return move(isRefused ? { ...proven, claim: null } : proven, 'deciding', {
    because: isRefused
      ? `the claim does not hold: ${certificate.because.join('; ')}`.slice(0, 2_000)
      : 'every check passed',
  });
}

function refusalsOf(run: Run, results: readonly CheckResult[]): Run['refusals'] {
  const check = results.find((r) => r.outcome !== 'passed')?.name ?? 'evidence';
  return { check, times: run.refusals?.check === check ? run.refusals.times + 1 : 1 };
}

/** Weighs what was gathered. A person's acceptance counts for exactly what they were shown. */
function certificateFor(run: Run, outcome: OutcomeOf<'checks-run'>): Certificate {
  const evidence = evidenceIn(run, outcome);
  const weighing = certify(evidence);
  const { accepted } = run;
  const isCovered =
    accepted !== null &&
    weighing.verdict === 'asks' &&
    weighing.because.every((b) => accepted.because.includes(b));
  return isCovered ? certify({ ...evidence, acceptedBy: accepted.by }) : weighing;
}

/** Of the output, only what the next input will show. */
function kept(results: readonly CheckResult[]): readonly CheckResult[] {
  const shown = results.filter((r) => r.outcome !== 'passed').slice(0, bounds.evidenceMax);
  return results.map((result) => ({
    ...result,
    tail: { text: shown.includes(result) ? result.tail.text.slice(-bounds.evidenceCharsMax) : '' },
  }));
}

/** The cycle is written down: the next one may begin, if the run still waits for that. */
function summarised(before: Run, outcome: OutcomeOf<'summarise'>): Run {
  const usage =
    outcome.usage === undefined ? before.usage : billMore(before.usage, 'summaries', outcome.usage);
  const recalled = fitting(outcome.recalled, bounds.recalledCharsMax);
  const prepared = { summary: outcome.summary.text.slice(0, summaryCharsMax), recalled };
  const run: Run =
    outcome.cycle === before.cycle.n ? { ...before, usage, cycle: { ...before.cycle, prepared } } : before;
  return waitsFor(run, 'summary') && run.launch === null && run.turn === null
    ? move(run, 'deciding', { because: 'what the cycle learned is written down' })
    : run;
}

/** The first of them that fit together. */
function fitting(texts: readonly string[], charsMax: number): readonly string[] {
  let left = charsMax;
  return texts.filter((text) => {
    left -= text.length;
    return left >= 0;
  });
}

function advised(before: Run, outcome: OutcomeOf<'advice-ask'>): Run {
  const run =
    outcome.usage === undefined
      ? before
      : { ...before, usage: billMore(before.usage, 'advice', outcome.usage) };
  const awaiting = { ...run.awaiting, advice: false };
  if (outcome.advice === undefined)
    return { ...run, awaiting, advice: null, adviceMisses: run.adviceMisses + 1 };
  const claim =
    run.claim ??
    (outcome.advice.claimsDone === true
      ? { via: 'advice' as const, text: outcome.advice.reason.slice(0, bounds.claimCharsMax) }
      : null);
  return { ...run, awaiting, advice: outcome.advice, adviceMisses: 0, claim };
}
