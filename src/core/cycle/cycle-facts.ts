import {
  type CycleFact,
  type CycleFactKind,
  cycleFactCharsMax,
  cycleFactsCharsMax,
  cycleFactsMax,
  type Entry,
  type Event,
  queueCharsMax,
  type SummaryRequest,
  summaryCharsMax,
} from '../../contract/index.ts';
import type { Run } from '../run.ts';
import { renderTasks } from '../tasks/render-tasks.ts';

/** A fact on its way: its result may still have to be read from a body. */
export interface OpenFact extends CycleFact {
  readonly body?: string;
}

/** What a cycle's entries say that is worth summarising, in order. */
export function factsOf(entries: Iterable<Entry>): readonly OpenFact[] {
  const facts: OpenFact[] = [];
  for (const { seq, event, effects = [], late } of entries) {
    if (late === true) continue;
    for (const fact of ofEvent(event)) facts.push({ seq, ...fact });
    for (const effect of effects)
      if (effect.type === 'request-answer' && effect.answer === 'deny' && effect.action !== undefined)
        facts.push({ seq, kind: 'denied', text: head(effect.action), result: head(effect.because) });
  }
  return facts;
}

const head = (text: string): string => text.slice(0, cycleFactCharsMax);
const tail = (text: string): string => text.slice(-cycleFactCharsMax);

function ofEvent(event: Event): readonly Omit<OpenFact, 'seq'>[] {
  switch (event.type) {
    case 'item-ended':
      return ofItem(event);
    case 'plan-changed':
      return [{ kind: 'plan', text: `${event.done} of ${event.total} steps done: ${event.current ?? ''}` }];
    case 'status-reported':
      return [{ kind: 'status', text: head(`${event.status}: ${event.text.text}`) }];
    case 'steer-given':
      return [{ kind: 'steer', text: head(event.text.text) }];
    case 'memory-noted': {
      const { text, kind, importance } = event.note;
      return [{ kind: 'note', text: head(text), memory: kind, importance }];
    }
    case 'turn-ended':
      return event.failure === undefined
        ? []
        : [{ kind: 'failure', text: head(`${event.failure.kind}: ${event.failure.message}`) }];
    case 'effect-ended':
      return event.outcome.of === 'checks-run'
        ? event.outcome.results.map(({ name, command, outcome, exitCode, tail: end }) => ({
            kind: 'check',
            text: head(`${name}: ${command}`),
            result: tail(end.text),
            exitCode,
            outcome: outcome === 'passed' ? 'ok' : 'failed',
          }))
        : [];
    default:
      return [];
  }
}

/** What an agent calls a person's message is the input we gave it; what people say comes as `steer-given`. */
const kinds: Readonly<Partial<Record<Extract<Event, { type: 'item-ended' }>['kind'], CycleFactKind>>> = {
  message: 'message',
  command: 'command',
  edit: 'edit',
  tool: 'tool',
};

function ofItem(event: Extract<Event, { type: 'item-ended' }>): readonly Omit<OpenFact, 'seq'>[] {
  const kind = kinds[event.kind];
  if (kind === undefined) return [];
  const { label, outcome, exitCode, body } = event;
  return [
    {
      kind,
      text: head(label),
      outcome,
      exitCode,
      body: body !== undefined && (kind === 'command' || kind === 'tool') ? body : undefined,
    },
  ];
}

/** What goes first when not everything fits: talk before work, and results of commands and tools last of all. */
const worth: Readonly<Record<CycleFactKind, number>> = {
  message: 0,
  edit: 1,
  plan: 1,
  failure: 2,
  status: 3,
  denied: 3,
  tool: 4,
  command: 4,
  check: 4,
  steer: 5,
  note: 5,
};

/** As many facts as a summariser may be shown, in their order; of equal worth the newest stay. */
function boundFacts(facts: readonly CycleFact[]): Pick<SummaryRequest, 'facts' | 'leftOut'> {
  const wanted = facts
    .map((fact, place) => ({ fact, place }))
    .sort((a, b) => worth[b.fact.kind] - worth[a.fact.kind] || b.place - a.place);
  let chars = 0;
  const kept: typeof wanted = [];
  for (const one of wanted) {
    const cost = one.fact.text.length + (one.fact.result?.length ?? 0);
    if (kept.length >= cycleFactsMax || chars + cost > cycleFactsCharsMax) continue;
    chars += cost;
    kept.push(one);
  }
  const inOrder = kept.sort((a, b) => a.place - b.place).map(({ fact }) => fact);
  return { facts: inOrder, leftOut: facts.length - inOrder.length };
}

/** The facts with their results, as far as the bodies behind them are still there. */
export const withResults = (
  facts: readonly OpenFact[],
  bodies: ReadonlyMap<string, string>,
): readonly CycleFact[] =>
  facts.map(({ body, ...fact }) => {
    const text = body === undefined ? '' : printedIn(bodies.get(body) ?? '');
    return text === '' ? fact : { ...fact, result: tail(text) };
  });

/** Keys under which agents keep what a command or tool gave back. */
const given = /output|stdout|stderr|result|error|message|content|text/i;

/**
 * What a tool printed, out of the body of its item. An adapter keeps the agent's own record there, usually JSON: then
 * it is the texts in it that came back, not their wrapping. What is no record is the text itself.
 */
export function printedIn(body: string): string {
  let record: unknown;
  try {
    record = JSON.parse(body);
  } catch {
    return body.trim(); // a plain text
  }
  if (typeof record !== 'object' || record === null) return body.trim();
  return textsIn(record, Array.isArray(record)).join('\n').trim();
}

function textsIn(value: unknown, isGiven: boolean): string[] {
  if (typeof value === 'string') return isGiven ? [value] : [];
  if (Array.isArray(value)) return value.flatMap((one) => textsIn(one, isGiven));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) => textsIn(one, given.test(key)));
}

/** The agent's last words: of its last turn, or what it said before that was cut short. */
function closingWords({ last }: Run, facts: readonly CycleFact[]): string | null {
  const said = last?.status === 'completed' ? last.message?.text : undefined;
  return (
    (said ?? facts.findLast(({ kind }) => kind === 'message')?.text ?? null)?.slice(-summaryCharsMax) ?? null
  );
}

/** Everything a summariser is told about the cycle that is over. */
export const summaryRequest = (run: Run, facts: readonly CycleFact[]): SummaryRequest => ({
  run: run.id,
  cycle: run.cycle.n,
  mission: run.mission.text,
  workspace: run.workspace,
  agent: run.agent.name,
  ...boundFacts(facts),
  closing: closingWords(run, facts),
  tasks: renderTasks(run.tasks, queueCharsMax),
});
