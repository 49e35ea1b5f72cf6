import {
  cycleMemoriesMax,
  memoriesMax,
  memoryTokensMax,
  recalledCharsMax,
  type Summarised,
  summaryCharsMax,
} from '../../contract/index.ts';
import { factsOf, plainSummary, type Run, summaryRequest, withResults } from '../../core/index.ts';
import type { Handler, HandlerContext } from './context.ts';
import { failureOf } from './failure-of.ts';
import { outputOf } from './item-output.ts';

/** Bodies read for one summary; what is older is told without its output. */
const bodiesMax = 400;
const problemCharsMax = 500;
const queryCharsMax = 4_000;

/**
 * Distils a cycle that is over and recalls what the next one should know. A summariser that fails, or takes too long,
 * loses nothing: the facts are kept as they are, and the outcome says so.
 */
export const summariseCycle: Handler<'summarise'> = async ({ cycle }, context) => {
  const run = context.run();
  const { summary, memories, usage, diagnostics, plain } =
    cycle === 0 ? nothing : await distilled(run, context);
  const { recalled, problems } = await recalledFor(run, summary, context);
  const said = [...diagnostics, ...problems].map((text) => text.slice(0, problemCharsMax)).slice(0, 20);
  return {
    outcome: {
      of: 'summarise',
      cycle,
      summary: { text: summary.slice(0, summaryCharsMax) },
      memories: memories.slice(0, cycleMemoriesMax),
      recalled: [...recalled],
      usage,
      problems: said.length === 0 ? undefined : said,
      plain: plain || undefined,
    },
  };
};

interface Distilled extends Summarised {
  readonly plain: boolean;
}

const nothing: Distilled = { summary: '', memories: [], diagnostics: [], plain: false };

async function distilled(run: Run, context: HandlerContext): Promise<Distilled> {
  const facts = factsOf(await context.entries(run.cycle.fromSeq));
  const bodies = new Map<string, string>();
  for (const { body } of facts.slice(-bodiesMax)) {
    const text = body === undefined ? null : await context.bodyOf(body);
    if (body !== undefined && text !== null) bodies.set(body, outputOf(text));
  }
  const request = summaryRequest(run, withResults(facts, bodies));
  if (context.summarise !== undefined)
    try {
      return { plain: false, ...(await context.summarise(request)) };
    } catch (error) {
      const why = `the summariser failed, so the facts are kept as they are: ${failureOf(error).message}`;
      return await kept(plainSummary(request), [why], context);
    }
  return await kept(plainSummary(request), [], context);
}

/** Without a summariser, or after its failure: what was measured and said goes into the memory as it is. */
async function kept(
  { summary, memories }: ReturnType<typeof plainSummary>,
  diagnostics: readonly string[],
  { remember }: HandlerContext,
): Promise<Distilled> {
  if (remember === undefined) return { summary, memories: [], diagnostics, plain: true };
  try {
    return { summary, memories: await remember(memories), diagnostics, plain: true };
  } catch (error) {
    const why = `the memory could not be written: ${failureOf(error).message}`;
    return { summary, memories: [], diagnostics: [...diagnostics, why], plain: true };
  }
}

/** The best of what is remembered about the mission and where it stands. A memory that cannot be read is a problem, not an end. */
async function recalledFor(
  { mission }: Run,
  summary: string,
  { recall }: HandlerContext,
): Promise<{ recalled: readonly string[]; problems: readonly string[] }> {
  if (recall === undefined) return { recalled: [], problems: [] };
  try {
    const query = `${mission.text}\n${summary}`.slice(0, queryCharsMax);
    const { memories, leftOut } = await recall(query, {
      tokensMax: memoryTokensMax,
      entriesMax: memoriesMax,
    });
    const lines = memories.slice(0, memoriesMax).map(lineOf);
    return { recalled: leftOut === 0 ? lines : [...lines, `(${leftOut} more left out)`], problems: [] };
  } catch (error) {
    return { recalled: [], problems: [`nothing could be recalled: ${failureOf(error).message}`] };
  }
}

const lineOf = ({ text }: { text: string }): string => text.slice(0, recalledCharsMax);
