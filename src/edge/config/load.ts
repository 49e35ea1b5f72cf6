import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import { isAbsolute, join, normalize } from 'node:path';
import type { Check } from '../../contract/check.ts';
import type { ConfigFile, ConfigKey, Settings } from '../../contract/config.ts';
import {
  autonomousCyclesDefault,
  autonomousCyclesMax,
  autonomousCyclesMin,
} from '../../contract/constants.ts';
import { type Policy, policySchema } from '../../contract/policy.ts';
import { fullContext, loadGuardConfig } from '../../core/guards/index.ts';
import { type Env, type Home, userConfigFile } from '../home.ts';
import { checkShape } from './check-shape.ts';
import { type Layer, leavesOf, mergeLayers, originsOf, resolveSettings, settingsDigest } from './layers.ts';
import { durationMs, momentAt } from './moments.ts';
import { ConfigError, type Problem } from './problems.ts';
import { readConfigText } from './read-text.ts';
import { type Position, readYaml } from './read-yaml.ts';
import { isTrusted, splitByTrust } from './trust.ts';

export interface LoadFrom {
  readonly home: Home;
  readonly workspace: string;
  readonly env: Env;
  /** What the command line said, in the shape of a config file. */
  readonly flags?: unknown;
  /** What the agent's own file says of itself; whatever a person set counts before it. */
  readonly agentFile?: { readonly mode?: Settings['mode']; readonly maxCycles?: number };
  readonly nowAt: number;
}

/** Something the person should see although the configuration can be used. */
interface Notice {
  readonly file: string;
  readonly keys: readonly ConfigKey[];
  readonly message: string;
  readonly fix: string;
}

/** All settings, resolved, with who set each of them. */
export interface Config
  extends Pick<Settings, 'agent' | 'mode' | 'notifications' | 'secrets' | 'guards' | 'advice' | 'memory'> {
  readonly policy: Policy;
  /** Set by a person; absent, an agent's own file may say how many cycles it wants. */
  readonly autonomousMaxCycles?: number;
  readonly checks: 'auto' | readonly Check[];
  /** Of the settings as written, so that `until: 07:30` gives the same digest every day. */
  readonly digest: string;
  readonly origins: Partial<Record<ConfigKey, Layer>>;
  readonly notices: readonly Notice[];
  /** The project's file, if there is one; `digest` is what `trustFolder` takes. */
  readonly project?: { readonly file: string; readonly digest: string; readonly trusted: boolean };
}

interface ReadLayer {
  readonly config: ConfigFile;
  readonly problems: readonly Problem[];
  /** Of the file's text; absent without a file. */
  readonly digest?: string;
}

/** The project's config file, the only thing of ours in a workspace. */
export const projectConfigFile = (workspace: string): string => join(workspace, '.tireless', 'config.yaml');

/** Reads and joins all layers: defaults < user < project < flags. Throws one `ConfigError` with the problems of all of them. */
export function loadConfig({ home, workspace, env, flags, agentFile = {}, nowAt }: LoadFrom): Config {
  const userFile = userConfigFile(env);
  const projectFile = projectConfigFile(workspace);
  const user = readLayer(userFile, nowAt);
  const project = readLayer(projectFile, nowAt);
  const flag = shapeLayer('flags', flags ?? {}, nowAt);
  const problems = [...user.problems, ...project.problems, ...flag.problems];
  if (problems.length > 0) throw new ConfigError(problems);

  const notices: Notice[] = [];
  const trust = project.digest ? isTrusted(home, workspace, project.digest) : { trusted: false };
  const base = { settings: resolveSettings(user.config), nowAt };
  const { tight, loose } = splitByTrust(project.config, base);
  if (loose.length > 0 && !trust.trusted) notices.push(untrustedNotice(projectFile, loose, trust.problem));

  const layers: [Layer, ConfigFile][] = [
    ['user', user.config],
    ['project', trust.trusted ? project.config : tight],
    ['flag', flag.config],
  ];
  const origins = originsOf(layers);
  const written = resolveSettings(
    layers.reduce<ConfigFile>((below, [, config]) => mergeLayers(below, config), {}),
  );
  const settings = origins.mode === 'default' ? { ...written, ...modeOf(agentFile) } : written;
  const fileOf = { default: 'defaults', user: userFile, project: projectFile, flag: 'flags' };
  const told = (key: ConfigKey, message: string, fix: string) =>
    notices.push({ file: fileOf[origins[key] ?? 'default'], keys: [key], message, fix });
  const guarded = loadGuardConfig(
    settings.guards,
    fullContext({ workspace, tirelessHome: home.dir, home: env.HOME || homedir() }),
  );
  if ('problems' in guarded) {
    const file = fileOf[origins['guards.rules'] ?? origins['guards.effects'] ?? 'user'];
    const fix = 'Fix or remove it; an example must match its rule.';
    throw new ConfigError(guarded.problems.map((message) => ({ file, message, fix })));
  }
  const cycles = clampedCycles(settings, agentFile.maxCycles, told);
  if (settings.mode === 'once' && origins.autonomousMaxCycles === 'flag')
    told(
      'autonomousMaxCycles',
      'cycles are set, but the run has a single context window',
      'Add --mode autonomous.',
    );
  return {
    policy: policyOf(settings, cycles, nowAt, told),
    agent: settings.agent,
    mode: settings.mode,
    autonomousMaxCycles: settings.autonomousMaxCycles === undefined ? undefined : cycles,
    checks:
      settings.checks === 'auto' ? 'auto' : settings.checks.map((check) => ({ ...check, source: 'config' })),
    notifications: settings.notifications,
    secrets: settings.secrets,
    guards: settings.guards,
    advice: settings.advice,
    memory: settings.memory,
    digest: settingsDigest(settings),
    origins,
    notices,
    project: project.digest
      ? { file: projectFile, digest: project.digest, trusted: trust.trusted }
      : undefined,
  };
}

type Tell = (key: ConfigKey, message: string, fix: string) => void;

function policyOf(settings: Settings, cycles: number, nowAt: number, tell: Tell): Policy {
  const { until: written, ...limits } = settings.limits;
  const until = written === undefined ? undefined : momentAt(written, nowAt);
  if (until !== undefined && until <= nowAt) {
    tell('limits.until', `${written} has passed, so no turn will start`, 'Set a later moment.');
  }
  const { approvals, review, gates, recentDecisions } = settings;
  const { enabled, answers, confidenceMin, model } = settings.advice;
  if (enabled && model === undefined) {
    const missing = 'no decision model is set, so the run will pause when one is needed';
    tell('advice.enabled', missing, 'Set advice.model, e.g. ollama:llama3.2, or advice.enabled: false.');
  }
  return policySchema.parse({
    limits: { ...limits, until, cyclesMax: settings.mode === 'autonomous' ? cycles : 1 },
    approvals,
    review,
    gates,
    advice: { enabled, answers: enabled && answers, confidenceMin },
    guards: settings.guards,
    recentDecisions,
  });
}

const modeOf = ({ mode }: NonNullable<LoadFrom['agentFile']>): Partial<Pick<Settings, 'mode'>> =>
  mode === undefined ? {} : { mode };

/** The person's word first, then the agent's own file, then the default. */
function clampedCycles(
  { autonomousMaxCycles: set }: Settings,
  wanted: number | undefined,
  tell: Tell,
): number {
  const asked = set ?? wanted ?? autonomousCyclesDefault;
  const cycles = Math.min(autonomousCyclesMax, Math.max(autonomousCyclesMin, asked));
  if (cycles !== asked) {
    const range = `${autonomousCyclesMin} to ${autonomousCyclesMax}`;
    tell('autonomousMaxCycles', `${asked} cycles are set; ${cycles} will be used`, `Choose ${range}.`);
  }
  return cycles;
}

function untrustedNotice(
  file: string,
  loose: readonly { key: ConfigKey; because: string }[],
  problem?: string,
): Notice {
  const list = loose.map(({ key, because }) => `${key} (${because})`).join('; ');
  return {
    file,
    keys: loose.map(({ key }) => key),
    message: `${problem ? `${problem} So these` : 'These'} settings are ignored, because you have not trusted this folder: ${list}`,
    fix: 'Read the file, then accept them with `tireless run --trust` or `tireless init --trust`.',
  };
}

function readLayer(file: string, nowAt: number): ReadLayer {
  const read = readConfigText(file);
  if ('absent' in read) return { config: {}, problems: [] };
  if ('problem' in read) return { config: {}, problems: [read.problem] };
  const yaml = readYaml(file, read.text);
  if (yaml.problems.length > 0) return { config: {}, problems: yaml.problems };
  const digest = createHash('sha256').update(read.text).digest('hex');
  return { ...shapeLayer(file, yaml.value, nowAt, yaml.where), digest };
}

type Where = (path: readonly PropertyKey[]) => Position | undefined;

/** A layer with durations in ms. What only looks right (`0s`, February 30, a check outside the workspace) is a problem here. */
function shapeLayer(file: string, value: unknown, nowAt: number, where: Where = () => undefined): ReadLayer {
  const shaped = checkShape(file, value, where);
  if ('problems' in shaped) return { config: {}, problems: shaped.problems };
  const problems: Problem[] = [];
  const report = (path: PropertyKey[], message: string, fix: string) =>
    problems.push({ file, ...where(path), key: path.join('.'), message, fix });
  let config = shaped.config;
  for (const [key, written] of leavesOf(config)) {
    if (!key.endsWith('Ms')) continue;
    const ms = durationMs(written as string | number);
    if (ms === undefined)
      report(key.split('.'), `${written} is not a duration above zero`, 'Write at least 1ms.');
    else config = mergeLayers(config, shapedLeaf(key, ms));
  }
  const until = config.limits?.until;
  if (until !== undefined && momentAt(until, nowAt) === undefined) {
    report(['limits', 'until'], `${until} does not exist`, 'Check the day and the hour.');
  }
  for (const [index, check] of Array.isArray(config.checks) ? config.checks.entries() : []) {
    if (!isAbsolute(check.cwd) && !normalize(check.cwd).startsWith('..')) continue;
    report(['checks', index, 'cwd'], `${check.cwd} is outside the workspace`, 'Name a folder inside it.');
  }
  return { config, problems };
}

function shapedLeaf(key: ConfigKey, value: number): ConfigFile {
  const [section = '', inner = ''] = key.split('.');
  return { [section]: { [inner]: value } } as ConfigFile;
}
