import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { settingsSchema } from '../../src/contract/config.ts';
import { policySchema } from '../../src/contract/policy.ts';
import { leavesOf } from '../../src/edge/config/layers.ts';
import { type LoadFrom, loadConfig } from '../../src/edge/config/load.ts';
import { durationMs, durationWords, momentAt } from '../../src/edge/config/moments.ts';
import { editDistance, suggestion } from '../../src/edge/config/suggest.ts';
import { noon, scratch } from './scratch.ts';

describe('the configuration', () => {
  it('is the defaults where nobody wrote anything', () => {
    const config = scratch().load();
    expect(config.policy).toEqual(policySchema.parse({}));
    expect(config).toMatchObject({
      mode: 'once',
      checks: 'auto',
      agent: { args: [], sandbox: 'workspace-write' },
    });
    expect(config.notices).toEqual([]);
    expect(config.project).toBeUndefined();
  });

  it('keeps every other default when a file sets one key of a section', () => {
    const { policy } = scratch({ user: 'limits: { turnsMax: 7 }' }).load();
    expect(policy).toEqual({
      ...policySchema.parse({}),
      limits: { ...policySchema.parse({}).limits, turnsMax: 7 },
    });
  });

  it('lets flags beat the project, the project the person, and the person the defaults', () => {
    const config = scratch({
      user: 'limits: { turnsMax: 90, failuresMax: 4, denialsMax: 2 }',
      project: 'limits: { turnsMax: 80, failuresMax: 3 }',
    }).load({ limits: { turnsMax: 70 } });
    expect(config.policy.limits).toMatchObject({
      turnsMax: 70,
      failuresMax: 3,
      denialsMax: 2,
      expiriesMax: 3,
    });
    expect(config.origins).toMatchObject({
      'limits.turnsMax': 'flag',
      'limits.failuresMax': 'project',
      'limits.denialsMax': 'user',
      'limits.expiriesMax': 'default',
    });
  });

  it('lets a flag loosen what the person wrote', () => {
    expect(
      scratch({ user: 'limits: { turnsMax: 5 }' }).load({ limits: { turnsMax: 500 } }).policy.limits.turnsMax,
    ).toBe(500);
  });

  it('names the layer of every setting', () => {
    const { origins } = scratch().load();
    expect(Object.keys(origins).sort()).toEqual(
      leavesOf(settingsSchema.parse({}))
        .map(([key]) => key)
        .sort(),
    );
  });

  it('adds up declared secrets and guard rules of all layers', () => {
    const rule = (name: string) =>
      `{ name: ${name}, verdict: forbid, because: b, when: { program: ${name} }, applies: [${name}] }`;
    const config = scratch({
      user: `{ secrets: { env: [A] }, guards: { rules: [${rule('x')}], effects: { install: forbid } } }`,
      project: `{ secrets: { env: [B] }, guards: { rules: [${rule('y')}], effects: { publish: forbid } } }`,
    }).load({ secrets: { env: ['C'] } });
    expect(config.secrets.env).toEqual(['A', 'B', 'C']);
    expect(config.guards.rules.map(({ name }) => name)).toEqual(['x', 'y']);
    expect(config.guards.effects).toEqual({ install: 'forbid', publish: 'forbid' });
  });

  it('says so when the layers together hold too much', () => {
    const names = (prefix: string) => Array.from({ length: 150 }, (_, index) => `${prefix}${index}`);
    const [problem] = scratch({ user: `secrets: { env: [${names('A')}] }` }).problems({
      secrets: { env: names('B') },
    });
    expect(problem).toMatchObject({ file: 'all config files and flags together', key: 'secrets.env' });
  });

  it('gives checks of a file their source and a folder', () => {
    const { checks } = scratch({ user: 'checks: [{ name: unit, command: npm test }]' }).load();
    expect(checks).toEqual([{ name: 'unit', command: 'npm test', cwd: '.', source: 'config' }]);
  });

  it.each(['', '# only a comment\n', '---\n', 'limits:\n  # turnsMax: 3\n', '\uFEFFmode: once\r\n'])(
    'takes %j for a file that changes nothing',
    (user) => {
      expect(scratch({ user }).load().policy).toEqual(policySchema.parse({}));
    },
  );
});

describe('the digest of the configuration', () => {
  it('is the same for the same settings however they were written', () => {
    const block = scratch({
      user: 'limits:\n  turnSilenceMs: 30m\n  turnsMax: 5\nmode: once\nguards:\n  effects: { install: ask, publish: forbid }\n',
    }).load();
    const flow = scratch({
      user: '{ guards: { effects: { publish: forbid, install: ask } }, mode: once, limits: { turnsMax: 5, turnSilenceMs: 1800000 } }',
    }).load();
    expect(flow.digest).toBe(block.digest);
    expect(flow.digest).toMatch(/^[0-9a-f]{64}$/);
  });

  it('changes with a setting, and not with the day on which a clock time is read', () => {
    const { from, load } = scratch({ user: 'limits: { until: 07:30 }' });
    expect(load({ limits: { turnsMax: 6 } }).digest).not.toBe(load().digest);
    const tomorrow = loadConfig({ ...from, nowAt: noon + 86_400_000 });
    expect(tomorrow.policy.limits.until).not.toBe(load().policy.limits.until);
    expect(tomorrow.digest).toBe(load().digest);
  });
});

describe('cycles', () => {
  it('are one unless the run is autonomous, then what the person wrote, else ten', () => {
    expect(scratch({ user: 'autonomousMaxCycles: 4' }).load().policy.limits.cyclesMax).toBe(1);
    expect(
      scratch({ user: '{ mode: autonomous, autonomousMaxCycles: 4 }' }).load().policy.limits.cyclesMax,
    ).toBe(4);
    const unsaid = scratch({ user: 'mode: autonomous' }).load();
    expect(unsaid.policy.limits.cyclesMax).toBe(10);
    expect(unsaid.autonomousMaxCycles).toBeUndefined();
  });

  it('are the flag’s, else what the person wrote, else what the agent’s file says, else ten', () => {
    const { from } = scratch({ user: '{ mode: autonomous, autonomousMaxCycles: 4 }' });
    const bare = scratch({ user: 'mode: autonomous' }).from;
    const agentFile = { maxCycles: 15 };
    const cycles = (given: LoadFrom): number => loadConfig(given).policy.limits.cyclesMax;
    expect(cycles({ ...from, agentFile, flags: { autonomousMaxCycles: 2 } })).toBe(2);
    expect(cycles({ ...from, agentFile })).toBe(4);
    expect(cycles({ ...bare, agentFile })).toBe(15);
    expect(cycles(bare)).toBe(10);
    expect(cycles({ ...bare, agentFile: { maxCycles: 1_000 } })).toBe(100);
  });

  it('are worked when the agent’s file says so, unless the person says otherwise', () => {
    const agentFile = { mode: 'autonomous', maxCycles: 15 } as const;
    expect(loadConfig({ ...scratch().from, agentFile })).toMatchObject({
      mode: 'autonomous',
      policy: { limits: { cyclesMax: 15 } },
    });
    const once = loadConfig({ ...scratch({ user: 'mode: once' }).from, agentFile });
    expect(once).toMatchObject({ mode: 'once', policy: { limits: { cyclesMax: 1 } } });
  });

  it('asked for in a run of one window are told to be ignored', () => {
    const config = scratch().load({ autonomousMaxCycles: 5 });
    expect(config.policy.limits.cyclesMax).toBe(1);
    expect(config.notices[0]).toMatchObject({ keys: ['autonomousMaxCycles'], fix: 'Add --mode autonomous.' });
  });

  it.each([
    [0, 1],
    [-3, 1],
    [101, 100],
  ])('asked for as %i become %i, with a notice', (asked, used) => {
    const config = scratch({ user: `{ mode: autonomous, autonomousMaxCycles: ${asked} }` }).load();
    expect(config.policy.limits.cyclesMax).toBe(used);
    expect(config.autonomousMaxCycles).toBe(used);
    expect(config.notices[0]).toMatchObject({ keys: ['autonomousMaxCycles'] });
    expect(config.notices[0]?.message).toContain(`${asked} cycles are set; ${used} will be used`);
  });
});

describe('durations', () => {
  it.each([
    ['90s', 90_000],
    ['30m', 1_800_000],
    ['2h', 7_200_000],
    ['1h30m', 5_400_000],
    ['1.5h', 5_400_000],
    ['1d', 86_400_000],
    ['250ms', 250],
    [1_234, 1_234],
  ])('read %s as %i ms', (written, ms) => {
    expect(durationMs(written)).toBe(ms);
  });

  it.each(['', '30', 'm', '30 m', '-5m', '0s', '1e3s', '30M', '1h 30m'])('do not read %j', (written) => {
    expect(durationMs(written)).toBeUndefined();
  });

  it('are written the way they are read', () => {
    for (const words of ['30m', '1h30m', '1d', '1s250ms', '4h'])
      expect(durationWords(durationMs(words) ?? 0)).toBe(words);
    expect(durationWords(0)).toBe('0ms');
  });

  it('count in every key that ends in Ms', () => {
    const { policy } = scratch({
      user: '{ limits: { turnSilenceMs: 20m }, gates: { timeoutMs: 1h } }',
    }).load();
    expect(policy.limits.turnSilenceMs).toBe(1_200_000);
    expect(policy.gates.timeoutMs).toBe(3_600_000);
  });
});

describe('a moment', () => {
  beforeEach(() => vi.stubEnv('TZ', 'Europe/Berlin'));
  afterEach(() => vi.unstubAllEnvs());
  const iso = (written: string, nowAt = noon) => {
    const at = momentAt(written, nowAt);
    return at === undefined ? undefined : new Date(at).toISOString();
  };

  it('given as clock time is the next one on this clock', () => {
    expect(iso('07:30')).toBe('2031-05-02T05:30:00.000Z');
    expect(iso('7:30')).toBe('2031-05-02T05:30:00.000Z');
    expect(iso('23:00')).toBe('2031-05-01T21:00:00.000Z');
    expect(iso('14:00')).toBe('2031-05-02T12:00:00.000Z');
  });

  it('keeps its clock time across the end of summer time', () => {
    expect(iso('07:30', Date.parse('2031-10-25T20:00:00Z'))).toBe('2031-10-26T06:30:00.000Z');
  });

  it('given as date is local unless it names a zone', () => {
    expect(iso('2031-06-01T07:30')).toBe('2031-06-01T05:30:00.000Z');
    expect(iso('2031-06-01 07:30:15')).toBe('2031-06-01T05:30:15.000Z');
    expect(iso('2031-06-01T07:30Z')).toBe('2031-06-01T07:30:00.000Z');
    expect(iso('2031-06-01T07:30+09:00')).toBe('2031-05-31T22:30:00.000Z');
  });

  it.each([
    '24:00',
    '7:60',
    '2031-02-30T07:30',
    '2031-13-01T07:30',
    '2031-06-01T25:00',
    'tomorrow',
    '2031-06-01',
  ])('is not %s', (written) => expect(iso(written)).toBeUndefined());

  it('becomes part of the policy, and is named when it has passed', () => {
    expect(scratch({ user: 'limits: { until: 07:30 }' }).load().policy.limits.until).toBe(
      Date.parse('2031-05-02T05:30Z'),
    );
    const past = scratch({ user: 'limits: { until: "2031-04-30T07:30" }' }).load();
    expect(past.notices[0]?.message).toContain('has passed');
  });
});

describe('a suggestion', () => {
  it('counts letters added, removed, changed and swapped', () => {
    expect(editDistance('turns', 'turns')).toBe(0);
    expect(editDistance('tunrs', 'turns')).toBe(1);
    expect(editDistance('trns', 'turns')).toBe(1);
    expect(editDistance('', 'abc')).toBe(3);
  });

  it('is the nearest word, or none when nothing is near', () => {
    expect(suggestion('turns_max', ['tokensMax', 'turnsMax'])).toBe('turnsMax');
    expect(suggestion('chekcs', ['checks', 'gates'])).toBe('checks');
    expect(suggestion('banana', ['checks', 'gates'])).toBeUndefined();
  });
});
