import { spawn } from 'node:child_process';
import { mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { Env, Home } from '../edge/home.ts';

export type StartKeeper = (home: Home, run: string, env: Env, self: readonly string[]) => void;

/** Starts a keeper that outlives this process. What it prints goes to keeper.log beside the state file. */
export const spawnKeeper: StartKeeper = (home, run, env, self) => {
  mkdirSync(home.runFolder(run), { recursive: true, mode: 0o700 });
  const log = openSync(join(home.runFolder(run), 'keeper.log'), 'a', 0o600);
  const child = spawn(process.execPath, [...self, 'keeper', run], {
    detached: true,
    stdio: ['ignore', log, log],
    env,
    cwd: home.dir,
  });
  child.unref();
};
