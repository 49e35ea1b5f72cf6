import type { Entry, RunView } from '../../contract/index.ts';
import { remember } from '../fold/remember.ts';
import { BrokenInvariant, must } from '../must.ts';
import type { Run } from '../run.ts';
import { viewOf } from '../view/run-view.ts';
import { type Asked, askedOf, publicAsked } from './asked.ts';
import { type Changes, publicChanges, watchChanges } from './changes.ts';
import { type ChecksPart, publicChecks, watchChecks } from './checks.ts';
import { type DecisionsPart, publicDecisions, watchDecisions } from './decisions.ts';
import { type Ending, endingOf, publicEnding } from './ending.ts';
import { type GatesPart, publicGates, watchGates } from './gates.ts';
import { type PeoplePart, publicPeople, watchPeople } from './people.ts';
import { checkNames } from './public.ts';
import { publicView } from './public-view.ts';
import type { Seen } from './seen.ts';
import type { Band } from './series.ts';
import { type TimePart, watchTime } from './time.ts';
import { publicTroubles, type Troubles, watchTroubles } from './troubles.ts';
import { publicTurns, type TurnsPart, watchTurns } from './turns.ts';

/**
 * What a person reads about a run, derived from its ledger: never read back, nothing decided from it. Each part brings
 * its fields, how they are gathered, and what strangers may see of them.
 */
export interface Report extends TurnsPart, GatesPart, DecisionsPart, PeoplePart, ChecksPart {
  readonly v: 1;
  readonly run: string;
  /** Made for strangers: no text anybody wrote, no path, no name. Texts are empty then. */
  readonly isPublic: boolean;
  readonly asked: Asked;
  /** The run as it stands: state, reason, budgets, open gates. */
  readonly view: RunView;
  readonly ending: Ending;
  readonly spent: Spent;
  readonly bands: readonly Band[];
  readonly changes: Changes;
  readonly troubles: Troubles;
  /** The ledger could be followed only up to here. */
  readonly broken: { readonly seq: number; readonly because: string } | null;
  /** Whether the stored chain holds; absent when nobody looked. */
  readonly chain?: { readonly ok: boolean; readonly damage: readonly string[] };
}

export interface Spent {
  readonly turns: number;
  readonly tokens: number | null;
  readonly money: number | null;
  readonly activeMs: number;
  readonly elapsedMs: number;
  readonly byBand: TimePart['byBand'];
}

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
  const decisions = watchDecisions();
  const people = watchPeople();
  const changes = watchChanges();
  const watches = [turns, time, gates, checks, troubles, decisions, people, changes];
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
    const { results, foreign, lastMessage, ...told } = turns.end();
    const { byBand, bands } = time.end();
    const { checkRuns, ...proof } = checks.end();
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
      ...told,
      changes: { ...changes.end(), turns: results },
      ...gates.end(),
      ...decisions.end(),
      ...people.end(),
      ...proof,
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

/** The same report for strangers: counts, times, rules, states and digests; no text anybody wrote, no path, no name. */
export function publicReport(report: Report): Report {
  const names = checkNames(report.asked.checks);
  const { v, run, spent, bands, broken, chain } = report;
  return {
    v,
    run,
    isPublic: true,
    spent,
    bands,
    asked: publicAsked(report.asked, names),
    view: publicView(report.view, names),
    ending: publicEnding(report.ending),
    ...publicTurns(report),
    ...publicDecisions(report),
    ...publicGates(report),
    ...publicChecks(report, names),
    changes: publicChanges(report.changes),
    ...publicPeople(report),
    troubles: publicTroubles(report.troubles),
    broken: broken === null ? null : { seq: broken.seq, because: '' },
    chain: chain === undefined ? undefined : { ok: chain.ok, damage: [] },
  };
}
