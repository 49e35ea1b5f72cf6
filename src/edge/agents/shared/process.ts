import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { processStart } from '../../lock.ts';
import { type Living, livingTree, stillLives, type TreeOf } from './process-tree.ts';

const pollMs = 20;
/** After SIGKILL only the kernel can delay the exit. */
const killWaitMs = 3_000;
const markName = 'TIRELESS_CHILD';

export interface ChildOptions {
  readonly command: readonly [string, ...string[]];
  readonly cwd: string;
  /** The child's whole environment; nothing else is inherited. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface StartedChild {
  readonly pid: number;
  readonly streams: Pick<ChildProcessWithoutNullStreams, 'stdin' | 'stdout' | 'stderr'>;
  /** Resolves once the process itself has exited; what it started may run on until `end`. */
  readonly exited: Promise<Exit>;
  /** Ends the child and everything it started. Returns the ids that could not be ended, normally none. */
  end(graceMs: number): Promise<number[]>;
}

/**
 * Starts a child in its own process group and has it recorded before it is used, so that an orphan can be ended after a
 * crash of ours. Rejects with the system's error when it cannot be started.
 */
export async function startChild(
  options: ChildOptions,
  recorded: (pid: number) => Promise<void>,
): Promise<StartedChild> {
  const [program, ...args] = options.command;
  const mark = randomUUID();
  const child = spawn(program, args, {
    cwd: options.cwd,
    env: { ...options.env, [markName]: mark },
    stdio: 'pipe',
    detached: true,
    windowsHide: true,
  });
  const exited = new Promise<Exit>((resolve) =>
    child.once('exit', (code, signal) => resolve({ code, signal })),
  );
  await new Promise<void>((resolve, reject) => child.once('spawn', resolve).once('error', reject));
  const { pid, stdin, stdout, stderr } = child;
  if (pid === undefined) throw new Error(`${program} was started without a process id`);
  const tree: TreeOf = { pid, start: processStart(pid), mark: `${markName}=${mark}` };
  const end = (graceMs: number) => endTree(tree, graceMs);
  try {
    await recorded(pid);
  } catch (error) {
    await end(0);
    throw error;
  }
  return { pid, streams: { stdin, stdout, stderr }, exited, end };
}

/**
 * Terminates a whole process tree, waits, then kills it. Members are looked up again on every round, since a dying
 * parent may still start something, and each is signalled only while its id is still the same process.
 */
export async function endTree(tree: TreeOf, graceMs: number): Promise<number[]> {
  const rounds = [
    { signal: 'SIGTERM', waitMs: graceMs },
    { signal: 'SIGKILL', waitMs: killWaitMs },
  ] as const;
  const known = new Map<number, Living>();
  const left = () => {
    const now = livingTree(tree);
    for (const one of now) known.set(one.pid, one);
    // A member whose parents died is no longer a descendant, but still ours.
    const orphans = [...known.values()].filter(
      (one) => !now.some(({ pid }) => pid === one.pid) && stillLives(one),
    );
    return [...now, ...orphans];
  };
  for (const { signal, waitMs } of rounds) {
    const signalled = new Set<number>();
    for (let waitedMs = 0; ; waitedMs += pollMs) {
      const members = left();
      if (members.length === 0) return [];
      for (const one of members.filter(({ pid }) => !signalled.has(pid))) {
        signalled.add(one.pid);
        send(one, signal);
      }
      if (waitedMs >= waitMs) break;
      await pause(pollMs);
    }
  }
  return left().map(({ pid }) => pid);
}

function send(one: Living, signal: NodeJS.Signals): void {
  if (!stillLives(one)) return;
  try {
    process.kill(one.pid, signal);
  } catch (error) {
    // Already gone is fine; one we may not signal is reported as left over.
    if (!['ESRCH', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}
