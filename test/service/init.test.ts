import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/edge/config/load.ts';
import { type Desk, desk } from './desk.ts';

const fileOf = (here: Desk): string => join(here.work, '.tireless/config.yaml');
const load = (here: Desk) =>
  loadConfig({ home: here.home, workspace: here.work, env: here.env, nowAt: Date.UTC(2031, 4, 1) });
const withTests = (): Desk => {
  const here = desk();
  writeFileSync(
    join(here.work, 'package.json'),
    JSON.stringify({ name: 'x', scripts: { test: 'node --test' } }),
  );
  return here;
};

describe('tireless init', () => {
  it('writes a file that changes nothing until somebody switches a setting on', async () => {
    const here = withTests();
    const before = load(here);
    const { out, code } = await here.type('init');
    expect(code).toBe(0);
    expect(out).toContain(`Wrote ${fileOf(here)}`);
    expect(out).toContain('npm test');
    const after = load(here);
    expect(after.digest).toBe(before.digest);
    expect(after.notices).toEqual([]);
  });

  it('writes every setting so that it can be switched on as it stands', async () => {
    const here = withTests();
    await here.type('init', '--trust');
    const text = readFileSync(fileOf(here), 'utf8');
    writeFileSync(fileOf(here), text.replaceAll(/^#(?! )/gm, '').replaceAll(/^#( {2})/gm, '$1'));
    const { digest, checks } = load(here);
    expect(digest).toBeDefined();
    expect(checks).toBe('auto'); // changed, so no longer trusted
    const keys = [...text.matchAll(/^#? *(?:# )?([a-zA-Z]+):/gm)].map(([, key]) => key);
    for (const key of [
      'agent',
      'mode',
      'limits',
      'turnsMax',
      'tokensMax',
      'until',
      'approvals',
      'gates',
      'checks',
      'guards',
      'secrets',
    ])
      expect(keys).toContain(key);
  });

  it('with trust fixes the checks it found, and they count', async () => {
    const here = withTests();
    const { out } = await here.type('init', '--trust');
    expect(out).toContain('These settings now apply: checks.');
    expect(load(here)).toMatchObject({ checks: [{ command: 'npm test', source: 'config' }], notices: [] });
  });

  it('leaves a file that is there, offers the difference, and can trust it as it is', async () => {
    const here = withTests();
    mkdirSync(join(here.work, '.tireless'));
    writeFileSync(fileOf(here), 'approvals: never-ask\n');
    const refused = await here.type('init');
    expect(refused.code).toBe(2);
    expect(refused.err).toContain('tireless init --diff');
    const { out } = await here.type('init', '--diff');
    expect(out).toContain('-approvals: never-ask');
    expect(out).toMatch(/^\+#limits:$/m);
    expect((await here.type('init', '--trust')).out).toContain('These settings now apply: approvals.');
    expect(readFileSync(fileOf(here), 'utf8')).toBe('approvals: never-ask\n');
    expect(load(here).policy.approvals).toBe('never-ask');
  });

  it('says so where no check was found', async () => {
    const here = desk();
    expect((await here.type('init')).out).toContain('No checks found');
    expect((await here.type('init', '--diff')).out).toContain(
      'is identical to what tireless init would write',
    );
  });

  it('writes through no link, and not for a supervised agent', async () => {
    const here = withTests();
    mkdirSync(join(here.folder, 'elsewhere'));
    symlinkSync(join(here.folder, 'elsewhere'), join(here.work, '.tireless'));
    expect((await here.type('init')).err).toContain('is a symbolic link');
    here.env.TIRELESS_RUN = 'some-run';
    expect((await here.type('init', '--trust')).err).toContain('is for people');
  });
});
