#!/usr/bin/env node
import module from 'node:module';

/**
 * The program. It imports nothing that the shortest commands do not need, and nothing that an older Node lacks: that
 * one gets as far as this file and is told what to do.
 */
const nodeMajorMin = 24;

if (Number(process.versions.node.split('.')[0]) < nodeMajorMin) {
  process.stderr.write(
    `tireless needs Node ${nodeMajorMin} or newer; this is ${process.versions.node}.\nInstall it from nodejs.org or with your version manager (nvm install ${nodeMajorMin}), then try again.\n`,
  );
  process.exitCode = 2;
} else {
  module.enableCompileCache?.();
  // A reader that left (`tireless logs | head`) or a terminal that closed is no failure of what we do.
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error;
    });
  const { runCommand } = await import('./run-command.ts');
  process.exitCode = await runCommand(process.argv.slice(2), process);
}
