import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { expect, inject, onTestFinished } from 'vitest';
import { runCommand } from '../../src/app/cli/run-command.ts';
import type { Io } from '../../src/app/cli/terminal.ts';
import { entriesOf } from '../../src/app/entries.ts';
import type { Entry, GateView, RunView, Store } from '../../src/contract/index.ts';
import { closingLine } from '../../src/core/index.ts';
import type { Script } from '../../src/edge/agents/scripted/script.ts';
import { openInline } from '../../src/edge/store/inline.ts';
import { peekViews } from '../../src/edge/store/peek.ts';
import {
  type Ended,
  endProcessesWith,
  processesWith,
  type Running,
  startProcess,
  until,
} from '../process-kit.ts';

export const program = inject('tirelessProgram');
/** Enough for a very busy machine; nothing here should come near it. */
export const withinMs = 60_000;

type Env = Readonly<Record<string, string | undefined>>;
interface Where {
  readonly cwd?: string;
  readonly env?: Env;
}

/** A person's machine in small: a home of ours, a workspace, and the program as they call it. */
export interface Desk {
  readonly home: string;
  readonly workspace: string;
  readonly folder: string;
  readonly env: Env;
  /** A process of its own, for what only a process has: signals, a keeper that outlives it. */
  start(args: readonly string[], where?: Where): Running;
  /** The command in this process. Keepers it starts are real ones. */
  tireless(args: readonly string[], where?: Where): Promise<Ended>;
  /** What a command prints as JSON; it must succeed. */
  json<T>(...args: readonly string[]): Promise<T>;
  /** The arguments that work a script, started without asking. */
  run(script: Script, ...flags: readonly string[]): string[];
  /** The newest run, once it is as wanted. */
  seen(isIt: (view: RunView) => boolean): Promise<RunView>;
  /** The one question that is open, once there is one. */
  gate(kind: GateView['kind']): Promise<GateView>;
  entries(run: string): Promise<Entry[]>;
  alive(): readonly number[];
  clear(): Promise<void>;
}

export function makeDesk(): Desk {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tireless-cli-')));
  const [home, workspace] = [join(folder, 'home'), join(folder, 'work')];
  const mark = `TIRELESS_HOME=${home}`;
  const env: Env = {
    PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
    HOME: folder,
    USER: 'lovelace',
    TIRELESS_HOME: home,
  };
  makeProject(workspace);
  let scripts = 0;
  const start: Desk['start'] = (args, where = {}) =>
    startProcess([process.execPath, program, ...args], {
      cwd: where.cwd ?? workspace,
      env: { ...env, ...where.env },
      withinMs,
    });
  const tireless: Desk['tireless'] = (args, where = {}) =>
    runHere(args, { cwd: where.cwd ?? workspace, env: { ...env, ...where.env } });
  const seen: Desk['seen'] = (isIt) =>
    until(
      () => (peekViews(join(home, 'tireless.db')) ?? []).slice(0, 1).find(isIt),
      () => `the run never got there: ${JSON.stringify(peekViews(join(home, 'tireless.db'))?.[0])}`,
      withinMs,
    );
  return {
    home,
    workspace,
    folder,
    env,
    start,
    seen,
    tireless,
    async json<T>(...args: readonly string[]) {
      const ended = await tireless([...args, '--json']);
      expect(ended, `tireless ${args.join(' ')} --json`).toMatchObject({ code: 0, stderr: '' });
      return JSON.parse(ended.stdout) as T;
    },
    run(script, ...flags) {
      scripts += 1;
      const file = join(folder, `script-${scripts}.json`);
      writeFileSync(file, JSON.stringify(script));
      return ['run', '--agent', 'scripted', '--script', file, '--yes', ...flags, 'make two files'];
    },
    async gate(kind) {
      const view = await seen(({ gates }) => gates.some((gate) => gate.kind === kind));
      return view.gates.find((gate) => gate.kind === kind) as GateView;
    },
    entries: (run) =>
      withStore(home, async (store) => {
        const all: Entry[] = [];
        for await (const entry of entriesOf(store, run)) all.push(entry);
        return all;
      }),
    alive: () => processesWith(mark),
    async clear() {
      await endProcessesWith(mark);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** One command line in this process, with what it printed. */
export async function runHere(
  args: readonly string[],
  { cwd, env, input = '' }: { readonly cwd: string; readonly env: Env; readonly input?: string },
): Promise<Ended> {
  const printed = { stdout: '', stderr: '' };
  const into = (name: keyof typeof printed): Writable =>
    new Writable({
      write(chunk, _encoding, done) {
        printed[name] += String(chunk);
        done();
      },
    });
  const io: Io = {
    env,
    argv: [process.execPath, program],
    stdin: Readable.from([input]),
    stdout: into('stdout'),
    stderr: into('stderr'),
    cwd: () => cwd,
    on: () => undefined,
    off: () => undefined,
    exit: (code) => {
      throw new Error(`exit ${code} in a test without a process`);
    },
  };
  const code = await runCommand(args, io);
  return { code, signal: null, ...printed };
}

/** A desk for one test, cleared when the test is. */
export function ownDesk(): Desk {
  const desk = makeDesk();
  onTestFinished(() => desk.clear());
  return desk;
}

export async function withStore<T>(home: string, use: (store: Store) => Promise<T>): Promise<T> {
  const store = openInline(join(home, 'tireless.db'));
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

export function makeProject(workspace: string): void {
  mkdirSync(workspace, { recursive: true });
  writeFileSync(join(workspace, 'README.md'), '# Two files\n');
  writeFileSync(join(workspace, 'check.sh'), 'test -f one.txt && test -f two.txt\n');
  git(workspace, 'init', '--quiet');
  git(workspace, 'add', '.');
  git(workspace, 'commit', '--quiet', '--message', 'begin');
}

export const git = (cwd: string, ...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@localhost', ...args], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });

/** What proves the end of the scripts below. */
export const proof = ['--check', 'sh check.sh'];

const claim = { steps: [{ write: 'two.txt', text: '2\n' }], message: `Both are there.\n\n${closingLine}` };

export const scripts = {
  /** One file, then the other and the claim. */
  twoFiles: {
    asks: false,
    paceMs: 0,
    turns: [{ steps: [{ write: 'one.txt', text: '1\n' }], message: 'One of two.' }, claim],
  },
  /** Asks a question and for leave, in one turn. */
  asking: {
    asks: true,
    paceMs: 0,
    turns: [
      {
        steps: [
          { ask: 'Which number first?', options: ['1', '2'] },
          { run: 'rm -f nothing.txt' },
          { write: 'one.txt', text: '1\n' },
        ],
        message: 'Asked.',
      },
      claim,
    ],
  },
  /** No turn ends by itself. */
  endless: { asks: false, paceMs: 0, turns: [{ steps: [{ hang: true }], message: '' }] },
  /** A first turn that takes a while, and one that completes the work. */
  slow: {
    asks: false,
    paceMs: 0,
    turns: [{ steps: [{ write: 'one.txt', text: '1\n' }, { think: 3_000 }], message: 'One of two.' }, claim],
  },
  /** Works and never claims to be done. */
  busy: { asks: false, paceMs: 0, turns: [{ steps: [{ run: 'date +%s%N > now.txt' }], message: 'More.' }] },
  failing: (kind: 'usage-limit' | 'auth', resetInMs?: number): Script => ({
    asks: false,
    paceMs: 0,
    turns: [{ steps: [{ fail: kind, message: `it says ${kind}`, resetInMs }], message: '' }],
  }),
} satisfies Record<string, Script | ((...args: never[]) => Script)>;
