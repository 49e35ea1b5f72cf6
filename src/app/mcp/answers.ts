import { StoreError } from '../../contract/index.ts';
import { isTerminal, type Run } from '../../core/index.ts';
import type { Redact } from '../../edge/ingest/redact.ts';
import type { Memories } from '../../edge/memory/memories.ts';
import type { RunLink } from './run-link.ts';

/** What a tool answers: text for the agent. An error means that the request was not carried out. */
export type ToolAnswer = { content: { type: 'text'; text: string }[]; isError?: boolean };

export const said = (text: string): ToolAnswer => ({ content: [{ type: 'text', text }] });
export const not = (text: string): ToolAnswer => ({ content: [{ type: 'text', text }], isError: true });

/** What the tools work with. */
export interface ToolParts {
  readonly link: RunLink;
  /** How long one call may wait for a person or for checks. */
  readonly waitMs: number;
  readonly redact: Redact;
  /** Opens the person's memories for one call: other processes write to them too. */
  withMemories<T>(use: (memories: Memories) => T): T;
}

export const unheard = not(
  'Not confirmed: the process that keeps this run did not answer in time. It will process this when it runs again; do not repeat it, check later.',
);

/** Nothing is recorded in a run that is over. */
export const overText = (run: Run): string | null =>
  isTerminal(run.state)
    ? `This run is over (${run.state}: ${run.because.slice(0, 300)}). Nothing is recorded any more.`
    : null;

/** An expected external failure is an answer; our own bug is thrown. */
export async function answered(work: () => Promise<ToolAnswer>): Promise<ToolAnswer> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StoreError) return not(`${error.message}. Fix: ${error.fix}`);
    throw error;
  }
}
