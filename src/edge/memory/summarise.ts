import {
  type Memory,
  ModelFailure,
  type Summarised,
  type Summariser,
  type SummaryRequest,
  type Usage,
} from '../../contract/index.ts';
import { plainSummary } from '../../core/index.ts';
import { type Distilled, distilled, mergePlan, summaryId, summaryText } from '../../core/memory/index.ts';
import { CycleSummarySignature, cycleSummaryInputOf } from '../../core/models/index.ts';
import { type Answered, type AskOptions, ask } from '../models/ask.ts';
import type { Model } from '../models/model.ts';
import type { Memories } from './memories.ts';
import { workspaceScope } from './scope.ts';

export interface SummariserParts {
  /** Opens the memories briefly: a model may take long, and other processes write too. */
  readonly using: <T>(use: (memories: Memories) => T) => T;
  readonly at: () => number;
  /** Absent: the facts themselves are kept. */
  readonly model?: Model | undefined;
  readonly timeoutMs: number;
}

/** How many known memories are compared with a new one, and how many the model is shown. */
const alikeMax = 8;
const relatedMax = 20;
const relatedCharsMax = 4_000;

/**
 * Distils a cycle into memories, in one commit and at most once per run and cycle: called again, also after a crash, it
 * answers from what is stored. If the model is absent, slow or incoherent, the facts are kept. Rejects when aborted, and
 * then writes nothing, or with `StoreError`.
 */
export function makeSummariser({ using, at, model, timeoutMs }: SummariserParts): Summariser {
  return async (request, signal) => {
    const before = using((memories) => storedOf(memories, request));
    if (before !== null) return before;
    const scope = workspaceScope(request.workspace);
    const known = model === undefined ? [] : using((memories) => related(memories, request, scope));
    const asked =
      model === undefined
        ? { problems: ['no model is configured: the facts were kept as they are'] }
        : await answerOf(model, request, known, { timeoutMs, signal });
    if (signal?.aborted === true) throw new Error('it was called off; nothing was written');
    const made = distilled(request, asked.answered?.reading ?? null, { scope, at: at() });
    const { stored, problems } = using((memories) => keep(memories, request, made));
    return {
      summary: made.summary,
      memories: stored,
      plain: made.by === 'facts',
      diagnostics: [...asked.problems, ...made.problems, ...problems],
      usage: asked.usage,
    };
  };
}

/** What an earlier call for this cycle stored, if there was one. */
function storedOf(memories: Memories, request: SummaryRequest): Summarised | null {
  const { run, cycle } = request;
  const first = memories.get(summaryId(run, cycle));
  if (first === null) return null;
  const { summary } = plainSummary(request);
  const plain = first.text === summaryText(cycle, summary);
  return {
    summary: plain ? summary : first.text.slice(summaryText(cycle, '').length),
    plain,
    memories: memories.idsUnder(summaryId(run, cycle).slice(0, -'summary'.length)),
    diagnostics: ['this cycle was distilled before: nothing was written again'],
  };
}

function related(memories: Memories, { mission, closing, facts }: SummaryRequest, scope: string): Memory[] {
  const words = [mission, closing ?? '', ...facts.map(({ text }) => text)].join('\n');
  return memories.search(words.slice(0, relatedCharsMax), { scopes: [scope, 'global'], limit: relatedMax });
}

interface Asking {
  readonly answered?: Answered<typeof CycleSummarySignature.output>;
  readonly problems: readonly string[];
  readonly usage?: Usage | undefined;
}

async function answerOf(
  model: Model,
  request: SummaryRequest,
  known: readonly Memory[],
  options: AskOptions,
): Promise<Asking> {
  try {
    const answered = await ask(CycleSummarySignature, model, cycleSummaryInputOf(request, known), options);
    return { answered, problems: [], usage: answered.usage };
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error;
    const { kind, message } = error.failure;
    return { problems: [`${kind}: ${message} The facts were kept as they are.`], usage: error.usage };
  }
}

/** Writes what is new, all in one commit. */
function keep(
  memories: Memories,
  { run, cycle }: SummaryRequest,
  made: Distilled,
): { stored: string[]; problems: readonly string[] } {
  const known = made.memories.flatMap(({ text, scope, supersedes }) => {
    const named = supersedes === undefined ? null : memories.get(supersedes);
    const isLiving = named !== null && named.forgotten === undefined && named.supersededBy === undefined;
    return [...memories.search(text, { scopes: [scope], limit: alikeMax }), ...(isLiving ? [named] : [])];
  });
  const byId = new Map(known.map((one) => [one.id, one]));
  const plan = mergePlan(made.memories, [...byId.values()], (id) => id === summaryId(run, cycle));
  const added = memories.merge(plan);
  const failed = added.flatMap((one) => ('error' in one ? [`not stored: ${one.error}`] : []));
  const merged = plan.confirm.map(({ id }) => `"${id}" says the same already: it counts as fresh again`);
  const faded = memories.prune().map(({ id }) => `"${id}" has faded and was forgotten`);
  return {
    stored: added.flatMap((one) => ('id' in one ? [one.id] : [])),
    problems: [...plan.problems, ...failed, ...merged, ...faded],
  };
}
