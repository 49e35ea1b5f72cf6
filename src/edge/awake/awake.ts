import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { RunView } from '../../contract/view.ts';
import type { Env } from '../home.ts';

/** Keeps the machine awake while an agent works. Where there is no tool for it, all of this does nothing. */
export interface Awake {
  on(): void;
  off(): void;
  /** On while the run works, off while it waits or rests. */
  follow(view: Pick<RunView, 'state' | 'waitingOn'>): void;
}

/** A tool that gives up this often at once (no permission, no session) is not asked again. */
const failuresMax = 3;

/** The program that keeps this machine awake, as long as our end of its input stays open; null where there is none. */
export function awakeCommand(
  platform: NodeJS.Platform,
  env: Env,
  pid: number,
): readonly [program: string, ...args: string[]] | null {
  if (platform === 'darwin') return found('caffeinate', env, ['-i', '-s', '-w', String(pid)]);
  if (platform !== 'linux') return null;
  const why = ['--who=Tireless', '--why=An agent is at work', '--mode=block'];
  // The lock lasts as long as `cat`, and `cat` ends with us, however we end.
  return found('systemd-inhibit', env, ['--what=idle:sleep', ...why, 'cat']);
}

function found(program: string, env: Env, args: readonly string[]): [string, ...string[]] | null {
  for (const folder of (env.PATH ?? '').split(delimiter).filter((one) => one !== '')) {
    const path = join(folder, program);
    try {
      accessSync(path, constants.X_OK);
      return [path, ...args];
    } catch {
      // not in this folder
    }
  }
  return null;
}

/** Between two turns the machine stays awake too: a decision takes a moment, and so does the next start. */
const isAtWork = ({ state, waitingOn }: Pick<RunView, 'state' | 'waitingOn'>): boolean =>
  state === 'running' ||
  state === 'deciding' ||
  state === 'verifying' ||
  (state === 'waiting' && (waitingOn === 'turn-slot' || waitingOn === 'background'));

export function makeAwake(
  env: Env,
  platform: NodeJS.Platform = process.platform,
  pid: number = process.pid,
): Awake {
  const command = awakeCommand(platform, env, pid);
  let child: ChildProcess | null = null;
  let failures = 0;
  const on = (): void => {
    if (child !== null || command === null || failures >= failuresMax) return;
    const [program, ...args] = command;
    const holding = spawn(program, args, { stdio: ['pipe', 'ignore', 'ignore'], env });
    child = holding;
    holding.unref();
    holding.stdin?.on('error', () => undefined); // it ended first; `exit` below tells
    const gone = (): void => {
      if (child !== holding) return;
      child = null;
      failures += 1;
    };
    holding.once('error', gone);
    holding.once('exit', gone);
  };
  const off = (): void => {
    const held = child;
    child = null;
    failures = 0;
    held?.stdin?.end();
    held?.kill();
  };
  return { on, off, follow: (view) => (isAtWork(view) ? on() : off()) };
}
