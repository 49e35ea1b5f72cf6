import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Check, CheckResult } from '../../contract/check.ts';
import { type Ending, outcomeOf } from '../../core/completion/counts.ts';
import { bounds } from './bounds.ts';
import { checkEnvironment, checkMark } from './environment.ts';
import { outputReader } from './output.ts';
import { endFamily, type Family, familyMembers, send } from './processes.ts';

export interface CheckOptions {
  /** The workspace; the check's own folder counts from here and must lie inside. */
  readonly cwd: string;
  readonly timeoutMs: number;
  /** The environment to choose from; a check gets only what it needs of it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Names of further variables the person lets through. */
  readonly pass?: readonly string[];
  /** Ends the check; its outcome is then `not-run`. */
  readonly signal?: AbortSignal;
  /** Told of the shell's process id, so that whoever comes after a crash of ours can end it. */
  readonly started?: (pid: number) => void;
}

interface Ended extends Ending {
  readonly aborted: boolean;
  /** Processes that were still there when the check itself had ended. */
  readonly leftBehind: number;
}

/**
 * Runs a check by `sh -c` in its folder and tells what came of it; never throws for what the check does. The shell
 * and all it started are gone when this returns, which is within about a second of the timeout even when one of them
 * left the process tree and holds the output open.
 */
export async function runCheck(check: Check, options: CheckOptions): Promise<CheckResult> {
  const folder = resolve(options.cwd, check.cwd);
  const problem =
    folderProblem(options.cwd, folder) ?? (options.signal?.aborted ? 'stopped before it began' : null);
  if (problem) return notRun(check, problem);
  const mark = randomUUID();
  const startedMs = performance.now();
  const output = outputReader();
  const child = spawn('sh', ['-c', check.command], {
    cwd: folder,
    env: checkEnvironment(options.env, mark, options.pass),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  if (child.pid !== undefined) options.started?.(child.pid);
  const streams = [child.stdout, child.stderr].map((pipe) => {
    const stream = output.stream();
    pipe.on('data', (chunk: Buffer) => stream.push(chunk));
    return stream;
  });
  const ended = await waitForEnd(child, `${checkMark}=${mark}`, options);
  const durationMs = Math.round(performance.now() - startedMs);
  if (ended instanceof Error) return notRun(check, `sh could not be started: ${ended.message}`);
  for (const stream of streams) stream.end();
  const { digest, text, counts } = output.summary();
  const judged = ended.aborted
    ? { outcome: 'not-run' as const, because: 'stopped before it ended' }
    : outcomeOf(ended, counts);
  const because = [judged.because, leftText(ended.leftBehind)].filter(Boolean).join('; ');
  return {
    name: check.name,
    command: check.command,
    outcome: judged.outcome,
    exitCode: ended.exitCode,
    durationMs,
    outputDigest: digest,
    tail: { text },
    because: because || undefined,
    counts: counts ?? undefined,
  };
}

/** Waits for the shell, the timeout or the signal, then makes sure that nothing of the family lives and holds a pipe. */
async function waitForEnd(child: ChildProcess, mark: string, options: CheckOptions): Promise<Ended | Error> {
  const closed = new Promise<void>((done) => child.once('close', () => done()));
  const exited = new Promise<{ exitCode: number | null; signal: string | null }>((done) =>
    child.once('exit', (exitCode, signal) => done({ exitCode, signal })),
  );
  const failed = new Promise<Error>((done) => child.once('error', done));
  if (child.pid === undefined) return failed;
  const family: Family = { root: child.pid, mark, seen: new Map() };
  const watch = setInterval(() => familyMembers(family), bounds.checkWatchMs);
  const { cut, release } = cutShort(options);
  try {
    const first = await Promise.race([exited, cut]);
    if (first === 'time' || first === 'abort') {
      await endGently(family, closed);
      await settle(child, closed);
      const { exitCode, signal } = { exitCode: child.exitCode, signal: child.signalCode };
      return {
        exitCode,
        signal,
        timedOutMs: first === 'time' ? options.timeoutMs : null,
        aborted: first === 'abort',
        leftBehind: 0,
      };
    }
    await Promise.race([closed, pause(bounds.checkDrainMs)]);
    const leftBehind = await endFamily(family, bounds.checkKillMs);
    await settle(child, closed);
    return { ...first, timedOutMs: null, aborted: false, leftBehind };
  } finally {
    clearInterval(watch);
    release();
  }
}

/** Asks everyone to end, waits a moment, then ends them. */
async function endGently(family: Family, closed: Promise<void>): Promise<void> {
  for (const row of familyMembers(family)) send(row.pid, 'SIGTERM');
  await Promise.race([closed, pause(bounds.checkTermMs)]);
  await endFamily(family, bounds.checkKillMs);
}

/** Gives the pipes a last moment, then lets go of them: nobody of ours can write any more. */
async function settle(child: ChildProcess, closed: Promise<void>): Promise<void> {
  await Promise.race([closed, pause(bounds.checkDrainMs)]);
  child.stdout?.destroy();
  child.stderr?.destroy();
}

function cutShort(options: CheckOptions): { cut: Promise<'time' | 'abort'>; release: () => void } {
  let release = () => {};
  const cut = new Promise<'time' | 'abort'>((done) => {
    const timer = setTimeout(() => done('time'), options.timeoutMs);
    const onAbort = () => done('abort');
    options.signal?.addEventListener('abort', onAbort, { once: true });
    release = () => {
      clearTimeout(timer);
      options.signal?.removeEventListener('abort', onAbort);
    };
  });
  return { cut, release };
}

function folderProblem(workspace: string, folder: string): string | null {
  const inside = relative(resolve(workspace), folder);
  if (inside === '..' || inside.startsWith(`..${sep}`))
    return `its folder ${folder} lies outside of the workspace`;
  const stats = statSync(folder, { throwIfNoEntry: false });
  return stats?.isDirectory() ? null : `its folder ${folder} is not there`;
}

function leftText(count: number): string | null {
  return count === 0 ? null : `${count} ${count === 1 ? 'process' : 'processes'} left running, ended`;
}

function notRun(check: Check, because: string): CheckResult {
  return {
    name: check.name,
    command: check.command,
    outcome: 'not-run',
    exitCode: null,
    durationMs: 0,
    outputDigest: createHash('sha256').digest('hex'),
    tail: { text: '' },
    because: because.slice(0, 500),
  };
}
