import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Env } from '../../home.ts';
import { askProgram } from './ask-program.ts';

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
