import { chmodSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findHome, HomeError, openHome, realPath, userConfigFile } from '../../src/edge/home.ts';
import { scratchFolder } from './scratch.ts';

describe('the home', () => {
  it('is where the variables say, else in the state folder of the person', () => {
    expect(findHome({ TIRELESS_HOME: '/a/b', XDG_STATE_HOME: '/c', HOME: '/h' }).dir).toBe('/a/b');
    expect(findHome({ XDG_STATE_HOME: '/c', HOME: '/h' }).dir).toBe('/c/tireless');
    expect(findHome({ HOME: '/h' }).dir).toBe('/h/.local/state/tireless');
    expect(findHome({ XDG_STATE_HOME: 'relative', HOME: '/h' }).dir).toBe('/h/.local/state/tireless');
    expect(userConfigFile({ XDG_CONFIG_HOME: '/c', HOME: '/h' })).toBe('/c/tireless/config.yaml');
    expect(userConfigFile({ HOME: '/h' })).toBe('/h/.config/tireless/config.yaml');
  });

  it('refuses to depend on the current folder', () => {
    expect(() => findHome({ TIRELESS_HOME: 'here', HOME: '/h' })).toThrow('absolute');
  });

  it('holds the store, the key, the trusted folders and a folder for each run', () => {
    const home = findHome({ TIRELESS_HOME: '/t' });
    expect(home).toMatchObject({ store: '/t/tireless.db', key: '/t/key', trust: '/t/trust.json' });
    expect(home.stateFile('20310501-073000-a1b2c3')).toBe('/t/runs/20310501-073000-a1b2c3/state.json');
  });

  it.each(['', '..', '../x', 'a/b', '.hidden', '/etc', `a${'b'.repeat(100)}`])(
    'has no folder for a run called %j',
    (run) => {
      expect(() => findHome({ TIRELESS_HOME: '/t' }).runFolder(run)).toThrow(HomeError);
    },
  );

  it('is made for its owner only, also where it stood open before', () => {
    const folder = scratchFolder();
    mkdirSync(join(folder, 'work'));
    const home = findHome({ TIRELESS_HOME: join(folder, 'a', 'home') });
    openHome(home, join(folder, 'work'));
    expect(statSync(home.dir).mode & 0o777).toBe(0o700);
    chmodSync(home.dir, 0o755);
    openHome(home, join(folder, 'work'));
    expect(statSync(home.dir).mode & 0o777).toBe(0o700);
  });

  it('is never inside the workspace, whatever it is called there', () => {
    const folder = scratchFolder();
    const work = join(folder, 'work');
    mkdirSync(work);
    symlinkSync(work, join(folder, 'link'));
    for (const dir of [
      work,
      join(work, 'state'),
      join(folder, 'link', 'deep', 'state'),
      join(work, '..', 'work', 'x'),
    ]) {
      expect(() => openHome(findHome({ TIRELESS_HOME: dir }), work), dir).toThrow('lie inside the workspace');
      expect(() => openHome(findHome({ TIRELESS_HOME: dir }), join(folder, 'link')), dir).toThrow(
        'lie inside',
      );
    }
    for (const dir of [join(folder, 'workshop'), join(folder, '..x'), join(folder, 'other'), folder]) {
      expect(() => openHome(findHome({ TIRELESS_HOME: dir }), work), dir).not.toThrow();
    }
  });

  it('is refused in a workspace that is the person’s whole home folder, with what to do', () => {
    const folder = scratchFolder();
    expect(() => openHome(findHome({ HOME: folder }), folder)).toThrow(
      'set TIRELESS_HOME to a folder outside the workspace',
    );
  });

  it('names the folder when it cannot be made', () => {
    const folder = scratchFolder();
    writeFileSync(join(folder, 'file'), '');
    mkdirSync(join(folder, 'work'));
    const home = findHome({ TIRELESS_HOME: join(folder, 'file', 'home') });
    expect(() => openHome(home, join(folder, 'work'))).toThrow(`Cannot write records to ${home.dir}`);
  });

  it('knows the real path of what does not exist yet', () => {
    const folder = scratchFolder();
    symlinkSync(folder, join(folder, 'self'));
    expect(realPath(join(folder, 'self', 'a', 'b'))).toBe(join(folder, 'a', 'b'));
  });
});
