import { createInterface } from 'node:readline';
import type { z } from 'zod';
import type { Cli } from './cli.ts';

/** Each line of standard input as JSON of this shape, or what is wrong with it. Empty lines are skipped. */
export async function* jsonLines<T>(cli: Cli, schema: z.ZodType<T>): AsyncGenerator<T | { error: string }> {
  const { stdin } = cli.terminal.io;
  for await (const line of createInterface({ input: stdin, crlfDelay: Number.POSITIVE_INFINITY }))
    if (line.trim() !== '') yield readLine(line, schema);
}

function readLine<T>(line: string, schema: z.ZodType<T>): T | { error: string } {
  let raw: unknown;
  try {
    raw = JSON.parse(line);
  } catch (error) {
    return { error: `not JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
  const read = schema.safeParse(raw);
  if (read.success) return read.data;
  return { error: read.error.issues.map((i) => `${i.path.join('.') || 'line'}: ${i.message}`).join('; ') };
}

export const isError = (line: unknown): line is { error: string } =>
  typeof line === 'object' && line !== null && 'error' in line;
