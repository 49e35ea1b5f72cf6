import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type GuardContext, guardEffectKindSchema } from '../../src/contract/guard.ts';
import { isNever, judgeAction, judgeCommand, loadGuardConfig } from '../../src/core/guards/index.ts';
import { here } from './corpus.ts';
import { disguised, type Words, wrappings } from './disguises.ts';

const refused: readonly Words[] = [
  ['rm', '-rf', '/'],
  ['rm', '-r', '-f', '/'],
  ['rm', '--recursive', '--force', '/'],
  ['rm', '--recurs', '/', '--fo'],
  ['rm', '-fr', '--no-preserve-root', '/'],
  ['rm', '-rf', '/*'],
  ['rm', '-rf', '~'],
  ['rm', '-rf', '$HOME'],
  ['rm', '-rf', '~/*'],
  ['rm', '-Rf', '/home/dev'],
  ['rm', '-rf', '/home/dev/project'],
  ['rm', '-rfv', '/home/dev/project/src/..'],
  ['find', '/', '-delete'],
  ['dd', 'if=/dev/zero', 'of=/dev/sda', 'bs=1M'],
  ['mkfs.ext4', '-F', '/dev/sdb1'],
  ['wipefs', '-a', '/dev/nvme0n1'],
  ['shred', '-n', '1', '/dev/sda'],
  ['tireless', 'approve', '7'],
  ['tireless', 'off'],
  ['npx', 'tireless', 'resume'],
  ['cp', 'x', '.tireless/config.yaml'],
  ['rm', '-f', '.claude/settings.json'],
];

const personOnly: readonly Words[] = [
  ['git', 'push', '-f'],
  ['git', 'push', '--force', 'origin', 'main'],
  ['git', 'push', '--force-with-lease'],
  ['git', 'push', '--forc'],
  ['git', 'push', 'origin', '+main'],
  ['git', 'push', '-uf', 'origin', 'x'],
  ['git', '-C', 'sub', 'push', '--mirror'],
  ['git', 'push', '--delete', 'origin', 'main'],
  ['npm', 'publish'],
  ['npm', '--prefix', 'web', 'publish', '--access', 'public'],
  ['cargo', 'publish'],
  ['docker', 'push', 'me/app'],
  ['twine', 'upload', 'dist/x.whl'],
  ['vercel', '--prod'],
  ['npm', 'run', 'deploy:production'],
  ['kubectl', '--context', 'production', 'apply', '-f', 'x.yml'],
  ['dropdb', 'app'],
  ['psql', '-c', 'DROP DATABASE app'],
  ['mysql', '-e', 'drop schema app'],
  ['redis-cli', 'FLUSHALL'],
];

/** Everything a config, a rule, a strategy or an earlier approval could say in favour of an action. */
const generous: GuardContext = {
  ...here,
  approvals: 'never-ask',
  config: {
    ...here.config,
    effects: Object.fromEntries(guardEffectKindSchema.options.map((kind) => [kind, 'allow'])),
    rules: [
      {
        name: 'everything',
        verdict: 'allow',
        because: 'x',
        when: { matches: '.' },
        applies: ['ls'],
        leaves: [],
      },
      {
        name: 'anywhere',
        verdict: 'allow',
        because: 'x',
        when: { path: '/**' },
        applies: ['cat /etc/hosts'],
        leaves: [],
      },
      ...[
        'git',
        'npm',
        'rm',
        'sh',
        'bash',
        'sudo',
        'env',
        'xargs',
        'find',
        'python3',
        'node',
        'perl',
        'tireless',
        'psql',
      ].map((program) => ({
        name: `all-${program}`,
        verdict: 'allow' as const,
        because: 'x',
        when: { program },
        applies: [program],
        leaves: [],
      })),
    ],
  },
};

const runs = { numRuns: 5_000 };

function isHeld(command: string): void {
  const { never, verdict } = judgeCommand(command, here);
  expect(never).toBe(true);
  expect(verdict).not.toBe('allow');
  expect(judgeCommand(command, generous).verdict, 'with everything allowed').not.toBe('allow');
}

describe('the never list', { timeout: 120_000 }, () => {
  it('asks a person about every disguise of what only a person may allow', () => {
    fc.assert(fc.property(disguised(personOnly), isHeld), runs);
  });

  it('never lets through a disguise of what is refused', () => {
    fc.assert(fc.property(disguised(refused), isHeld), runs);
  });

  it.each(refused.map((words) => words.join(' ')))('refuses `%s` inside every shell wrapping', (line) => {
    // Code in another language and unknown programs are asked about; a relative path on another machine is not ours.
    const opaque = /frobnicate|python3|node -e|perl|^ssh.*\.(tireless|claude)/;
    for (const wrap of wrappings) {
      const command = wrap(line);
      if (!opaque.test(command)) expect(judgeCommand(command, here).verdict, command).toBe('forbid');
    }
  });

  it.each([
    'ｒｍ -rf /',
    'rm -rf ／',
    'rm −rf /',
    'rm\u00a0-rf /',
    'гm -rf /',
    'git push ‐f',
    'r\u200bm -rf /',
    'git\u2063 push -f',
    'rm -rf /\u202e',
    'ｇｉｔ push -f',
  ])('does not let look-alikes through: `%s`', (command) => {
    expect(judgeCommand(command, generous)).toMatchObject({ never: true });
    expect(judgeCommand(command, generous).verdict).not.toBe('allow');
  });

  it('cannot be shrunk by a config: loading one that tries says so', () => {
    for (const kind of guardEffectKindSchema.options.filter(isNever)) {
      const loaded = loadGuardConfig({ effects: { [kind]: 'allow' } }, here);
      expect(loaded, kind).toHaveProperty('problems');
    }
  });

  it('holds for edits and tool calls as it does for commands', () => {
    const digest = 'a'.repeat(64);
    const edit = {
      kind: 'edit',
      rendered: { text: '+x' },
      digest,
      paths: ['.tireless/config.yaml'],
    } as const;
    expect(judgeAction({ ...edit, paths: [...edit.paths] }, generous)).toMatchObject({
      verdict: 'forbid',
      never: true,
    });
    const tool = {
      kind: 'tool',
      tool: 'Bash',
      rendered: { text: '{"command":"git push -f"}' },
      digest,
    } as const;
    expect(judgeAction(tool, generous)).toMatchObject({ verdict: 'ask', never: true });
  });

  it('leaves neighbours alone', () => {
    for (const command of [
      'rm -rf ./build',
      'echo "rm -rf /"',
      'git push --dry-run -f',
      'npm publish --dry-run',
      'tireless status',
      'cat .tireless/config.yaml',
    ]) {
      expect(judgeCommand(command, here), command).toMatchObject({ verdict: 'allow' });
    }
  });
});
