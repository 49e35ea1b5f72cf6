import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
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

/** Long enough for a slow disk, short enough for a waiting person. */
export const askMs = 10_000;

export type ProgramState =
  | { readonly state: 'absent' }
  | { readonly state: 'works'; readonly path: string; readonly version: string; readonly said: string }
  | { readonly state: 'broken'; readonly path: string; readonly because: string };

/** Whether a program is installed, whether it starts, and its version. */
export async function programState(
  name: string,
  { env, cwd }: { readonly env: Env; readonly cwd: string },
): Promise<ProgramState> {
  const path = onPath(name, env);
  if (path === null) return { state: 'absent' };
  const said = await askProgram([path, '--version'], { env, cwd, timeoutMs: askMs });
  if ('failed' in said) return { state: 'broken', path, because: said.failed };
  if (said.code !== 0) return { state: 'broken', path, because: `exit ${said.code}` };
  const lines = said.text.split('\n').map((line) => line.trim());
  const version = lines.find((line) => /\d+\.\d+/.test(line) && !/^warning/i.test(line)) ?? lines[0] ?? '';
  return { state: 'works', path, version: version.slice(0, 200), said: said.text };
}

export function onPath(program: string, env: Env): string | null {
  for (const folder of (env.PATH ?? '').split(delimiter)) {
    const path = join(folder, program);
    if (folder !== '' && isExecutable(path)) return path;
  }
  return null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false; // missing or not executable for us
  }
}
