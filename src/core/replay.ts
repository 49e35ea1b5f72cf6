import type { Decision, Entry, Policy } from '../contract/index.ts';
import { policyVersion } from './decide/order.ts';
import { remember } from './fold/remember.ts';
import { BrokenInvariant } from './must.ts';
import type { Run } from './run.ts';
import { step } from './step.ts';

export interface Divergence {
  readonly seq: number;
  /** The version of the rules that judged it then; today's for what no rules could have led to. */
  readonly policyVersion: number;
  readonly event: string;
  readonly recorded: Decision | undefined;
  readonly replayed: Decision | undefined;
  readonly what: string;
}

export interface Replayed {
  readonly entries: number;
  readonly decisions: number;
  /** The version of the policy the run began with. */
  readonly recordedVersion: number;
  readonly divergences: readonly Divergence[];
  readonly run: Run | null;
}

/**
 * Re-judges a ledger. Each entry is judged on the run as it was recorded up to there, so that one divergence does
 * not hide the next. With another policy it answers what that policy would have decided at each point.
 */
export function replay(entries: Iterable<Entry>, policy?: Policy): Replayed {
  const divergences: Divergence[] = [];
  let run: Run | null = null;
  let count = 0;
  let decisions = 0;
  let recordedVersion = policyVersion;
  let judgedBy = policyVersion;
  for (const entry of entries) {
    count += 1;
    if (entry.decision !== undefined) decisions += 1;
    const { seq, event, decision: recorded } = entry;
    if (event.type === 'run-created') recordedVersion = judgedBy = event.policyVersion;
    else if (event.type === 'keeper-started') judgedBy = event.policyUpgrade?.to ?? judgedBy;
    const found = { seq, event: event.type, recorded, replayed: undefined, policyVersion: judgedBy };
    try {
      const judged: Entry = step(underPolicy(run, policy), entry, entry.run).entry;
      const what = difference(entry, judged);
      if (what !== null) divergences.push({ ...found, replayed: judged.decision, what });
      run = remember(run, entry);
    } catch (error) {
      if (!(error instanceof BrokenInvariant)) throw error;
      // No run could have gone this way: what follows cannot be judged.
      divergences.push({ ...found, policyVersion, what: `this cannot have happened: ${error.message}` });
      break;
    }
  }
  return { entries: count, decisions, recordedVersion, divergences, run };
}

const underPolicy = (run: Run | null, policy: Policy | undefined): Run | null =>
  run === null || policy === undefined ? run : { ...run, policy };

function difference(recorded: Entry, judged: Entry): string | null {
  if ((recorded.late ?? false) !== (judged.late ?? false))
    return judged.late ? 'it would have been heard too late' : 'it would have been heard in time';
  const [was, is] = [recorded.decision, judged.decision];
  if (was?.rule !== is?.rule || was?.verdict !== is?.verdict) return `${spoken(was)} became ${spoken(is)}`;
  if (canonical(was) !== canonical(is)) return `${spoken(was)} with other particulars`;
  if (canonical(recorded.effects ?? []) !== canonical(judged.effects ?? [])) return 'other effects';
  return null;
}

const spoken = (decision: Decision | undefined): string =>
  decision === undefined ? 'no decision' : `${decision.verdict} by ${decision.rule}`;

/**
 * Our own words for the person or the agent. They decide nothing, so they may be put better later: what counts is
 * recorded beside them, as rule, verdict, cause, kind or digest.
 */
const wording: ReadonlySet<string> = new Set([
  'because',
  // of a notification, where `text` is one too
  'title',
  // of a question: what it asks, what was seen, what could be done instead
  ...['asks', 'effects', 'instead'],
  // of the input of a fresh cycle: the queue as it is told
  'tasks',
  // of a certificate
  ...['counts', 'coverage'],
]);
const isWording = (key: string, of: object): boolean =>
  wording.has(key) || (key === 'text' && 'type' in of && of.type === 'notify');

/** What counts in a value, as text whatever the order of its keys; what JSON cannot carry (undefined) is not there. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  const pairs = Object.entries(value).filter(([k, v]) => v !== undefined && !isWording(k, value));
  return `{${pairs
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([k, v]) => `${JSON.stringify(k)}:${canonical(v)}`)
    .join(',')}}`;
}
