import {
  type CycleFact,
  cycleMemoriesMax,
  type cycleSummaryOutputSchema,
  type MemoryType,
  type NewMemory,
  type SummaryRequest,
} from '../../contract/index.ts';
import { plainSummary } from '../cycle/plain-summary.ts';
import { type Reading, wentWell } from '../models/index.ts';

/** What a cycle leaves, before it is compared with what is known. The summary is the first of `memories`. */
export interface Distilled {
  /** `facts`: the model was absent, slow or made no sense, so the facts themselves are kept. */
  readonly by: 'model' | 'facts';
  readonly summary: string;
  readonly memories: readonly DistilledMemory[];
  readonly problems: readonly string[];
}
export type DistilledMemory = NewMemory &
  Required<Pick<NewMemory, 'id' | 'type' | 'scope' | 'importance' | 'at'>>;
type Unnamed = Omit<DistilledMemory, 'id'>;

export interface DistilPlace {
  /** The scope of this workspace: what one mission teaches is not told to another. */
  readonly scope: string;
  readonly at: number;
}

const summaryCharsMax = 1_400;
const memoryCharsMax = 4_000;
const summaryMemoryCharsMax = 1_500;
/** Memories one cycle leaves at most, its summary aside. */
const memoriesMax = cycleMemoriesMax - 1;
/** Without a model, facts that each become a memory of their own; the others are kept together, in lines. */
const aloneMax = 30;
const aloneKeptMax = 60;
const importances = { summary: 0.6, steer: 0.9, note: 0.6, check: 0.6, failed: 0.5, rest: 0.3, unknown: 0.5 };

/** The id of a cycle's summary: its being there says that the cycle is distilled already. */
export const summaryId = (run: string, cycle: number): string => `${run}/cycle-${cycle}/summary`;
const memoryId = (run: string, cycle: number, n: number): string => `${run}/cycle-${cycle}/m${n}`;

/** A model's answer as memories. Without a usable one the facts themselves are kept: no result of a tool is lost. */
export function distilled(
  request: SummaryRequest,
  answer: Reading<typeof cycleSummaryOutputSchema> | null,
  place: DistilPlace,
): Distilled {
  const summary = answer?.fields?.summary?.trim().slice(0, summaryCharsMax) ?? '';
  const problems = [...(answer?.problems ?? [])];
  const said = answer?.isSure === true ? (answer.fields?.memories ?? null) : null;
  if (said === null || summary === '') {
    if (answer !== null) problems.push('the answer cannot be relied on: the facts were kept as they are');
    return { ...fromFacts(request, place), problems };
  }
  const shown = new Set(request.facts.map(({ seq }) => seq));
  const memories: Unnamed[] = [];
  for (const one of said) {
    const text = one.text.trim().slice(0, memoryCharsMax);
    if (text === '') continue;
    if (!shown.has(one.entry)) {
      problems.push(`no fact ${one.entry} shows "${text.slice(0, 80)}": left out`);
      continue;
    }
    const isForAll = one.scope === 'global' && one.type === 'preference';
    memories.push({
      type: one.type,
      text,
      at: place.at,
      scope: isForAll ? 'global' : place.scope,
      source: `${request.run}/${one.entry}`,
      importance: one.importance ?? importances.unknown,
      supersedes: one.supersedes ?? undefined,
    });
  }
  const told = new Set(memories.map(({ source }) => source));
  // What the agent chose to remember and a person said stays, whatever the model makes of it.
  const kept = request.facts
    .filter(({ kind, seq }) => isKept(kind) && !told.has(`${request.run}/${seq}`))
    .map((fact) => asItIs(request, fact, place));
  return { by: 'model', summary, problems, memories: named(request, summary, [...kept, ...memories], place) };
}

const isKept = (kind: CycleFact['kind']): boolean => kind === 'note' || kind === 'steer';

/** A summary as a memory: its beginning, for the whole of it is told to the next cycle anyway. */
export const summaryText = (cycle: number, summary: string): string =>
  `Cycle ${cycle}: ${summary}`.slice(0, summaryMemoryCharsMax);

/** The summary and the memories with their ids, as many as a cycle may leave. */
function named(
  { run, cycle, facts }: SummaryRequest,
  summary: string,
  memories: readonly Unnamed[],
  { scope, at }: DistilPlace,
): DistilledMemory[] {
  const last = facts.at(-1)?.seq;
  const first: DistilledMemory = {
    id: summaryId(run, cycle),
    type: 'observation',
    scope,
    at,
    importance: importances.summary,
    text: summaryText(cycle, summary),
    source: last === undefined ? undefined : `${run}/${last}`,
  };
  return [
    first,
    ...memories.slice(0, memoriesMax).map((one, n) => ({ ...one, id: memoryId(run, cycle, n + 1) })),
  ];
}

function asItIs({ run }: SummaryRequest, fact: CycleFact, { scope, at }: DistilPlace): Unnamed {
  const { kind, seq, text } = fact;
  const isFailed = wentWell(fact) === false;
  const said = kind === 'note' ? text : kind === 'steer' ? `A person said: ${text}` : lineOf(fact);
  const type: MemoryType =
    kind === 'steer'
      ? 'preference'
      : isFailed && kind !== 'check'
        ? 'mistake'
        : (fact.memory ?? 'observation');
  const importance = fact.importance ?? importanceOf(kind, isFailed);
  return { type, scope, at, importance, text: said.slice(0, memoryCharsMax), source: `${run}/${seq}` };
}

function importanceOf(kind: CycleFact['kind'], isFailed: boolean): number {
  if (kind === 'steer' || kind === 'note' || kind === 'check') return importances[kind];
  return isFailed ? importances.failed : importances.rest;
}

/** Without a model: notes, people's words, the closing words, checks and failures one by one, the rest in lines. */
function fromFacts(request: SummaryRequest, place: DistilPlace): Omit<Distilled, 'problems'> {
  const { facts, closing } = request;
  const rest: CycleFact[] = [];
  const alone: CycleFact[] = [];
  for (const fact of merged(facts).toReversed()) {
    const isOfNote = isKept(fact.kind) || fact.kind === 'check' || wentWell(fact) === false;
    const room = isKept(fact.kind) ? aloneKeptMax : aloneMax;
    (isOfNote && alone.length < room ? alone : rest).push(fact);
  }
  const words = closing?.trim() ?? '';
  const { summary } = plainSummary(request);
  const memories = [
    ...alone.toReversed().map((fact) => asItIs(request, fact, place)),
    ...(words === '' ? [] : [closingWords(request, words, place)]),
    ...inLines(request, rest.toReversed(), place),
  ];
  return { by: 'facts', summary, memories: named(request, summary, memories, place) };
}

const closingWords = ({ run, cycle, facts }: SummaryRequest, words: string, place: DistilPlace): Unnamed => ({
  type: 'observation',
  scope: place.scope,
  at: place.at,
  importance: importances.note,
  text: `The agent's last words in cycle ${cycle}: ${words}`.slice(0, memoryCharsMax),
  source: `${run}/${facts.findLast(({ kind }) => kind === 'message')?.seq ?? facts.at(-1)?.seq ?? 0}`,
});

/** The same done again with the same result counts once, at its last place. */
function merged(facts: readonly CycleFact[]): CycleFact[] {
  const byLine = new Map<string, CycleFact>();
  for (const fact of facts) {
    const key = lineOf(fact);
    byLine.delete(key);
    byLine.set(key, fact);
  }
  return [...byLine.values()];
}

/** Facts as lines, in as few memories as hold them; each has the entry of its last line as source. */
function inLines({ run, cycle }: SummaryRequest, facts: readonly CycleFact[], place: DistilPlace): Unnamed[] {
  const head = `Seen in cycle ${cycle}:`;
  const pages: CycleFact[][] = [];
  let room = 0;
  for (const fact of facts) {
    const length = lineOf(fact).length + 1;
    if (length > room) {
      pages.push([]);
      room = memoryCharsMax - head.length;
    }
    pages.at(-1)?.push(fact);
    room -= length;
  }
  return pages.map((page) => ({
    type: 'observation',
    scope: place.scope,
    at: place.at,
    importance: importances.rest,
    text: [head, ...page.map(lineOf)].join('\n').slice(0, memoryCharsMax),
    source: `${run}/${page.at(-1)?.seq ?? 0}`,
  }));
}

const lineCharsMax = 600;
const resultCharsMax = 300;

/** `failed command: npm test → exit 1: 2 tests failed` */
function lineOf(fact: CycleFact): string {
  const { kind, text, result, exitCode } = fact;
  const exit = exitCode === undefined || exitCode === null ? '' : ` → exit ${exitCode}`;
  const came =
    result === undefined || result.trim() === '' ? '' : `: ${result.trim().slice(-resultCharsMax)}`;
  const failed = wentWell(fact) === false && kind !== 'failure' ? 'failed ' : '';
  return `${failed}${kind}: ${text.slice(0, lineCharsMax)}${exit}${came}`.replaceAll(/\s+/g, ' ').trim();
}
