/**
 * A scripted agent under the command line: only its messages are scripted, what it does is real. This runs
 *
 *     tireless run --agent scripted --script examples/scripted-agent.json --yes --foreground \
 *       --check 'test "$(sh greet.sh World)" = "Hello, World"' "Write greet.sh, which greets whoever it is given."
 *
 * in a new folder with its own records.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { makePlace } from './tiny-agent.ts';

const { workspace, home } = makePlace();
const program = join(import.meta.dirname, '../src/app/cli/main.ts');
const script = join(import.meta.dirname, 'scripted-agent.json');

execFileSync(
  process.execPath,
  [
    ...[program, 'run', '--agent', 'scripted', '--script', script, '--yes', '--foreground'],
    ...['--check', 'test "$(sh greet.sh World)" = "Hello, World"'],
    'Write greet.sh, which greets whoever it is given.',
  ],
  { cwd: workspace, stdio: 'inherit', env: { ...process.env, TIRELESS_HOME: home, NO_COLOR: '1' } },
);
execFileSync(process.execPath, [program, 'replay'], {
  cwd: workspace,
  stdio: 'inherit',
  env: { ...process.env, TIRELESS_HOME: home, NO_COLOR: '1' },
});
