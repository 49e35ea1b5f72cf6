#!/usr/bin/env node
import { enableCompileCache } from 'node:module';

/**
 * The way in. Nothing is imported here that the shortest commands do not need: a hook or a status line must start
 * as fast as Node itself. Older Nodes get as far as this file and are told what to do.
 */
const nodeMajorMin = 24;

async function main(): Promise<void> {
  const major = Number(process.versions.node.split('.')[0]);
  if (major < nodeMajorMin) {
    process.stderr.write(
      `tireless needs Node ${nodeMajorMin} or newer; this is ${process.versions.node}.\nInstall one from nodejs.org or your version manager (nvm install ${nodeMajorMin}), then run the same command again.\n`,
    );
    process.exitCode = 2;
    return;
  }
  enableCompileCache?.();
  const args = process.argv.slice(2);
  const [command] = args;
  if (command === '--version' || command === '-V') {
    const { ownVersion } = await import('../version.ts');
    process.stdout.write(`${ownVersion()}\n`);
    return;
  }
  if (command === 'status') {
    const { quickStatus } = await import('./quick-status.ts');
    if (await quickStatus(args.slice(1))) return;
  }
  if (command === 'mcp') {
    const { quickMcp } = await import('./quick-mcp.ts');
    if (await quickMcp(args.slice(1))) return;
  }
  const { runProgram } = await import('./program.ts');
  await runProgram(args);
}

await main();
