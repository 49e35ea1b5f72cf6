import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

const pollMs = 10;
const withinDefaultMs = 60_000;

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A real process under test, with everything it has said so far. */
export interface Running {
  readonly pid: number;
  readonly ended: Promise<Ended>;
  said(): string;
  /** Resolves once stdout and stderr together match; rejects with what was said when the process ends without it. */
  says(pattern: RegExp, withinMs?: number): Promise<RegExpExecArray>;
  send(signal: NodeJS.Signals): void;
}

export interface ProcessOptions {
  readonly cwd: string;
  /** All the process sees; nothing is inherited beside it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Killed after this long, so that a test fails with what was said instead of hanging. */
  readonly withinMs?: number;
}

export function startProcess(command: readonly [string, ...string[]], options: ProcessOptions): Running {
  const [program, ...args] = command;
  const { cwd, env, withinMs = withinDefaultMs } = options;
  const child = spawn(program, args, { cwd, env, stdio: 'pipe' });
  child.stdin.end();
  const stamped = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      stamped[name] += text;
    });
  }
  const overdue = setTimeout(() => child.kill('SIGKILL'), withinMs);
  const said = (): string => stamped.stdout + stamped.stderr;
  const ended = endOf(child, stamped).finally(() => clearTimeout(overdue));
  let isOver = false;
  void ended.finally(() => {
    isOver = true;
  });
  return {
    pid: child.pid ?? 0,
    ended,
    said,
    says: (pattern, ms = withinMs) =>
      until(
        () => {
          const match = pattern.exec(said());
          if (match === null && isOver) throw new Error(`it ended without saying ${pattern}:\n${said()}`);
          return match;
        },
        () => `it did not say ${pattern}:\n${said()}`,
        ms,
      ),
    send: (signal) => void child.kill(signal),
  };
}

function endOf(
  child: ChildProcessWithoutNullStreams,
  stamped: { readonly stdout: string; readonly stderr: string },
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal, ...stamped }));
  });
}

/** Looks again and again until there is something; a real machine tells nobody when it is ready. */
export async function until<T>(
  look: () => T | Promise<T>,
  otherwise: string | (() => string),
  withinMs = withinDefaultMs,
): Promise<NonNullable<Exclude<T, false>>> {
  const since = performance.now();
  for (;;) {
    const seen = await look();
    if (seen !== null && seen !== undefined && seen !== false) return seen as NonNullable<Exclude<T, false>>;
    if (performance.now() - since > withinMs)
      throw new Error(typeof otherwise === 'string' ? otherwise : otherwise());
    await pause(pollMs);
  }
}

/** Every living process that was started with `NAME=value` in its environment. Linux tells; elsewhere nothing is seen. */
export function processesWith(mark: string): number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => carries(pid, mark))
    .map(Number);
}

function carries(pid: string, mark: string): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const isZombie = stat.slice(stat.lastIndexOf(')') + 2).startsWith('Z');
    return !isZombie && `\0${readFileSync(`/proc/${pid}/environ`, 'utf8')}`.includes(`\0${mark}\0`);
  } catch {
    return false; // gone between being listed and being read
  }
}

/** Ends whatever a test left behind, by the mark only its own processes carry. */
export async function endProcessesWith(mark: string): Promise<void> {
  await until(
    () => {
      const left = processesWith(mark);
      for (const pid of left) kill(pid);
      return left.length === 0;
    },
    () => `processes that would not end: ${processesWith(mark).join(', ')}`,
  );
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
