import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject, onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import type { Entry, RunView } from '../../../src/contract/index.ts';
import { openInline } from '../../../src/edge/store/inline.ts';
import { until } from '../../process-kit.ts';
import type { CodexHome } from './codex-home.ts';
import { assertSound } from './sound.ts';

const waitMs = 60_000;
const lookMs = 20;

/** The command line as a person has it, with a home of its own, on a workspace that a real agent works in. */
export interface TirelessLab {
  readonly workspace: string;
  tell(...args: string[]): Promise<{ code: number | null; out: string; err: string }>;
  /** Starts a command that stays; its process id is the keeper's when it runs in the foreground. */
  start(...args: string[]): {
    child: ChildProcess;
    ended: Promise<{ code: number | null; out: string; err: string }>;
  };
  view(): Promise<RunView>;
  entries(): Promise<readonly Entry[]>;
  /** The newest run once it is as wanted, read where every process reads it. */
  until(what: string, wanted: (view: RunView) => boolean): Promise<RunView>;
}

export function tirelessLab(
  home: CodexHome,
  codex: readonly [string, ...string[]],
  settings: Record<string, unknown> = {},
): TirelessLab {
  const [command, ...args] = codex;
  const config = join(home.folder, 'config', 'tireless');
  mkdirSync(config, { recursive: true });
  writeFileSync(
    join(config, 'config.yaml'),
    stringify({
      agent: { name: 'codex', command, args, sandbox: 'none' },
      notifications: { desktop: false },
      ...settings,
    }),
  );
  const path = join(home.folder, 'tireless', 'tireless.db');
  const env = {
    ...home.env,
    TIRELESS_HOME: join(home.folder, 'tireless'),
    XDG_CONFIG_HOME: join(home.folder, 'config'),
    NO_COLOR: '1',
    CI: '1',
    USER: 'tester',
  };
  const start: TirelessLab['start'] = (...words) => {
    const child = spawn(process.execPath, [inject('tirelessProgram'), ...words], {
      cwd: home.workspace,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [out, err] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString('utf8');
    });
    child.stderr.on('data', (chunk: Buffer) => {
      err += chunk.toString('utf8');
    });
    return { child, ended: new Promise((done) => child.once('close', (code) => done({ code, out, err }))) };
  };
  const tell: TirelessLab['tell'] = (...words) => start(...words).ended;
  onTestFinished(() => endAll(path, tell));
  const view = async (): Promise<RunView> => JSON.parse((await tell('status', '--json')).out) as RunView;
  return {
    workspace: home.workspace,
    start,
    tell,
    view,
    entries: async () =>
      (await tell('logs', '--json')).out
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Entry),
    async until(what, wanted) {
      const since = performance.now();
      await untilFile(path, what);
      const store = openInline(path);
      try {
        for (;;) {
          const [seen] = await store.runs();
          if (seen !== undefined && wanted(seen)) return seen;
          if (performance.now() - since > waitMs)
            throw new Error(`never came: ${what}; last seen: ${JSON.stringify(seen)}`);
          await new Promise((done) => setTimeout(done, lookMs));
        }
      } finally {
        await store.close();
      }
    },
  };
}

/** What still works is stopped; whatever the test did, every run of it must be sound. */
async function endAll(path: string, tell: TirelessLab['tell']): Promise<void> {
  if (!existsSync(path)) return;
  const store = openInline(path);
  try {
    const isOver = ({ state }: RunView) => ['done', 'stopped', 'failed', 'paused'].includes(state);
    const areOver = async () => (await store.runs()).every(isOver);
    if (!(await areOver())) {
      await tell('stop', '--all', '--now');
      await until(areOver, 'a run that was told to stop goes on');
    }
    for (const { id } of await store.runs()) await assertSound(store, id);
  } finally {
    await store.close();
  }
}

/** Whoever starts first makes the file; here nobody but the command under test does. */
async function untilFile(path: string, what: string): Promise<void> {
  const since = performance.now();
  while (!existsSync(path)) {
    if (performance.now() - since > waitMs) throw new Error(`never came: ${what}; there is no store yet`);
    await new Promise((done) => setTimeout(done, lookMs));
  }
}
