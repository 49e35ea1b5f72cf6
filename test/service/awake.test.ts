import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { awakeCommand, makeAwake } from '../../src/edge/awake/awake.ts';
import { processStart } from '../../src/edge/lock.ts';
import { type Desk, desk } from './desk.ts';

/** A systemd-inhibit that writes down its process and becomes the command it was given. */
function fakeInhibit(here: Desk): () => number[] {
  const log = join(here.folder, 'inhibit.log');
  here.program(
    'systemd-inhibit',
    `echo $$ >> ${log}\nwhile [ "\${1#--}" != "$1" ]; do shift; done\nexec "$@"`,
  );
  return () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n').map(Number) : []);
}

const gone = (pid: number | undefined) => vi.waitFor(() => expect(processStart(pid ?? 0)).toBeNull(), 5_000);

describe('keeping the machine awake', () => {
  it('holds one lock while a turn runs, and lets go after it', async () => {
    const here = desk();
    const held = fakeInhibit(here);
    const awake = makeAwake(here.env, 'linux');
    awake.on();
    awake.on();
    await vi.waitFor(() => expect(held()).toHaveLength(1), 5_000);
    expect(processStart(held()[0] ?? 0)).not.toBeNull();
    awake.off();
    await gone(held()[0]);
    awake.off();
    awake.on();
    await vi.waitFor(() => expect(held()).toHaveLength(2), 5_000);
    awake.off();
    await gone(held()[1]);
  });

  it('follows the run: awake at work and between turns, asleep while it waits or rests', async () => {
    const here = desk();
    const held = fakeInhibit(here);
    const awake = makeAwake(here.env, 'linux');
    awake.follow({ state: 'waiting', waitingOn: 'usage-limit' });
    awake.follow({ state: 'paused', waitingOn: null });
    awake.follow({ state: 'running', waitingOn: null });
    awake.follow({ state: 'deciding', waitingOn: null });
    awake.follow({ state: 'waiting', waitingOn: 'turn-slot' });
    awake.follow({ state: 'waiting', waitingOn: 'background' });
    await vi.waitFor(() => expect(held()).toHaveLength(1), 5_000);
    awake.follow({ state: 'waiting', waitingOn: 'approval' });
    await gone(held()[0]);
    expect(held()).toHaveLength(1);
  });

  it('lets go with its process, however that ends', async () => {
    const here = desk();
    const held = fakeInhibit(here);
    const file = join(here.folder, 'keeper.ts');
    const source = resolve(import.meta.dirname, '../../src/edge/awake/awake.ts');
    writeFileSync(
      file,
      `import { makeAwake } from ${JSON.stringify(source)};\nmakeAwake(process.env, 'linux').on();\nsetInterval(() => undefined, 1_000);\n`,
    );
    const keeper = spawn(process.execPath, [file], { env: here.env, stdio: 'ignore' });
    await vi.waitFor(() => expect(held()).toHaveLength(1), 10_000);
    keeper.kill('SIGKILL');
    await gone(held()[0]);
  }, 20_000);

  it('keeps no finished process from ending', async () => {
    const here = desk();
    fakeInhibit(here);
    const file = join(here.folder, 'short.ts');
    const source = resolve(import.meta.dirname, '../../src/edge/awake/awake.ts');
    writeFileSync(
      file,
      `import { makeAwake } from ${JSON.stringify(source)};\nmakeAwake(process.env, 'linux').on();\n`,
    );
    const child = spawn(process.execPath, [file], { env: here.env, stdio: 'ignore' });
    const code = await new Promise((done) => child.once('exit', done));
    expect(code).toBe(0);
  }, 20_000);

  it('gives up quietly where the tool refuses, and does nothing where there is none', async () => {
    const here = desk();
    const log = join(here.folder, 'refused.log');
    here.program('systemd-inhibit', `echo no >> ${log}\nexit 1`);
    const awake = makeAwake(here.env, 'linux');
    const tries = () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n').length : 0);
    await vi.waitFor(
      () => {
        awake.on();
        expect(tries()).toBe(3);
      },
      { timeout: 5_000, interval: 50 },
    );
    for (let i = 0; i < 5; i++) {
      awake.on();
      spawnSync(join(here.folder, 'bin/systemd-inhibit')); // takes as long as a fourth try of its own would
    }
    expect(tries()).toBe(8);
    expect(awakeCommand('linux', { PATH: '/nowhere' }, 1)).toBeNull();
    expect(awakeCommand('win32', here.env, 1)).toBeNull();
    makeAwake({ PATH: '' }, 'linux').on();
  });

  it('asks caffeinate on a Mac to end with us', () => {
    const here = desk();
    const path = here.program('caffeinate', 'true');
    expect(awakeCommand('darwin', here.env, 4711)).toEqual([path, '-i', '-s', '-w', '4711']);
  });
});
