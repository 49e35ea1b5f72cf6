import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { checkResultSchema } from '../../src/contract/check.ts';
import { type CheckOptions, runCheck } from '../../src/edge/workspace/checks.ts';
import { outputReader } from '../../src/edge/workspace/output.ts';
import { readProcesses } from '../../src/edge/workspace/processes.ts';
import { freshFolder, open, personEnv, write } from './folders.ts';

/** Runs a command as a check; what comes back must fit the contract. */
async function run(command: string, options: Partial<CheckOptions> = {}, cwd = '.') {
  const check = { name: 'a check', command, cwd, source: 'config' };
  const result = await runCheck(check, { cwd: freshFolder(), timeoutMs: 20_000, env: personEnv, ...options });
  return checkResultSchema.parse(result);
}

/** Living processes whose command line holds this text. */
function living(text: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        return readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').includes(text);
      } catch {
        return false;
      }
    })
    .map(Number);
}

describe('a check', () => {
  it('passes with exit code 0 and fails with any other', async () => {
    expect(await run('echo fine')).toMatchObject({
      outcome: 'passed',
      exitCode: 0,
      tail: { text: 'fine\n' },
    });
    expect(await run('echo bad >&2; exit 3')).toMatchObject({
      outcome: 'failed',
      exitCode: 3,
      tail: { text: 'bad\n' },
    });
    expect(await run('kill -SEGV $$')).toMatchObject({
      outcome: 'failed',
      exitCode: null,
      because: 'ended by SIGSEGV',
    });
    expect(await run('no-such-program-here')).toMatchObject({
      outcome: 'failed',
      exitCode: 127,
      because: expect.stringContaining('not found'),
    });
  });

  it('fails when it prints failed tests and exits 0', async () => {
    expect(await run('echo "158 passed 3 failed"')).toMatchObject({
      outcome: 'failed',
      exitCode: 0,
      because: 'exit code 0, but the output counts 3 failed',
      counts: { passed: 158, failed: 3, skipped: 0, total: 161 },
    });
  });

  it('counts the tests of a real run, also when a script hides its exit code', async () => {
    const folder = freshFolder();
    write(folder, {
      'package.json': JSON.stringify({ type: 'module', scripts: { test: 'node --test || true' } }),
      'a.test.js':
        "import test from 'node:test'; test('a', () => {}); test('b', () => { throw new Error('no') }); test('c', { skip: true }, () => {});",
    });
    const env = { ...personEnv, PATH: `${join(process.execPath, '..')}:${personEnv.PATH}` };
    const result = await run('npm test', { cwd: folder, env });
    expect(result).toMatchObject({
      outcome: 'failed',
      exitCode: 0,
      counts: { passed: 1, failed: 1, skipped: 1, total: 3 },
    });
    expect(result.tail.text).toContain('Error: no');
  });

  it('sees what it needs of the environment, and no secret', async () => {
    const env = {
      ...personEnv,
      LANG: 'C.UTF-8',
      LC_TIME: 'C',
      OPENAI_API_KEY: 'sk-1',
      GITHUB_TOKEN: 'x',
      TIRELESS_RUN: 'r',
      TIRELESS_HOME: '/h',
      NODE_OPTIONS: '--inspect',
      MY_DB: 'url',
    };
    const { tail } = await run('env', { env, pass: ['MY_DB'] });
    const names = tail.text
      .trim()
      .split('\n')
      .map((line) => line.split('=')[0])
      .filter((name) => !['PWD', '_', 'SHLVL', 'OLDPWD'].includes(name ?? ''));
    expect(names.sort()).toEqual([
      'CI',
      'HOME',
      'LANG',
      'LC_TIME',
      'MY_DB',
      'NO_COLOR',
      'PATH',
      'TERM',
      'TIRELESS_CHECK',
    ]);
    expect(tail.text).toContain('\nTERM=dumb\n');
    expect(tail.text).toContain('CI=1\n');
  });

  it('cannot wait for a person: its input is closed', async () => {
    expect(await run('cat; read -r answer || echo nobody')).toMatchObject({
      outcome: 'passed',
      tail: { text: 'nobody\n' },
    });
  });

  it('runs in its folder, which must lie inside the workspace and exist', async () => {
    const cwd = freshFolder();
    write(cwd, { 'sub/x': '' });
    expect((await run('basename "$PWD"', { cwd }, 'sub')).tail.text).toBe('sub\n');
    expect(await run('true', { cwd }, '../..')).toMatchObject({
      outcome: 'not-run',
      because: expect.stringContaining('outside'),
    });
    expect(await run('true', { cwd }, 'gone')).toMatchObject({
      outcome: 'not-run',
      because: expect.stringContaining('not there'),
    });
  });

  it('keeps beginning and end of a huge output, and a digest of all of it', async () => {
    const bytes = 60_000_000;
    const result = await run(
      `echo FIRST; yes 0123456789012345678901234567890 | head -c ${bytes}; echo; echo "Tests:       1 failed, 9 passed, 10 total"; echo LAST`,
    );
    expect(result.tail.text.length).toBeLessThanOrEqual(16_384);
    expect(result.tail.text).toMatch(/^FIRST\n/);
    expect(result.tail.text).toMatch(/\n… \d+ characters left out …\n/);
    expect(result.tail.text).toMatch(/LAST\n$/);
    const hash = createHash('sha256').update('FIRST\n');
    const line = Buffer.from('0123456789012345678901234567890\n');
    hash.update(Buffer.concat(Array(bytes / line.length).fill(line)));
    hash.update('\nTests:       1 failed, 9 passed, 10 total\nLAST\n');
    expect(result.outputDigest).toBe(hash.digest('hex'));
    expect(result).toMatchObject({ outcome: 'failed', counts: { failed: 1, passed: 9 } });
  });

  it('needs little memory for any output', () => {
    const reader = outputReader();
    const stream = reader.stream();
    const chunk = Buffer.from('x'.repeat(1_000_000));
    const before = process.memoryUsage().heapUsed;
    for (let i = 0; i < 300; i++) stream.push(chunk);
    stream.end();
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(200_000_000);
    expect(reader.summary().text.length).toBeLessThan(17_000);
  });

  it('counts lines that come from both streams in halves', async () => {
    const command =
      'printf "Tests:       1 fai"; printf "Tests:       2 pas" >&2; sleep 0.05; printf "led, 1 total\\n"; printf "sed, 2 total" >&2';
    expect((await run(command)).counts).toEqual({ passed: 2, failed: 1, skipped: 0, total: 3 });
  });

  it('is not run when the run is stopped, and leaves nothing behind', async () => {
    const stop = new AbortController();
    const running = run('sleep 61.1 & echo started; sleep 61.2', { signal: stop.signal });
    await expect.poll(() => living('sleep 61.').length).toBeGreaterThan(0);
    stop.abort();
    expect(await running).toMatchObject({ outcome: 'not-run', because: 'stopped before it ended' });
    expect(living('sleep 61.')).toEqual([]);
    expect(await run('true', { signal: stop.signal })).toMatchObject({
      outcome: 'not-run',
      because: 'stopped before it began',
    });
  });
});

describe('a check that does not end', () => {
  it.each([
    ['a child in the foreground', 'sleep 62.1'],
    ['a grandchild that holds the output', 'sleep 62.1 & sleep 62.2'],
    ['a grandchild in a session of its own', 'setsid sleep 62.1 & sleep 62.2'],
    ['a daemon that forked twice', '(setsid sh -c "sleep 62.1 & exit 0" &); sleep 62.2'],
    [
      'a daemon without environment, seen before it left',
      'env -i setsid sh -c "sleep 62.1 & sleep 1.5" & sleep 62.2',
    ],
    [
      'processes that ignore the request to end',
      'trap "" TERM; (trap "" TERM; sleep 62.1; sleep 62.1) & sleep 62.2; sleep 62.3',
    ],
    ['one that starts new processes all the time', 'while :; do sleep 62.1 & sleep 0.01; done'],
  ])('is ended at its time, long before it would end by itself, with %s', async (_what, command) => {
    onTestFinished(() => {
      for (const pid of living('sleep 62.')) process.kill(pid, 'SIGKILL');
    });
    const timeoutMs = command.includes('env -i') ? 2_600 : 400;
    const result = await run(command, { timeoutMs });
    expect(result).toMatchObject({ outcome: 'timed-out', because: `did not end within ${timeoutMs} ms` });
    expect(result.durationMs).toBeLessThan(timeoutMs + 30_000);
    expect(living('sleep 62.')).toEqual([]);
  });

  it('may put its things in order first', async () => {
    const folder = freshFolder();
    await run('trap "touch cleaned; exit 1" TERM; sleep 63.1 & wait', { cwd: folder, timeoutMs: 200 });
    expect(existsSync(join(folder, 'cleaned'))).toBe(true);
  });

  it('does not hide behind a server it leaves running', async () => {
    const result = await run('setsid sleep 64.1 & echo "3 passed"', { timeoutMs: 20_000 });
    expect(result).toMatchObject({ outcome: 'passed', because: '1 process left running, ended' });
    expect(result.durationMs).toBeLessThan(19_000);
    expect(living('sleep 64.')).toEqual([]);
  });
});

describe('the table of processes', () => {
  it('is the same from ps where there is no /proc', () => {
    const find = (rows: ReturnType<typeof readProcesses>) => rows.find((row) => row.pid === process.pid);
    const [linux, other] = [find(readProcesses('linux')), find(readProcesses('darwin'))];
    expect(other).toMatchObject({ pid: linux?.pid, parent: linux?.parent, group: linux?.group });
  });
});

describe('coverage', () => {
  const check = { name: 'cover', command: 'true', cwd: 'pkg', source: 'config' };
  const summary = JSON.stringify({ total: { lines: { total: 10_000, covered: 7_999 } } });

  it('is read from the report the check wrote', async () => {
    const folder = freshFolder();
    write(folder, { 'pkg/x': '' });
    const workspace = await open(folder);
    const command = `mkdir -p coverage; echo '${summary}' > coverage/coverage-summary.json`;
    expect((await workspace.check({ ...check, command }, 20_000)).coverage).toEqual({
      covered: 7_999,
      total: 10_000,
      percent: 79.99,
      unit: 'lines',
      format: 'coverage-summary',
      path: 'pkg/coverage/coverage-summary.json',
    });
  });

  it('is never an old report', async () => {
    const folder = freshFolder();
    write(folder, { 'pkg/coverage/coverage-summary.json': summary, 'pkg/lcov.info': 'nonsense' });
    utimesSync(join(folder, 'pkg/coverage/coverage-summary.json'), 1_700_000_000, 1_700_000_000);
    const workspace = await open(folder);
    const result = await workspace.check(check, 20_000);
    expect(result.outcome).toBe('passed');
    expect(result.coverage).toBeUndefined();
  });
});
