import { execFile } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';

const folder = resolve(import.meta.dirname, '../../examples');
const scratch = mkdtempSync(join(tmpdir(), 'tireless-examples-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** What every example must print, in this order. */
const promised: Record<string, string[]> = {
  'library.ts': [
    'verify [verify-claim]',
    'continue [continue]',
    'the agent reads: ## Not finished yet: grep -qx done notes.txt does not pass',
    'stop [certified] every check passed: grep -qx done notes.txt',
    "outcome: 'passed'",
  ],
  'adapter.ts': ['I looked around.', 'notes.txt is written.', 'shell: certified'],
  'conformance.ts': [
    'kept: a prompt reaches the agent exactly once',
    'not offered: find',
    'It keeps its promises.',
  ],
  'line-agent-conformance.ts': [
    'kept: the agent’s death is told once',
    'kept: an approved action happens',
    'kept: a plan is told with its steps',
    'It keeps its promises.',
  ],
  'replay.ts': ['6 decisions, 0 divergences', 'continue [continue] would have been stop [turn-budget]'],
  'undo.ts': ['after the run: done', 'changed: notes.txt', 'restored: todo', 'and back: done'],
  'scripted.ts': [
    'Write greet.sh',
    'check: failed',
    'check: passed',
    'done: every check passed: check',
    'Every decision replays the same.',
  ],
};

/** The examples import the built package; here they get its sources, which are never outdated. */
const fromSource = `
import { registerHooks } from 'node:module';
const sources = {
  tireless: 'src/index.ts',
  'tireless/contract': 'src/contract/index.ts',
  'tireless/testkit': 'src/testkit/index.ts',
};
const root = ${JSON.stringify(pathToFileURL(`${resolve(folder, '..')}/`).href)};
registerHooks({ resolve: (name, context, next) => next(name in sources ? root + sources[name] : name, context) });`;

/** Runs an example as a reader would, in a clean environment; gives what it printed. */
async function output(example: string): Promise<string> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, HOME: scratch, TMPDIR: scratch };
  const args = ['--import', `data:text/javascript,${encodeURIComponent(fromSource)}`, join(folder, example)];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env, timeout: 60_000 });
  return stdout;
}

describe('the examples', () => {
  it.each(Object.entries(promised))(
    '%s runs and shows what it promises',
    async (example, lines) => {
      const printed = await output(example);
      let from = 0;
      for (const line of lines) {
        const at = printed.indexOf(line, from);
        expect(at, `“${line}” is missing in:\n${printed}`).toBeGreaterThanOrEqual(0);
        from = at + line.length;
      }
    },
    90_000,
  );

  it('are all run: a file that exports nothing is there to be started', () => {
    const started = globSync('*.ts', { cwd: folder }).filter(
      (file) => !/^export /m.test(readFileSync(join(folder, file), 'utf8')),
    );
    expect(started.sort()).toEqual(Object.keys(promised).sort());
  });
});
