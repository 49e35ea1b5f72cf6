import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Desk, desk } from './desk.ts';

const has = (shell: string): boolean => spawnSync(shell, ['--version']).error === undefined;

async function scriptOf(here: Desk, shell: string): Promise<string> {
  const file = join(here.folder, `tireless.${shell}`);
  writeFileSync(file, (await here.type('completion', shell)).out);
  here.program('tireless', `echo '[\n  {\n    "id": "20310501-220000-n1gh7t"\n  }\n]'`);
  return file;
}

const run = (here: Desk, shell: string, args: readonly string[], script: string): string => {
  const { stdout, stderr } = spawnSync(shell, [...args, script], { env: here.env, encoding: 'utf8' });
  expect(stderr).toBe('');
  return stdout;
};

describe('completion', () => {
  it.runIf(has('bash'))('in bash knows commands, options, choices and runs', async () => {
    const here = desk();
    const file = await scriptOf(here, 'bash');
    const complete = (...words: string[]): string[] => {
      const list = words.map((word) => `'${word}'`).join(' ');
      const script = `source ${file}; COMP_WORDS=(tireless ${list}); COMP_CWORD=${words.length}; _tireless; printf '%s\\n' "\${COMPREPLY[@]}"`;
      return run(here, 'bash', ['--norc', '-c'], script).trim().split('\n');
    };
    expect(complete('rep')).toEqual(['report', 'replay'].filter((name) => name.startsWith('rep')));
    expect(complete('run', '--mode', '')).toEqual(['once', 'autonomous']);
    expect(complete('service', '')).toEqual(expect.arrayContaining(['install', 'uninstall', 'status']));
    expect(complete('service', '')).not.toContain('run');
    expect(complete('service', 'install', '--')).toContain('--print');
    expect(complete('report', '--p')).toEqual(['--public']);
    expect(complete('status', '2031')).toEqual(['20310501-220000-n1gh7t']);
    expect(complete('completion', 'z')).toEqual(['zsh']);
    expect(complete('key')).toEqual(['']);
  });

  it.runIf(has('zsh'))('in zsh is a script zsh can read', async () => {
    const here = desk();
    const file = await scriptOf(here, 'zsh');
    expect(run(here, 'zsh', ['-n'], file)).toBe('');
    const script = `autoload -U compinit; compinit -u -d ${here.folder}/dump; source ${file}; print -r -- $_comps[tireless]`;
    expect(run(here, 'zsh', ['-f', '-c'], script).trim()).toBe('_tireless');
  });

  it.runIf(has('fish'))('in fish offers the same', async () => {
    const here = desk();
    const file = await scriptOf(here, 'fish');
    const complete = (line: string): string[] =>
      run(here, 'fish', ['--no-config', '-c'], `source ${file}; complete -C '${line}'`)
        .trim()
        .split('\n')
        .map((one) => one.split('\t')[0] ?? '');
    expect(complete('tireless rep').sort()).toEqual(['replay', 'report']);
    expect(complete('tireless run --mode ')).toEqual(expect.arrayContaining(['once', 'autonomous']));
    expect(complete('tireless service ')).toEqual(expect.arrayContaining(['install', 'uninstall', 'status']));
    expect(complete('tireless service ')).not.toContain('run');
    expect(complete('tireless status 2031')).toContain('20310501-220000-n1gh7t');
  });

  it('knows every command that people may type, and refuses other shells', async () => {
    const here = desk();
    const { out } = await here.type('completion', 'bash');
    for (const name of [
      'run',
      'status',
      'inbox',
      'approve',
      'report',
      'metrics',
      'init',
      'service',
      'doctor',
    ])
      expect(out).toContain(`'tireless ${name}'`);
    for (const hidden of ['keeper', 'scripted-agent']) expect(out).not.toContain(hidden);
    expect((await here.type('completion', 'tcsh')).code).toBe(2);
  });
});
