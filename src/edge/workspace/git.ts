import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { bounds } from './bounds.ts';
import { isSystemError, WorkspaceError } from './errors.ts';

export interface GitCall {
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment: nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  readonly stdin?: Buffer;
  /** Ends the call; it then fails with the fault `time`. */
  readonly signal?: AbortSignal;
  /** Exit codes beside 0 that are answers and no failures. */
  readonly alsoFine?: readonly number[];
  /** Keep only so much output and stop git there, instead of failing at the general bound. */
  readonly cutAtBytes?: number;
}

export interface GitAnswer {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
  readonly cut: boolean;
}

/**
 * Runs git once and waits for its end. Output stays bytes, because file names are. Optional locks are never taken,
 * so that a person who works in the same folder never meets one of ours.
 */
export function runGit(call: GitCall): Promise<GitAnswer> {
  return new Promise((resolve, reject) => {
    const { cwd, signal } = call;
    const child = spawn('git', ['--no-optional-locks', ...call.args], { cwd, env: call.env, stdio: 'pipe' });
    const stdout: Buffer[] = [];
    let bytes = 0;
    let stderr = '';
    let stopped: 'time' | 'cut' | 'output' | null = null;
    const stop = (why: NonNullable<typeof stopped>) => {
      stopped ??= why;
      child.kill('SIGKILL');
    };
    const onTime = () => stop('time');
    if (signal?.aborted) onTime();
    signal?.addEventListener('abort', onTime, { once: true });

    child.stdout.on('data', (chunk: Buffer) => {
      const room = (call.cutAtBytes ?? bounds.gitOutputBytesMax) - bytes;
      stdout.push(chunk.subarray(0, Math.max(0, room)));
      bytes += chunk.length;
      if (chunk.length > room) stop(call.cutAtBytes === undefined ? 'output' : 'cut');
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      if (stderr.length < bounds.gitErrorCharsMax) stderr += text;
    });
    // A git that ends before it has read everything says so by its exit code.
    child.stdin.on('error', () => {});
    child.stdin.end(call.stdin);

    // A git that was stopped may leave children that hold its output open.
    child.on('exit', () => {
      if (stopped === null) return;
      child.stdout.destroy();
      child.stderr.destroy();
    });
    child.on('error', (error) => {
      signal?.removeEventListener('abort', onTime);
      reject(isSystemError(error) && error.code === 'ENOENT' ? notStarted(cwd) : error);
    });
    child.on('close', (code) => {
      signal?.removeEventListener('abort', onTime);
      const answer = { code: code ?? -1, stdout: Buffer.concat(stdout), stderr, cut: stopped === 'cut' };
      if (stopped === 'time') reject(tooSlow(cwd, call.args));
      else if (stopped === 'output') reject(failed(cwd, call.args, 'more output than can be kept'));
      else if (answer.cut || code === 0 || call.alsoFine?.includes(answer.code)) resolve(answer);
      else reject(failed(cwd, call.args, stderr.trim() || `exit code ${code}`));
    });
  });
}

/** What git must not inherit: only these go through, so that no `GIT_*` of a hook or a shell bends a call. */
export function gitEnvironment(base: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const passed = ['PATH', 'HOME', 'XDG_CONFIG_HOME', 'TMPDIR', 'USERPROFILE', 'SystemRoot', 'TEMP'];
  const env: Record<string, string> = { LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0' };
  for (const name of passed) {
    const value = base[name];
    if (value !== undefined) env[name] = value;
  }
  return env;
}

/** A missing program and a missing folder look the same to the caller of a process. */
function notStarted(cwd: string): WorkspaceError {
  if (!existsSync(cwd))
    return new WorkspaceError(
      'missing',
      cwd,
      'the folder is gone',
      'Bring the folder back, or start in another one.',
    );
  return new WorkspaceError(
    'no-git',
    cwd,
    'git was not found',
    'Install git 2.32 or newer and make sure it is on the PATH.',
  );
}

function tooSlow(cwd: string, args: readonly string[]): WorkspaceError {
  return new WorkspaceError(
    'time',
    cwd,
    `git ${args.find(isWord)} took too long`,
    'Ignore large generated folders in .gitignore.',
  );
}

function failed(cwd: string, args: readonly string[], why: string): WorkspaceError {
  return new WorkspaceError(
    'git',
    cwd,
    `git ${args.find(isWord)}: ${why}`,
    'Run the same git command in the folder to see more.',
  );
}

const isWord = (arg: string) => /^[a-z]+(?:-[a-z]+)*$/.test(arg);
