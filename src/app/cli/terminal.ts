import type { Readable, Writable } from 'node:stream';
import type { styleText } from 'node:util';
import type { Env } from '../../edge/home.ts';

type Style = Parameters<typeof styleText>[0];
type Ending = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

/** What a command has of the process it runs in: `process` itself, or what a test puts in its place. */
export interface Io {
  readonly env: Env;
  readonly argv: readonly string[];
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly stderr: Writable;
  cwd(): string;
  on(signal: Ending, listener: () => void): unknown;
  off(signal: Ending, listener: () => void): unknown;
  exit(code: number): void;
}

/** Where a command reads and prints, and how: colours only for a person's terminal that did not refuse them. */
export interface Terminal {
  readonly io: Io;
  readonly env: Env;
  readonly cwd: string;
  readonly isInteractive: boolean;
  /** Columns to draw in. */
  readonly width: () => number;
  out(text: string): void;
  err(text: string): void;
  paint(style: Style, text: string): string;
}

export function makeTerminal(io: Io): Terminal {
  const { stdout, stderr, env } = io;
  const coloured =
    env.NO_COLOR === undefined &&
    env.TERM !== 'dumb' &&
    (stdout.isTTY === true || env.FORCE_COLOR !== undefined);
  return {
    io,
    env,
    cwd: io.cwd(),
    // Opening standard input takes time that a quick command does not have.
    get isInteractive() {
      return stdout.isTTY === true && env.CI === undefined && io.stdin.isTTY === true;
    },
    width: () => Math.max(40, Math.min(stdout.columns ?? 100, 120)),
    out: (text) => void stdout.write(`${text}\n`),
    err: (text) => void stderr.write(`${text}\n`),
    // Not imported: that alone takes as long as the whole of a quick command.
    paint: (style, text) =>
      coloured
        ? process.getBuiltinModule('node:util').styleText(style, text, { validateStream: false })
        : text,
  };
}
