import { readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type ConfigFile, type ConfigKey, settingsSchema } from '../../src/contract/config.ts';
import { projectConfigFile } from '../../src/edge/config/load.ts';
import { tightenings } from '../../src/edge/config/tighten.ts';
import { isTrusted, splitByTrust, trustFolder } from '../../src/edge/config/trust.ts';
import { noon, scratch, scratchFolder, write } from './scratch.ts';

const rule = (verdict: 'allow' | 'forbid') => ({
  name: 'r',
  verdict,
  because: 'b',
  when: { program: 'x' },
  applies: ['x'],
  leaves: [],
});

/** For every setting: what holds without the project, what it may say untrusted, and what it may not. */
const cases: Record<ConfigKey, { base?: unknown; tight?: unknown[]; loose?: unknown[] }> = {
  'agent.name': { base: 'codex', tight: ['codex'], loose: ['opencode'] },
  'agent.command': { loose: ['/tmp/evil'] },
  'agent.args': { tight: [[]], loose: [['--yolo']] },
  'agent.model': { loose: ['big'] },
  'agent.sandbox': { tight: ['read-only', 'workspace-write'], loose: ['none'] },
  mode: { tight: ['once'], loose: ['autonomous'] },
  autonomousMaxCycles: { tight: [1, 10], loose: [11] },
  'limits.turnsMax': { base: 50, tight: [1, 50], loose: [51, 199] },
  'limits.tokensMax': { tight: [1_000_000] },
  'limits.moneyMax': { base: 5, tight: [4.5], loose: [5.01] },
  'limits.activeHoursMax': { tight: [0.5, 12], loose: [12.5] },
  'limits.until': {
    base: '2031-05-02T07:30',
    tight: ['2031-05-02T07:29', '2031-05-02T07:30'],
    loose: ['2031-05-02T07:31'],
  },
  'limits.noProgressTurns': { tight: [1, 3], loose: [4] },
  'limits.sameErrorTimes': { tight: [1, 3], loose: [4] },
  'limits.compactionsMax': { tight: [1, 3], loose: [4] },
  'limits.denialsMax': { tight: [1, 3], loose: [4] },
  'limits.failuresMax': { tight: [1, 5], loose: [6] },
  'limits.adviceMissesMax': { tight: [1, 3], loose: [4] },
  'limits.expiriesMax': { tight: [1, 3], loose: [4] },
  'limits.turnSilenceMs': { tight: [60_000], loose: [1_800_001] },
  'limits.turnTotalMs': { tight: [60_000], loose: [14_400_001] },
  'limits.backgroundWaitMs': { tight: [1], loose: [1_800_001] },
  'limits.interruptGraceMs': { tight: [1], loose: [30_001] },
  'limits.checkTimeoutMs': { tight: [1], loose: [900_001] },
  'limits.cycleTokensMax': { tight: [1, 500_000], loose: [500_001] },
  'limits.wrapUpAt': { tight: [0.1, 0.8], loose: [0.81] },
  'limits.closingTurnsMax': { tight: [1, 3], loose: [4] },
  approvals: { tight: ['pause', 'policy'], loose: ['never-ask'] },
  review: { tight: ['never'], loose: ['before-completion', 'on-error'] },
  'gates.timeoutMs': { tight: [1], loose: [1_800_001] },
  'gates.whenUnanswered': { tight: ['stop', 'deny'], loose: ['wait'] },
  'advice.enabled': { tight: [false], loose: [true] },
  'advice.answers': { base: false, tight: [false], loose: [true] },
  'advice.confidenceMin': { tight: [0.55, 1], loose: [0.54] },
  'advice.model': { base: 'codex', tight: ['codex'], loose: ['ollama:llama3.2'] },
  'advice.baseUrl': { loose: ['https://example.com/v1'] },
  'advice.timeoutMs': { tight: [1, 60_000], loose: [60_001] },
  'memory.model': { base: 'codex', tight: ['codex'], loose: ['ollama:llama3.2'] },
  'memory.baseUrl': { loose: ['https://example.com/v1'] },
  'memory.embeddings': { loose: ['ollama:nomic-embed-text'] },
  'memory.embeddingsBaseUrl': { loose: ['https://example.com/v1'] },
  'memory.timeoutMs': { tight: [1, 120_000], loose: [120_001] },
  recentDecisions: { tight: [1, 5], loose: [6] },
  checks: { tight: ['auto'], loose: [[], [{ name: 'a', command: 'true', cwd: '.' }]] },
  'notifications.desktop': { tight: [true], loose: [false] },
  'notifications.webhook': { loose: ['https://example.com/x'] },
  'notifications.slack': { loose: ['https://example.com/x'] },
  'notifications.links': { loose: ['https://example.com/x'] },
  'secrets.env': { tight: [['A_VARIABLE']] },
  'guards.rules': {
    tight: [[rule('forbid')], []],
    loose: [[rule('allow')], [rule('forbid'), rule('allow')]],
  },
  'guards.effects': { tight: [{ publish: 'forbid' }], loose: [{ publish: 'ask' }, { install: 'allow' }] },
  'guards.hosts': { base: ['a.example', 'b.example'], tight: [['a.example'], []], loose: [['c.example']] },
  'guards.protectedBranches': { base: ['main'], tight: [['main', 'next']], loose: [[], ['next']] },
};

const configWith = (key: string, value: unknown): ConfigFile => {
  const [section = '', inner] = key.split('.');
  return (inner === undefined ? { [section]: value } : { [section]: { [inner]: value } }) as ConfigFile;
};

/** What a clock on this wall shows at that moment. */
const clockAt = (at: number) => {
  const date = new Date(at);
  return [date.getHours(), date.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':');
};

describe('a project file nobody trusted', () => {
  it.each(Object.entries(cases))('may only tighten %s', (key, { base, tight = [], loose = [] }) => {
    const settings = settingsSchema.parse(base === undefined ? {} : configWith(key, base));
    const split = (value: unknown) => splitByTrust(configWith(key, value), { settings, nowAt: noon });
    for (const value of tight) {
      expect(split(value), JSON.stringify(value)).toEqual({ tight: configWith(key, value), loose: [] });
    }
    for (const value of loose) {
      expect(split(value), JSON.stringify(value)).toMatchObject({ tight: {}, loose: [{ key }] });
    }
    expect(tight.length + loose.length).toBeGreaterThan(0);
  });

  it('has a reason for every setting', () => {
    for (const { because, counts } of Object.values(tightenings)) expect(because && counts).toBeTruthy();
  });

  it('is heard where it tightens and ignored with a notice where it loosens', () => {
    const { load, projectFile } = scratch({
      project:
        'limits: { turnsMax: 20, failuresMax: 9 }\napprovals: never-ask\nchecks: [{ name: a, command: b }]\n',
    });
    const config = load();
    expect(config.policy.limits).toMatchObject({ turnsMax: 20, failuresMax: 5 });
    expect(config).toMatchObject({
      checks: 'auto',
      policy: { approvals: 'policy' },
      project: { trusted: false },
    });
    expect(config.origins).toMatchObject({
      'limits.turnsMax': 'project',
      'limits.failuresMax': 'default',
      checks: 'default',
    });
    expect(config.notices).toHaveLength(1);
    expect(config.notices[0]).toMatchObject({
      file: projectFile,
      keys: ['limits.failuresMax', 'approvals', 'checks'],
    });
    expect(config.notices[0]?.message).toContain('approvals (you are asked about more)');
    expect(config.notices[0]?.fix).toContain('tireless run --trust');
  });

  it('is compared with what the person wrote, not with the defaults', () => {
    const { load } = scratch({ user: 'limits: { turnsMax: 50 }', project: 'limits: { turnsMax: 100 }' });
    expect(load().policy.limits.turnsMax).toBe(50);
    const raised = scratch({ user: 'limits: { turnsMax: 500 }', project: 'limits: { turnsMax: 300 }' });
    expect(raised.load().policy.limits.turnsMax).toBe(300);
  });

  it('is compared by the moment a clock time means now', () => {
    const user = 'limits: { until: "2031-05-01T20:00Z" }';
    const untilOf = (project: string) => scratch({ user, project }).load().origins['limits.until'];
    expect(untilOf('limits: { until: "2031-05-01T19:00Z" }')).toBe('project');
    expect(untilOf(`limits: { until: ${clockAt(noon + 3_600_000)} }`)).toBe('project');
    expect(untilOf(`limits: { until: ${clockAt(noon - 3_600_000)} }`)).toBe('user');
  });

  it('cannot drop a rule or a secret the person declared', () => {
    const { load } = scratch({
      user: '{ secrets: { env: [MINE] }, guards: { effects: { publish: forbid } } }',
      project: '{ secrets: { env: [] }, guards: { effects: { install: forbid } } }',
    });
    expect(load().secrets.env).toEqual(['MINE']);
    expect(load().guards.effects).toEqual({ publish: 'forbid', install: 'forbid' });
  });

  it('says nothing where nothing was ignored', () => {
    expect(scratch({ project: 'limits: { turnsMax: 3 }' }).load().notices).toEqual([]);
  });
});

describe('trust', () => {
  const loosening = 'approvals: never-ask\n';

  it('lets a project file count whole', async () => {
    const { load, from } = scratch({ project: loosening });
    await trustFolder(from.home, from.workspace, load().project?.digest ?? '', noon);
    expect(load()).toMatchObject({
      policy: { approvals: 'never-ask' },
      notices: [],
      project: { trusted: true },
    });
  });

  it('ends when the file changes, and returns with the old content', async () => {
    const { load, from, projectFile } = scratch({ project: loosening });
    await trustFolder(from.home, from.workspace, load().project?.digest ?? '', noon);
    write(projectFile, `${loosening}# changed\n`);
    expect(load().policy.approvals).toBe('policy');
    write(projectFile, loosening);
    expect(load().policy.approvals).toBe('never-ask');
  });

  it('belongs to the real folder, under whatever name, and to no other', async () => {
    const { load, from } = scratch({ project: loosening });
    const digest = load().project?.digest ?? '';
    await trustFolder(from.home, from.workspace, digest, noon);
    const link = join(scratchFolder(), 'link');
    symlinkSync(from.workspace, link);
    expect(isTrusted(from.home, link, digest)).toEqual({ trusted: true });
    const copy = scratchFolder();
    write(projectConfigFile(copy), loosening);
    expect(isTrusted(from.home, copy, digest)).toEqual({ trusted: false });
  });

  it('of one folder keeps the others, in a file for its owner only', async () => {
    const { from } = scratch();
    const [one, two] = [scratchFolder(), scratchFolder()];
    const digest = 'a'.repeat(64);
    await trustFolder(from.home, one, digest, 1);
    await trustFolder(from.home, two, digest, 2);
    expect([one, two].map((folder) => isTrusted(from.home, folder, digest).trusted)).toEqual([true, true]);
    expect(statSync(from.home.trust).mode & 0o777).toBe(0o600);
  });

  it('forgets the folders trusted longest ago when there are very many', async () => {
    const { from } = scratch();
    const digest = 'a'.repeat(64);
    const folders = Object.fromEntries(
      Array.from({ length: 1_000 }, (_, n) => [`/f${n}`, { digest, trustedAt: n }]),
    );
    writeFileSync(from.home.trust, JSON.stringify({ version: 1, folders }));
    await trustFolder(from.home, from.workspace, digest, 5_000);
    expect(isTrusted(from.home, '/f0', digest).trusted).toBe(false);
    expect(isTrusted(from.home, '/f1', digest).trusted).toBe(true);
  });

  it.each([
    ['damaged', '{ "version": 1, '],
    ['newer', '{ "version": 2, "folders": {} }'],
    ['another file', '[]'],
  ])('is given to nobody by a file that is %s, which is kept as it is', async (_what, text) => {
    const { load, from } = scratch({ project: loosening });
    writeFileSync(from.home.trust, text);
    expect(load().policy.approvals).toBe('policy');
    expect(load().notices[0]?.message).toContain(from.home.trust);
    await expect(trustFolder(from.home, from.workspace, 'a'.repeat(64), noon)).rejects.toThrow(
      'Repair or remove',
    );
    expect(readFileSync(from.home.trust, 'utf8')).toBe(text);
  });
});
