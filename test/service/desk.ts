import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Entry } from '../../src/contract/index.ts';
import { type Run, remember, viewOf } from '../../src/core/index.ts';
import { findHome, type Home } from '../../src/edge/home.ts';
import { holderHere } from '../../src/edge/lock.ts';
import { openInline } from '../../src/edge/store/inline.ts';
import { runHere } from '../cli/kit.ts';

/** What a command said and how it ended. */
export interface Said {
  readonly out: string;
  readonly err: string;
  readonly code: number;
}

/** A person at a desk of their own: a home, a project, programs on the path, and the command line. */
export interface Desk {
  readonly folder: string;
  readonly work: string;
  readonly env: Record<string, string>;
  readonly home: Home;
  type(...args: string[]): Promise<Said>;
  /** A program on this desk's path only. */
  program(name: string, script: string): string;
  /** Puts a told run into the store as its keeper would have. */
  keep(entries: readonly Entry[]): Promise<void>;
}

export function desk(): Desk {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tireless-desk-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  const work = join(folder, 'work');
  const bin = join(folder, 'bin');
  for (const one of [work, bin, join(folder, 'home')]) mkdirSync(one, { recursive: true });
  const env: Record<string, string> = {
    HOME: join(folder, 'home'),
    TIRELESS_HOME: join(folder, 'state'),
    USER: 'ada',
    PATH: `${bin}:${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
  };
  mkdirSync(join(folder, 'state'), { mode: 0o700 });
  const home = findHome(env);
  const type = async (...args: string[]): Promise<Said> => {
    const { code, stdout, stderr } = await runHere(args, { cwd: work, env });
    return { out: stdout.trimEnd(), err: stderr.trimEnd(), code: code ?? 1 };
  };
  const program = (name: string, script: string): string => {
    const file = join(bin, name);
    writeFileSync(file, `#!/bin/sh\n${script}\n`);
    chmodSync(file, 0o755);
    return file;
  };
  const keep = async (entries: readonly Entry[]): Promise<void> => {
    const store = openInline(home.store);
    const [first] = entries;
    const run = first?.run ?? '';
    const lease = await store.acquire(`run:${run}`, holderHere('desk'));
    if (!('got' in lease)) throw new Error('held');
    const end = entries.reduce<Run | null>((before, entry) => remember(before, entry), null);
    if (end === null) throw new Error('nothing to keep');
    const stored = entries.map((entry) => entry);
    await store.append(run, lease.got.epoch, 1, stored, { view: { ...viewOf(end), workspace: work } });
    await store.release(lease.got);
    await store.close();
  };
  return { folder, work, env, home, type, program, keep };
}
