import type { StartKeeper } from '../spawn-keeper.ts';
import type { Io } from './terminal.ts';

/**
 * Runs one command line in this process and gives its exit code. The quick commands load neither the command-line
 * library nor schemas: people put `status` into prompts, and agents wait for `mcp`.
 */
export async function runCommand(
  args: readonly string[],
  io: Io,
  startKeeper?: StartKeeper,
): Promise<number> {
  const [command, ...rest] = args;
  if (command === '--version' || command === '-V') {
    const { ownVersion } = await import('../version.ts');
    io.stdout.write(`${ownVersion()}\n`);
    return 0;
  }
  if (command === 'status') {
    const { quickStatus } = await import('./quick.ts');
    const code = await quickStatus(rest, io);
    if (code !== null) return code;
  }
  if (command === 'mcp') {
    const { quickMcp } = await import('./quick.ts');
    const code = await quickMcp(rest, io);
    if (code !== null) return code;
  }
  const { runProgram } = await import('./program.ts');
  return runProgram(args, io, startKeeper);
}
