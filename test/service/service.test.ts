import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { RunView } from '../../src/contract/index.ts';
import { processStart } from '../../src/edge/lock.ts';
import { servicePlace } from '../../src/edge/service/unit.ts';
import { openInline } from '../../src/edge/store/inline.ts';
import { teller } from '../report/night.ts';
import { type Desk, desk } from './desk.ts';

const unitOf = (here: Desk): string => join(here.env.HOME ?? '', '.config/systemd/user/tireless.service');

/** A systemctl that only remembers what it was told. */
const fakeSystemd = (here: Desk, exitCode = 0): (() => string) => {
  const log = join(here.folder, 'systemctl.log');
  here.program('systemctl', `echo "$@" >> ${log}\nexit ${exitCode}`);
  return () => (existsSync(log) ? readFileSync(log, 'utf8') : '');
};

const analyze = 'systemd-analyze';
const onLinux = it.runIf(process.platform === 'linux');

describe('tireless service', () => {
  onLinux('shows what it would write, and writes nothing', async () => {
    const here = desk();
    const told = fakeSystemd(here);
    const { out } = await here.type('service', 'install', '--print');
    expect(out).toContain('ExecStart=');
    expect(out).toContain(`Environment="TIRELESS_HOME=${here.env.TIRELESS_HOME}"`);
    expect(existsSync(unitOf(here))).toBe(false);
    expect(told()).toBe('');
  });

  onLinux('installs, says so, and takes it all back', async () => {
    const here = desk();
    const told = fakeSystemd(here);
    expect((await here.type('service', 'status')).out).toContain('not installed');
    expect((await here.type('service', 'install')).code).toBe(0);
    expect(told()).toBe('--user daemon-reload\n--user enable tireless.service\n');
    expect((await here.type('service', 'status')).out).toMatch(/: enabled$/);
    expect((await here.type('service', 'install')).code).toBe(0);
    expect((await here.type('service', 'uninstall')).out).toContain('Removed');
    expect(existsSync(unitOf(here))).toBe(false);
    expect(told()).toContain('--user disable tireless.service');
    expect((await here.type('service', 'uninstall')).out).toBe('Nothing to remove.');
  });

  onLinux('writes a unit that systemd itself can read', async () => {
    const here = desk();
    fakeSystemd(here);
    await here.type('service', 'install');
    const seen = spawnSync(analyze, ['verify', '--user', '--man=no', unitOf(here)], { encoding: 'utf8' });
    if (seen.error !== undefined) return; // not a machine with systemd
    expect(seen.stderr.split('\n').filter((line) => line.includes('tireless.service'))).toEqual([]);
  });

  onLinux('never replaces or removes what somebody else wrote', async () => {
    const here = desk();
    fakeSystemd(here);
    mkdirSync(dirname(unitOf(here)), { recursive: true });
    writeFileSync(unitOf(here), '[Service]\nExecStart=/bin/mine\n');
    for (const verb of ['install', 'uninstall']) {
      const { err, code } = await here.type('service', verb);
      expect({ verb, told: err.includes('was not written by Tireless'), code }).toEqual({
        verb,
        told: true,
        code: 1,
      });
    }
    expect(readFileSync(unitOf(here), 'utf8')).toContain('/bin/mine');
  });

  onLinux('says how to finish by hand where systemd does not take it', async () => {
    const here = desk();
    fakeSystemd(here, 1);
    const { err, code } = await here.type('service', 'install');
    expect(code).toBe(1);
    expect(err).toContain('systemctl --user daemon-reload && systemctl --user enable tireless.service');
  });

  it('is not for a supervised agent', async () => {
    const here = desk();
    const told = fakeSystemd(here);
    here.env.TIRELESS_RUN = 'some-run';
    for (const verb of ['install', 'uninstall']) expect((await here.type('service', verb)).code).toBe(2);
    expect(told()).toBe('');
  });

  it('carries paths with spaces, quotes, percent and dollar signs through to both platforms', () => {
    const odd = '/opt/my "tools"/100%/$HOME/a&b<c';
    const plan = { command: [odd, 'service', 'run'], env: { PATH: odd }, log: odd };
    const unit = servicePlace('linux', { HOME: '/home/ada' }, plan, 1_000)?.content ?? '';
    expect(unit).toContain(String.raw`ExecStart="/opt/my \"tools\"/100%%/$$HOME/a&b<c" "service" "run"`);
    expect(unit).toContain(String.raw`Environment="PATH=/opt/my \"tools\"/100%%/$HOME/a&b<c"`);
    const mac = servicePlace('darwin', { HOME: '/Users/ada' }, plan, 501);
    expect(mac?.file).toBe('/Users/ada/Library/LaunchAgents/dev.tireless.resume.plist');
    expect(mac?.content).toContain('<string>/opt/my &quot;tools&quot;/100%/$HOME/a&amp;b&lt;c</string>');
    expect(mac?.enable[0]?.[2]).toBe('gui/501');
    expect(servicePlace('win32', {}, plan, 0)).toBeNull();
  });

  it('writes no secret into the unit', async () => {
    const here = desk();
    here.env.OPENAI_API_KEY = 'sk-very-secret';
    expect((await here.type('service', 'install', '--print')).out).not.toContain('sk-very-secret');
  });
});

describe('after a restart of the machine', () => {
  const script = {
    asks: false,
    paceMs: 0,
    turns: [{ steps: [{ run: 'sleep 600' }], message: 'It was a long sleep.' }],
  };

  it('goes on with a run whose keeper was killed, and leaves what the person paused or ended', async () => {
    const here = desk();
    writeFileSync(join(here.folder, 'script.json'), JSON.stringify(script));
    const begun = await here.type(
      ...[
        'run',
        '--agent',
        'scripted',
        '--script',
        join(here.folder, 'script.json'),
        '--yes',
        '--detach',
        '--json',
      ],
      ...['--check', 'true', 'wait for it'],
    );
    const run = String(JSON.parse(begun.out.split('\n').at(-1) ?? '{}').run);
    const store = openInline(here.home.store);
    const keeper = await holder(here, run);
    process.kill(keeper, 'SIGKILL');
    await vi.waitFor(() => expect(processStart(keeper)).toBeNull(), 5_000);
    await here.keep(teller().entries);

    const first = JSON.parse((await here.type('service', 'run', '--json')).out);
    expect(first.started).toContain(run);
    const next = await holder(here, run);
    expect(next).not.toBe(keeper);
    expect(JSON.parse((await here.type('service', 'run', '--json')).out).kept).toContain(run);

    await here.type('stop', '--now', run);
    await ended(store, run);
    await vi.waitFor(() => expect(processStart(next)).toBeNull(), 15_000);
    expect((await here.type('service', 'run', '--json')).out).not.toContain(run);
    await store.close();
  }, 60_000);
});

/** The process that keeps a run, as soon as there is one. */
async function holder(here: Desk, run: string): Promise<number> {
  const log = await vi.waitFor(
    async () => {
      const { out } = await here.type('logs', '--json', run);
      const started = out
        .split('\n')
        .map((line) => JSON.parse(line || '{}'))
        .filter((entry) => entry.event?.type === 'keeper-started');
      const pid = started.at(-1)?.event.pid;
      expect(processStart(Number(pid))).not.toBeNull();
      return Number(pid);
    },
    { timeout: 20_000, interval: 100 },
  );
  return log;
}

async function ended(store: ReturnType<typeof openInline>, run: string): Promise<void> {
  const isOver = (view: RunView | null): boolean => view?.state === 'stopped';
  await new Promise<void>((resolve) => {
    const look = async (): Promise<void> => {
      if (!isOver(await store.view(run))) return;
      stop();
      resolve();
    };
    const stop = store.subscribe(run, () => void look());
    void look();
  });
}
