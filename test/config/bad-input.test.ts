import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { configFileBytesMax } from '../../src/contract/constants.ts';
import { ConfigError, problemLine } from '../../src/edge/config/problems.ts';
import { scratch } from './scratch.ts';

/** The one problem of a user file. */
const problemOf = (user: string | Uint8Array) => {
  const { problems, userFile } = scratch({ user });
  const found = problems();
  expect(found, JSON.stringify(found)).toHaveLength(1);
  expect(found[0]?.file).toBe(userFile);
  return found[0];
};

describe('a file that is no YAML', () => {
  it.each([
    ['a tab as indentation', 'limits:\n\tturnsMax: 3\n', 2, 1, 'Tabs', 'spaces'],
    ['a duplicate key', 'mode: once\nlimits: {}\nmode: once\n', 3, 1, 'unique', 'Keep one'],
    ['an open quote', 'agent:\n  name: "codex\n', 3, 1, 'quote', 'Close'],
    ['an open bracket', 'agent: { args: [a, b }\n', 1, 22, '', ''],
    ['two documents', 'mode: once\n---\nmode: once\n', 2, 1, 'multiple documents', '---'],
    ['a tag', 'mode: !run once\n', 1, 7, 'tag', 'Remove the tag'],
    ['an alias of nothing', 'mode: *once\n', 1, 7, 'nothing above is named &once', 'quotes'],
    ['a list as a key', '? [a, b]\n: 3\n', 1, 3, '', 'word before the colon'],
  ])('because of %s is refused with its place and a fix', (_what, text, line, column, message, fix) => {
    const { problems } = scratch({ user: text });
    const [first] = problems();
    expect(first).toMatchObject({ line, column });
    expect(first?.message.toLowerCase()).toContain(message.toLowerCase());
    expect(first?.fix).toContain(fix);
    expect(first && problemLine(first)).toContain(`config.yaml:${line}:${column} `);
  });

  it('lists all its problems at once', () => {
    const { problems } = scratch({ user: 'mode: once\nmode: once\nlimits:\n  turnsMax: 1\n  turnsMax: 2\n' });
    expect(problems().map(({ line }) => line)).toEqual([2, 5]);
  });

  it('cannot grow without bound through aliases', () => {
    const levels = Array.from(
      { length: 9 },
      (_, n) => `l${n + 1}: &l${n + 1} [${Array(9).fill(`*l${n}`).join(', ')}]`,
    );
    expect(problemOf(`l0: &l0 [x, x]\n${levels.join('\n')}\n`)?.fix).toContain('at most 100 aliases');
  });

  it('may use few aliases, and is refused with many', () => {
    const aliases = (count: number) => `agent: { args: [&a x, ${Array(count).fill('*a').join(', ')}] }\n`;
    expect(scratch({ user: aliases(90) }).load().agent.args).toHaveLength(91);
    expect(problemOf(aliases(50_000))).toMatchObject({ line: 1, message: 'uses more than 100 aliases' });
  });

  it('cannot exhaust the stack by nesting', () => {
    const problem = problemOf(`mode: ${'['.repeat(100_000)}`);
    expect(problem?.message).toContain('nested too deeply');
  });
});

describe('a file that is no text file', () => {
  it('is refused when it is binary, UTF-16 or broken UTF-8', () => {
    for (const bytes of [
      [0x7f, 0x45, 0x4c, 0x46, 0, 1],
      [...Buffer.from('mode: once', 'utf16le')],
      [0x61, 0x3a, 0xff],
    ]) {
      expect(problemOf(Uint8Array.from(bytes))?.message).toBe('is not UTF-8 text');
    }
  });

  it('is refused when it is too large, and read when it just fits', () => {
    const comment = (bytes: number) => `#${'x'.repeat(bytes - 1)}`;
    expect(problemOf(comment(configFileBytesMax + 1))?.message).toContain('larger than 256 KB');
    expect(scratch({ user: comment(configFileBytesMax) }).problems()).toEqual([]);
  });

  it('is refused when it is a folder, a link to nowhere, or in a folder that is a file', () => {
    const folder = scratch();
    mkdirSync(folder.userFile, { recursive: true });
    expect(folder.problems()[0]?.message).toContain('is a folder');

    const link = scratch();
    mkdirSync(dirname(link.projectFile));
    symlinkSync('nowhere', link.projectFile);
    expect(link.problems()[0]?.message).toContain('does not exist');

    const file = scratch();
    symlinkSync('/dev/null', dirname(file.projectFile));
    expect(file.problems()[0]).toMatchObject({ file: file.projectFile, message: 'cannot be read (ENOTDIR)' });
  });

  it.skipIf(process.platform === 'win32')('never waits for the writer of a pipe', () => {
    const { problems, projectFile } = scratch();
    mkdirSync(dirname(projectFile));
    execFileSync('sh', ['-c', 'mkfifo "$1"', 'sh', projectFile]);
    expect(problems()[0]?.message).toContain('not a regular file');
  });

  it.skipIf(process.platform === 'win32')('names a file we may not read and how to change that', () => {
    const { problems, userFile, from } = scratch({ user: 'mode: once' });
    chmodSync(userFile, 0o000);
    if (process.getuid?.() !== 0) {
      expect(problems()[0]).toMatchObject({ file: userFile, message: 'cannot be read (EACCES)' });
      return;
    }
    // Root may read everything: let somebody else try, who becomes that after the code is loaded.
    let folder = dirname(userFile);
    for (; folder !== dirname(from.workspace); folder = dirname(folder)) chmodSync(folder, 0o755);
    chmodSync(folder, 0o755);
    const reader = resolve(import.meta.dirname, '../../src/edge/config/read-text.ts');
    const script = `const { readConfigText } = await import(process.argv[1]);
      process.setuid(65534);
      console.log(JSON.stringify(readConfigText(process.argv[2])));`;
    const tried = execFileSync(process.execPath, ['--input-type=module', '-e', script, reader, userFile], {
      encoding: 'utf8',
    });
    expect(JSON.parse(tried)).toMatchObject({
      problem: { message: 'cannot be read (EACCES)', fix: `Make it readable: chmod u+r ${userFile}.` },
    });
  });
});

describe('a setting of the wrong kind', () => {
  it.each([
    [
      'limits:\n  turnsMax: many\n',
      'limits.turnsMax',
      2,
      13,
      'found "many", expected a whole number of at least 1',
    ],
    [
      'limits:\n  turnsMax: "3"\n',
      'limits.turnsMax',
      2,
      13,
      'found "3", expected a whole number of at least 1',
    ],
    ['limits:\n  turnsMax: 0\n', 'limits.turnsMax', 2, 13, 'found 0, expected a whole number of at least 1'],
    ['limits:\n  turnsMax: 2.5\n', 'limits.turnsMax', 2, 13, 'found 2.5, expected a whole number'],
    ['limits:\n  turnsMax:\n', 'limits.turnsMax', 2, 12, 'found nothing, expected a whole number'],
    ['limits:\n  moneyMax: .inf\n', 'limits.moneyMax', 2, 13, 'found Infinity, expected a number above 0'],
    ['limits:\n  turnSilenceMs: "30"\n', 'limits.turnSilenceMs', 2, 18, 'found "30", expected a duration'],
    ['limits:\n  until: soon\n', 'limits.until', 2, 10, 'found "soon", expected a clock time'],
    ['limits: 3\n', 'limits', 1, 9, 'found 3, expected a section'],
    ['mode: [once]\n', 'mode', 1, 7, 'found a list of 1, expected one of once, autonomous'],
    [
      'notifications:\n  desktop: yes\n',
      'notifications.desktop',
      2,
      12,
      'found "yes", expected true or false',
    ],
    ['notifications:\n  slack: example.com\n', 'notifications.slack', 2, 10, 'expected a web address'],
    [
      'notifications:\n  webhook: file:///etc/passwd\n',
      'notifications.webhook',
      2,
      12,
      'expected a web address',
    ],
    ['checks: npm test\n', 'checks', 1, 9, 'expected `auto`, or a list of checks'],
    ['checks:\n  - name: a\n', 'checks[0].command', 2, 5, 'is missing, expected text'],
    ['checks:\n  - { name: a, command: 3 }\n', 'checks[0].command', 2, 25, 'found 3, expected text'],
    [
      'guards:\n  effects: { publish: maybe }\n',
      'guards.effects.publish',
      2,
      23,
      'expected one of allow, ask, forbid',
    ],
    ['- a\n- b\n', undefined, 1, 1, 'found a list of 2, expected a section'],
    ['just words\n', undefined, 1, 1, 'found "just words", expected a section'],
  ])(
    'in %j is named with its key, place, what was found and what is expected',
    (text, key, line, column, message) => {
      const problem = problemOf(text);
      expect(problem).toMatchObject({ line, column, ...(key && { key }) });
      expect(problem?.message).toContain(message);
      expect(problem?.fix).toMatch(/^[A-Z].*[.?]$/);
    },
  );

  it.each([
    ['mode: onec\n', 'Did you mean once?'],
    ['limits: { turnsMax: "3" }\n', 'Remove the quotes.'],
    ['limits: { turnSilenceMs: "30" }\n', 'Add the unit, such as 30m.'],
    ['notifications: { desktop: yes }\n', 'Write true without quotes.'],
    ['notifications: { desktop: "off" }\n', 'Write false without quotes.'],
    ['approvals:\n', 'Write a value after approvals:, or remove the line.'],
  ])('in %j comes with the fix', (text, fix) => {
    expect(problemOf(text)?.fix).toBe(fix);
  });

  it.each([
    ['limits: { turnSilenceMs: 0s }\n', 'limits.turnSilenceMs', 'is not a duration above zero'],
    ['limits: { until: 2031-02-30T07:30 }\n', 'limits.until', 'does not exist'],
    ['checks: [{ name: a, command: b, cwd: ../.. }]\n', 'checks.0.cwd', 'outside the workspace'],
    ['checks: [{ name: a, command: b, cwd: /etc }]\n', 'checks.0.cwd', 'outside the workspace'],
  ])('that only looks right is refused too: %j', (text, key, message) => {
    const problem = problemOf(text);
    expect(problem).toMatchObject({ key, line: 1 });
    expect(problem?.message).toContain(message);
  });

  it('never prints a long value whole', () => {
    expect(problemOf(`mode: ${'x'.repeat(5_000)}\n`)?.message.length).toBeLessThan(200);
  });
});

describe('an unknown key', () => {
  it.each([
    ['chekcs: auto\n', 'chekcs', 1, 1, 'Did you mean checks?'],
    ['limits:\n  turns_max: 3\n', 'limits.turns_max', 2, 3, 'Did you mean turnsMax?'],
    ['turnsMax: 3\n', 'turnsMax', 1, 1, 'Did you mean limits.turnsMax?'],
    ['limits:\n  mode: once\n', 'limits.mode', 2, 3, 'Did you mean mode at the start of a line?'],
    ['limits:\n  cyclesMax: 3\n', 'limits.cyclesMax', 2, 3, 'Did you mean autonomousMaxCycles?'],
    ['gates:\n  banana: 3\n', 'gates.banana', 2, 3, 'Remove it; gates takes timeoutMs, whenUnanswered.'],
    ['guards:\n  effects:\n    pubilsh: ask\n', 'guards.effects.pubilsh', 3, 5, 'Did you mean publish?'],
    ['checks:\n  - { name: a, command: b, dir: c }\n', 'checks[0].dir', 2, 28, 'Remove it; checks[0] takes'],
    ['__proto__: { mode: once }\n', '__proto__', 1, 1, 'Remove it'],
    ['constructor: 3\n', 'constructor', 1, 1, 'Remove it'],
  ])('in %j is an error with a suggestion', (text, key, line, column, fix) => {
    const problem = problemOf(text);
    expect(problem).toMatchObject({ key, line, column, message: 'is not a setting' });
    expect(problem?.fix).toContain(fix);
  });
});

describe('all problems', () => {
  it('of all files and the flags are listed together', () => {
    const { problems, userFile, projectFile } = scratch({
      user: 'mode: twice\nlimits:\n  turnsMax: no\nbanana: 1\n',
      project: 'gates:\n\ttimeoutMs: 3\n',
    });
    const found = problems({ approvals: 'always' });
    expect(new Set(found.map(({ file }) => file))).toEqual(new Set([userFile, projectFile, 'flags']));
    expect(found.filter(({ file }) => file === userFile)).toHaveLength(3);
    expect(new ConfigError(found).message.split('\n')).toHaveLength(found.length);
  });

  it('are counted where there are too many to read', () => {
    const user = Array.from({ length: 70 }, (_, n) => `unknown${n}: 1`).join('\n');
    expect(new ConfigError(scratch({ user }).problems()).message).toMatch(/and 20 more$/);
  });
});
