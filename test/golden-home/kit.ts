import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { expect, inject } from 'vitest';
import { type Ended, endProcessesWith, startProcess, until } from '../process-kit.ts';

export const archive = resolve(import.meta.dirname, 'golden-home.tar.gz');
/** Where it was written; its ledgers name files there. */
export const root = '/tmp/tireless-golden';
export const home = join(root, 'home');
export const env = {
  PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
  HOME: join(root, 'user'),
  USER: 'golden',
  TIRELESS_HOME: home,
};

/** Its runs, by the name of their workspace. */
export const runs = {
  certified: '20261115-182431-gidczq',
  paused: '20261115-182434-m5vc1z',
  asking: '20261115-182437-mftseq',
  cycles: '20261115-182441-7tywkc',
} as const;
export type Name = keyof typeof runs;
export const names = Object.keys(runs) as Name[];
export const workspace = (name: Name): string => join(root, 'work', name);

const program = join(root, 'program', 'tireless.js');
const silentMs = 3_600_000;

/** The place is one for the whole machine: whoever holds this has it alone, until its process ends. */
export async function takePlace(): Promise<() => Promise<void>> {
  const lock = new DatabaseSync(`${root}.lock`, { timeout: 0 });
  await until(
    () => {
      try {
        lock.exec('BEGIN EXCLUSIVE');
        return true;
      } catch (error) {
        if ((error as { errcode?: number }).errcode !== 5) throw error;
        return false; // another run of the tests is there
      }
    },
    `${root} is used by other tests`,
    600_000,
  );
  return async () => {
    await clear();
    lock.close();
  };
}

async function clear(): Promise<void> {
  await endProcessesWith(`TIRELESS_HOME=${home}`);
  rmSync(root, { recursive: true, force: true });
}

/** A fresh copy, with the program under test where its runs expect it. */
export async function copyGolden(): Promise<void> {
  await clear();
  mkdirSync(dirname(program), { recursive: true });
  execFileSync('tar', ['-xzf', archive, '-C', root]);
  writeFileSync(program, `import ${JSON.stringify(pathToFileURL(inject('tirelessProgram')).href)};\n`);
  // A keeper of another machine counts as gone after 30 minutes, whatever our clock says about the day it died.
  const db = new DatabaseSync(join(home, 'tireless.db'));
  db.prepare('UPDATE lease SET heartbeat_at = ? WHERE session IS NOT NULL').run(Date.now() - silentMs);
  db.close();
}

/** From here on the program under test calls itself version 0.0.0. */
export function asOtherVersion(): void {
  cpSync(dirname(inject('tirelessProgram')), dirname(program), { recursive: true });
  const other = { name: 'tireless', version: '0.0.0', type: 'module' };
  writeFileSync(join(dirname(program), 'package.json'), JSON.stringify(other));
}

export const tireless = (name: Name, ...args: string[]): Promise<Ended> =>
  startProcess([process.execPath, program, ...args], { cwd: workspace(name), env }).ended;

/** What a command prints as JSON; it must succeed. */
export async function json<T>(name: Name, ...args: string[]): Promise<T> {
  const ended = await tireless(name, ...args, '--json');
  expect(ended, `tireless ${args.join(' ')} --json`).toMatchObject({ code: 0, stderr: '' });
  return JSON.parse(ended.stdout) as T;
}

/** What a command prints for people; it must succeed. */
export async function said(name: Name, ...args: string[]): Promise<string> {
  const ended = await tireless(name, ...args);
  expect(ended, ended.stdout + ended.stderr).toMatchObject({ code: 0 });
  return ended.stdout;
}
