import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ownDisk } from '../store/places.ts';
import { type Desk, makeDesk, ownDesk, proof, scripts } from './kit.ts';

describe('a configuration that cannot be used', { timeout: 120_000 }, () => {
  it.each([
    ['limits:\n  turnsMax: many\n', ':2:13 limits.turnsMax: found "many", expected a whole number'],
    ['limits:\n  tokenMax: 5\n', ':2:3 limits.tokenMax: is not a setting. Did you mean tokensMax?'],
    ['limits: [1\n  a: b', ':1:10 '],
    ['- a\n- b\n', ':1:1 '],
  ])('%j is refused with file, line and fix, exit 2, before anything starts', async (text, says) => {
    const desk = ownDesk();
    const file = join(desk.workspace, '.tireless', 'config.yaml');
    mkdirSync(join(desk.workspace, '.tireless'));
    writeFileSync(file, text);
    const { code, stderr } = await desk.tireless(desk.run(scripts.twoFiles));
    expect([code, stderr]).toEqual([2, expect.stringContaining(`${file}${says}`)]);
    expect(await desk.json('runs')).toEqual([]);
    const doctor = await desk.tireless(['doctor']);
    expect([doctor.code, doctor.stdout]).toEqual([1, expect.stringContaining(`${file}${says}`)]);
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  it('of a folder nobody trusted may tighten and not loosen, until --trust', async () => {
    const desk = ownDesk();
    mkdirSync(join(desk.workspace, '.tireless'));
    writeFileSync(
      join(desk.workspace, '.tireless', 'config.yaml'),
      'checks:\n  - name: mine\n    command: "true"\nlimits:\n  turnsMax: 7\n',
    );
    const args = desk.run(scripts.busy, '--foreground', '--turns', '1');
    const untrusted = await desk.tireless(args);
    expect(untrusted.stdout).toContain('--trust');
    expect(untrusted.stdout).not.toMatch(/checks +true/);
    const trusted = await desk.tireless([...args, '--trust']);
    expect(trusted.stdout).toMatch(/checks +true/);
    expect([untrusted.code, trusted.code]).toEqual([11, 11]);
  });
});

describe('a workspace', { timeout: 120_000 }, () => {
  const refused = async (desk: Desk, dir: string, ...says: readonly string[]): Promise<void> => {
    const { code, stderr } = await desk.tireless([...desk.run(scripts.twoFiles), '-C', dir]);
    expect(code).toBe(1);
    for (const words of says) expect(stderr).toContain(words);
    expect(stderr).not.toContain('This is a bug');
    expect(await desk.json('runs')).toEqual([]);
    expect(existsSync(join(desk.home, 'runs')) ? readdirSync(join(desk.home, 'runs')) : []).toEqual([]);
  };

  it('that is missing is refused with the path and the fix', async () => {
    const desk = ownDesk();
    await refused(desk, 'nowhere', `${desk.workspace}/nowhere: there is no such folder`, 'Fix: ');
    expect(existsSync(join(desk.workspace, 'nowhere'))).toBe(false);
  });

  it('that is a file is refused', async () => {
    const desk = ownDesk();
    await refused(desk, 'README.md', 'README.md: this is a file, not a folder', 'Fix: ');
  });

  it('that cannot be written is refused before anything is started', async ({ skip }) => {
    const desk = ownDesk();
    const disk = ownDisk(512);
    if (disk === null) skip('only a superuser who may mount can make a folder nobody can write');
    else {
      disk.makeReadOnly();
      await refused(desk, disk.folder, disk.folder, 'read-only', 'Fix: ');
    }
  });

  it('without git is worked in all the same', async () => {
    const desk = ownDesk();
    const plain = join(desk.folder, 'plain');
    mkdirSync(plain);
    cpSync(join(desk.workspace, 'check.sh'), join(plain, 'check.sh'));
    const { code, stderr } = await desk.tireless([
      ...desk.run(scripts.twoFiles, '--foreground', ...proof),
      '-C',
      plain,
    ]);
    expect([code, stderr]).toEqual([0, '']);
    expect(readdirSync(plain).toSorted()).toEqual(['check.sh', 'one.txt', 'two.txt']);
    const worktree = await desk.tireless([
      ...desk.run(scripts.twoFiles, '--foreground', '--worktree'),
      '-C',
      plain,
    ]);
    expect([worktree.code, worktree.stderr]).toEqual([1, expect.stringContaining('needs a git repository')]);
  });

  it('that holds our own records is refused, and stays as it was', async () => {
    const desk = ownDesk();
    const before = readdirSync(desk.workspace);
    symlinkSync(desk.workspace, join(desk.folder, 'link'));
    for (const TIRELESS_HOME of [join(desk.workspace, 'records'), join(desk.folder, 'link', 'records')]) {
      const { code, stderr } = await desk.tireless(desk.run(scripts.twoFiles), { env: { TIRELESS_HOME } });
      expect([code, stderr]).toEqual([1, expect.stringContaining('lie inside the workspace')]);
      expect(stderr).toContain('set TIRELESS_HOME to a folder outside the workspace');
    }
    expect(readdirSync(desk.workspace)).toEqual(before);
  });

  it('is not touched by a home that depends on where one stands', async () => {
    const desk = ownDesk();
    const { code, stderr } = await desk.tireless(['runs'], { env: { TIRELESS_HOME: 'here' } });
    expect([code, stderr]).toEqual([
      1,
      'TIRELESS_HOME must be an absolute path, not "here". Set it to one that starts with a slash.\n',
    ]);
  });
});

describe('a store', { timeout: 120_000 }, () => {
  let desk: Desk;
  beforeAll(async () => {
    desk = makeDesk();
    await desk.tireless(desk.run(scripts.busy, '--foreground', '--turns', '3', ...proof));
  }, 60_000);
  afterAll(() => desk.clear());

  const damages: Record<string, { damage(file: string): void; says: RegExp; fix: RegExp; fast: boolean }> = {
    'with a damaged page': {
      damage(file) {
        const bytes = readFileSync(file);
        bytes.fill(0xa5, 4_096 * 2, 4_096 * 6);
        writeFileSync(file, bytes);
      },
      says: /tireless\.db is damaged/,
      fix: /Nothing was changed or deleted\. Copy the file/,
      fast: false,
    },
    'that was cut off': {
      damage: (file) => truncateSync(file, 50),
      says: /tireless\.db is damaged/,
      fix: /Copy the file/,
      fast: true,
    },
    'that is something else': {
      damage: (file) => writeFileSync(file, 'I am a letter, not a database.'.repeat(20)),
      says: /tireless\.db is damaged/,
      fix: /Copy the file/,
      fast: true,
    },
    'of a newer version': {
      damage(file) {
        const db = new DatabaseSync(file);
        db.exec('PRAGMA user_version = 99; PRAGMA wal_checkpoint(TRUNCATE)');
        db.close();
      },
      says: /was written by a newer Tireless \(schema 99/,
      fix: /Upgrade Tireless\. The file was left as it is\./,
      fast: true,
    },
  };

  it.each(Object.entries(damages))(
    '%s is refused with place and fix, exit 1, and left as it is',
    async (name, { damage, says, fix, fast }) => {
      const home = join(desk.folder, name.replaceAll(' ', '-'));
      cpSync(desk.home, home, { recursive: true });
      const file = join(home, 'tireless.db');
      damage(file);
      const digest = (): string => createHash('sha256').update(readFileSync(file)).digest('hex');
      const before = digest();
      const env = { TIRELESS_HOME: home };
      const commands = fast
        ? [['runs'], ['status'], ['logs'], ['resume'], desk.run(scripts.twoFiles)]
        : [['logs'], ['replay']];
      const told = await Promise.all(commands.map((args) => desk.tireless(args, { env })));
      for (const { code, stderr } of told) {
        expect(stderr).toMatch(says);
        expect(stderr).toMatch(fix);
        expect(stderr).not.toMatch(/\n +at |This is a bug/);
        expect(code).toBe(1);
      }
      const doctor = await desk.tireless(['doctor'], { env });
      expect([doctor.code, doctor.stdout]).toEqual([1, expect.stringContaining(file)]);
      expect(digest()).toBe(before);
    },
  );

  it('on a full disk says so, and the run goes on from where it was once there is space', async ({
    skip,
  }) => {
    const disk = ownDisk(1_024);
    if (disk === null) return skip('only a superuser who may mount can have a small disk');
    const env = { TIRELESS_HOME: join(disk.folder, 'home') };
    expect(
      (await desk.tireless(desk.run(scripts.twoFiles, '--foreground', '--turns', '1', ...proof), { env }))
        .code,
    ).toBe(11);
    writeFileSync(join(disk.folder, 'ballast'), Buffer.alloc(0));
    fillUp(join(disk.folder, 'ballast'));
    const full = await desk.tireless(['resume', '--turns', '5', '--detach'], { env });
    expect([full.code, full.stderr]).toEqual([
      1,
      expect.stringMatching(/the disk is full: .*tireless\.db.*\nFix: Free some space/s),
    ]);
    truncateSync(join(disk.folder, 'ballast'), 0);
    const after = await desk.tireless(['resume', '--turns', '5', '--foreground'], { env });
    expect(after.code).toBe(0);
  });
});

function fillUp(file: string): void {
  const block = Buffer.alloc(4_096, 1);
  try {
    for (;;) writeFileSync(file, block, { flag: 'a' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}
