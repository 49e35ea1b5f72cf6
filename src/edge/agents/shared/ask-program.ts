import type { Env } from '../../home.ts';
import { startChild } from './process.ts';

const outputCharsMax = 64_000;

/** A program's output for a short query, such as its version. */
export type ProgramSays =
  | { readonly code: number | null; readonly text: string }
  | { readonly failed: string };

export interface AskProgram {
  readonly env: Env;
  readonly cwd: string;
  readonly timeoutMs: number;
}

/**
 * Runs a program for its output only. Settles within `timeoutMs`, and then ends it with everything it started: launchers
 * leave the real program behind.
 */
export async function askProgram(
  command: readonly [string, ...string[]],
  { env, cwd, timeoutMs }: AskProgram,
): Promise<ProgramSays> {
  const child = await startChild({ command, cwd, env }, async () => undefined).catch((error: Error) => error);
  if (child instanceof Error) return { failed: child.message };
  let text = '';
  const { stdin, stdout, stderr } = child.streams;
  stdin.end();
  const ended = [stdout, stderr].map((stream) => {
    stream.setEncoding('utf8').on('data', (part: string) => {
      text = (text + part).slice(0, outputCharsMax);
    });
    return new Promise((resolve) => stream.once('close', resolve));
  });
  const { promise: late, resolve: giveUp } = Promise.withResolvers<null>();
  const timer = setTimeout(() => giveUp(null), timeoutMs);
  const exit = await Promise.race([Promise.all([child.exited, ...ended]), late]);
  clearTimeout(timer);
  if (exit !== null) return { code: exit[0].code, text };
  await child.end(0);
  return { failed: `no answer within ${timeoutMs} ms` };
}
