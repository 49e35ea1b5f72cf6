import type { z } from 'zod';
import { type memoryReadSchema, type memoryWriteSchema, workingNoteSchema } from '../../contract/index.ts';
import type { Run } from '../../core/index.ts';
import { workspaceScope } from '../../edge/memory/scope.ts';
import { not, overText, said, type ToolAnswer, type ToolParts, unheard } from './answers.ts';

const foundMax = 10;

/** The notes of this cycle and, for a query, matching memories. */
export async function readMemory(
  { link, withMemories }: Omit<ToolParts, 'waitMs'>,
  { query = '', limit = foundMax }: z.infer<typeof memoryReadSchema>,
): Promise<ToolAnswer> {
  const run = await link.run();
  const working = run.working.map(({ kind, text }) => `- (${kind}) ${text}`);
  const notes =
    working.length === 0 ? 'No notes in this cycle yet.' : `Notes of this cycle:\n${working.join('\n')}`;
  if (query === '') return said(notes);
  const found = withMemories((memories) => {
    const all = memories.search(query, { scopes: scopesOf(run), limit });
    memories.touch(all.map(({ id }) => id));
    return all.map(({ type, text, at }) => `- (${type}, ${new Date(at).toISOString().slice(0, 10)}) ${text}`);
  });
  const remembered = found.length === 0 ? 'No memories about that.' : `Remembered:\n${found.join('\n')}`;
  return said(`${remembered}\n\n${notes}`);
}

const scopesOf = (run: Run): readonly string[] => ['global', 'agent', workspaceScope(run.workspace)];

/** Keeps a note for the rest of the cycle; at its end it is distilled into long-term memory. */
export async function writeMemory(
  { link, redact }: Omit<ToolParts, 'waitMs'>,
  { text, type = 'observation', importance }: z.infer<typeof memoryWriteSchema>,
): Promise<ToolAnswer> {
  const note = workingNoteSchema.safeParse({ text: redact(text), kind: type, importance });
  if (!note.success)
    return not(
      `Not noted: ${note.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')}`,
    );
  const run = await link.run();
  const over = overText(run);
  if (over !== null) return not(over);
  const stamped = await link.tell({
    type: 'memory-noted',
    note: note.data,
    from: 'agent',
    by: `${run.agent.name}@mcp`,
  });
  if (stamped === null) return unheard;
  return stamped.entry.late === true
    ? not('Not noted: only an autonomous run has a memory.')
    : said('Noted.');
}
