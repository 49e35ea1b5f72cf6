import type { Entry, EventOf, Text } from '../../contract/index.ts';
import { BrokenInvariant, must } from '../must.ts';
import type { Run } from '../run.ts';
import { remember } from '../step.ts';
import { viewOf } from '../view/run-view.ts';
import { cut } from './excerpt.ts';
import { nextAction } from './next-action.ts';
import type { Asked, Ending, Report } from './report.ts';
import { reportBounds as max } from './report-bounds.ts';
import type { Seen } from './seen.ts';
import { watchChecks } from './watch-checks.ts';
import { watchGates } from './watch-gates.ts';
import { watchTime } from './watch-time.ts';
import { watchTroubles } from './watch-troubles.ts';
import { watchTurns } from './watch-turns.ts';
import { watchWords } from './watch-words.ts';

export interface ReportMaker {
  /** Entries in order, from the first. False once the ledger cannot be followed any further. */
  add(entry: Entry): boolean;
  /** Nothing after this can be trusted: what was added so far is the report. */
  stop(seq: number, because: string): void;
  /** The report of what was added; null when that was nothing. */
  end(): Report | null;
}

/** Makes a report in one pass over a ledger, in memory that does not grow with it. */
export function makeReport(): ReportMaker {
  const turns = watchTurns();
  const time = watchTime();
  const gates = watchGates();
  const checks = watchChecks();
  const troubles = watchTroubles();
  const words = watchWords();
  const watches = [turns, time, gates, checks, troubles, words];
  let asked: Asked | null = null;
  let run: Run | null = null;
  let ended: Seen | null = null;
  let decided: Entry | null = null;
  let broken: Report['broken'] = null;

  const add = (entry: Entry): boolean => {
    if (broken !== null) return false;
    const before = run;
    try {
      run = remember(before, entry);
    } catch (error) {
      // A ledger that contradicts itself is told as such; everything up to there still stands.
      if (!(error instanceof BrokenInvariant)) throw error;
      stop(entry.seq, error.message);
      return false;
    }
    if (asked === null && entry.event.type === 'run-created') asked = askedOf(entry, entry.event);
    const seen: Seen = { before, run, entry };
    if (entry.late !== true) ended = seen;
    if (entry.decision !== undefined) decided = entry;
    for (const watch of watches) watch.see(seen);
    return true;
  };
  const end = (): Report | null => {
    if (run === null || asked === null || ended === null) return null;
    const { foreign, lastMessage, ...seen } = turns.end();
    const { byBand, bands } = time.end();
    const { certificate, checkRuns, refusals } = checks.end();
    const { entry } = ended;
    const view = viewOf(run);
    return {
      v: 1,
      run: run.id,
      isPublic: false,
      asked,
      view,
      bands,
      checkRuns,
      broken,
      ending: endingOf(run, entry, decided, lastMessage),
      spent: {
        turns: run.turns,
        tokens: run.usage.tokens,
        money: run.usage.money,
        byBand,
        activeMs: Math.round(run.activeMs),
        elapsedMs: Math.max(0, entry.at - run.createdAt),
      },
      ...seen,
      ...gates.end(),
      ...words.end(),
      certificate,
      refusals,
      troubles: { ...troubles.end(), foreignTurns: foreign },
    };
  };
  const stop = (seq: number, because: string): void => {
    broken ??= { seq, because };
  };
  return { add, stop, end };
}

/** The report of a whole ledger. */
export function reportOf(entries: Iterable<Entry>): Report {
  const maker = makeReport();
  for (const entry of entries) if (!maker.add(entry)) break;
  const report = maker.end();
  must(report !== null, 'a report needs a ledger that begins with run-created');
  return report;
}

const textOf = ({ text }: Text): string => cut(text, max.missionCharsMax);

const askedOf = ({ at }: Entry, event: EventOf<'run-created'>): Asked => ({
  mission: textOf(event.mission),
  by: event.by,
  at,
  workspace: event.workspace,
  agent: event.agent,
  mode: event.mode,
  policy: event.policy,
  policyVersion: event.policyVersion,
  configDigest: event.configDigest,
  checks: event.checks,
});

function endingOf(run: Run, { at }: Entry, decided: Entry | null, lastMessage: string): Ending {
  const decision = decided?.decision;
  // The last decision explains the state only as long as nothing moved the run since.
  const isItsWork = decision !== undefined && decision.to === run.state && decision.because === run.because;
  return {
    state: run.state,
    at,
    entries: run.seq,
    because: run.because,
    cause: run.cause,
    lastMessage,
    rule: isItsWork ? decision.rule : null,
    actor: isItsWork ? decision.actor : null,
    next: nextAction(viewOf(run)),
  };
}
