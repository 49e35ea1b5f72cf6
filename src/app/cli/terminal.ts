import { styleText } from 'node:util';
import type { Env } from '../../edge/home.ts';

type Style = Parameters<typeof styleText>[0];

/** Where a command speaks and how: colours only for a person's terminal that did not refuse them. */
export interface Terminal {
  readonly env: Env;
  readonly cwd: string;
  readonly isInteractive: boolean;
  /** Columns to draw in. */
  readonly width: () => number;
  out(text: string): void;
  err(text: string): void;
  paint(style: Style, text: string): string;
}

export function processTerminal(): Terminal {
  const { stdout, stderr, stdin, env } = process;
  // A reader that left (`tireless logs | head`) or a terminal that closed is no failure of what we do.
  for (const stream of [stdout, stderr]) stream.on('error', ignoreGone);
  const isInteractive = stdout.isTTY === true && stdin.isTTY === true && env.CI === undefined;
  const coloured =
    env.NO_COLOR === undefined &&
    env.TERM !== 'dumb' &&
    (stdout.isTTY === true || env.FORCE_COLOR !== undefined);
  return {
    env,
    cwd: process.cwd(),
    isInteractive,
    width: () => Math.max(40, Math.min(stdout.columns ?? 100, 120)),
    out: (text) => void stdout.write(`${text}\n`),
    err: (text) => void stderr.write(`${text}\n`),
    paint: (style, text) => (coloured ? styleText(style, text, { validateStream: false }) : text),
  };
}

function ignoreGone(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error;
}
