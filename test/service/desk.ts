import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { CommanderError } from 'commander';
import { onTestFinished } from 'vitest';
import { type Cli, CliError, makeCli } from '../../src/app/cli/cli.ts';
import { makeProgram } from '../../src/app/cli/program.ts';
import type { Entry } from '../../src/contract/index.ts';
import { type Run, remember, viewOf } from '../../src/core/index.ts';
import { holderHere } from '../../src/edge/lock.ts';
import { openInline } from '../../src/edge/store/inline.ts';

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
  readonly cli: Cli;
  type(...args: string[]): Promise<Said>;
  /** A program on this desk's path only. */
  program(name: string, script: string): string;
  /** Puts a told run into the store as its keeper would have. */
  keep(entries: readonly Entry[]): Promise<void>;
}

const main = resolve(import.meta.dirname, '../../src/app/cli/main.ts');

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
  const said: { out: string[]; err: string[] } = { out: [], err: [] };
  const cli: Cli = {
    ...makeCli({
      env,
      cwd: work,
      isInteractive: false,
      width: () => 100,
      paint: (_style, text) => text,
      out: (text) => void said.out.push(text),
      err: (text) => void said.err.push(text),
    }),
    self: [main],
  };
  const type = async (...args: string[]): Promise<Said> => {
    said.out = [];
    said.err = [];
    const before = process.exitCode;
    process.exitCode = 0;
    let code = 0;
    try {
      await makeProgram(cli, false).parseAsync(args, { from: 'user' });
      code = Number(process.exitCode);
    } catch (error) {
      if (error instanceof CliError) said.err.push(error.message);
      else if (!(error instanceof CommanderError)) throw error;
      code = error instanceof CliError ? error.exitCode : 2;
    } finally {
      process.exitCode = before;
    }
    return { out: said.out.join('\n'), err: said.err.join('\n'), code };
  };
  const program = (name: string, script: string): string => {
    const file = join(bin, name);
    writeFileSync(file, `#!/bin/sh\n${script}\n`);
    chmodSync(file, 0o755);
    return file;
  };
  const keep = async (entries: readonly Entry[]): Promise<void> => {
    const store = openInline(cli.home.store);
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
  return { folder, work, env, cli, type, program, keep };
}
