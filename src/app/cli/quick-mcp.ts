import { findHome } from '../../edge/home.ts';
import { exit } from './exit-codes.ts';

/** How long a call may wait where nobody says: below the minute after which most clients give up. */
export const mcpWaitDefaultMs = 50_000;

/**
 * `mcp` without the command-line library: an agent waits for it before its first turn. False when the arguments are
 * not as we write them ourselves; the full program then answers, help included.
 */
export async function quickMcp(args: readonly string[]): Promise<boolean> {
  const [runFlag, run, waitFlag, wait, ...rest] = args;
  const isOurs = runFlag === '--run' && run !== undefined && waitFlag === '--wait-ms' && rest.length === 0;
  if (!isOurs || !/^[1-9]\d{0,8}$/.test(wait ?? '')) return false;
  await serveHere(run, Number(wait));
  return true;
}

/** Serves until the client goes, and says on standard error what keeps it from that. */
export async function serveHere(run: string | undefined, waitMs: number): Promise<void> {
  const { serveMcp } = await import('../mcp/serve.ts');
  const problem = await serveMcp({ home: findHome(process.env), env: process.env, run, waitMs });
  if (problem === null) return;
  process.stderr.write(`${problem}\n`);
  process.exitCode = exit.usage;
}
