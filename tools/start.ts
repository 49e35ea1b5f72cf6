/** `npm start` shows the demo; `npm start -- <args>` is `tireless run <args>`. */
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';

const args = process.argv.slice(2);
const bundle = resolve(import.meta.dirname, '../dist/tireless.js');
const child = spawn(process.execPath, [bundle, ...(args.length === 0 ? ['demo'] : ['run', ...args])], {
  stdio: 'inherit',
  // npm moves to the package's root; a run belongs where the person stands.
  cwd: process.env.INIT_CWD ?? process.cwd(),
});

// The terminal sends Ctrl-C to both: the child decides how to end, and we wait for it.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => child.kill('SIGTERM'));
child.on('exit', (code, signal) => {
  process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 1);
});
