import { createHash } from 'node:crypto';
import { type ConfigFile, type ConfigKey, type Settings, settingsSchema } from '../../contract/config.ts';
import { ConfigError } from './problems.ts';

/** Who set a value; a later one beats the earlier ones. */
export type Layer = 'default' | 'user' | 'project' | 'flag';

type Values = Record<string, unknown>;

/** Settings to which every layer adds: a project must not be able to drop what the person declared. */
const joinedKeys: readonly string[] = ['secrets.env', 'guards.rules', 'guards.effects'] satisfies ConfigKey[];

/** Every setting of a config with its value; `undefined` counts as not set. */
export function leavesOf(config: ConfigFile | Settings): [ConfigKey, unknown][] {
  return Object.entries(config).flatMap(([key, value]): [ConfigKey, unknown][] => {
    const leaves = isSection(value)
      ? Object.entries(value).map(([inner, one]) => [`${key}.${inner}`, one])
      : [[key, value]];
    return (leaves as [ConfigKey, unknown][]).filter(([, one]) => one !== undefined);
  });
}

/** The config with only the settings that `keep` wants. */
export function pickKeys(config: ConfigFile, keep: (key: ConfigKey) => boolean): ConfigFile {
  return fromLeaves(leavesOf(config).filter(([key]) => keep(key)));
}

/** `upper` over `lower`, setting by setting. */
export function mergeLayers(lower: ConfigFile, upper: ConfigFile): ConfigFile {
  const merged = new Map<ConfigKey, unknown>(leavesOf(lower));
  for (const [key, value] of leavesOf(upper)) {
    merged.set(key, joinedKeys.includes(key) ? joined(merged.get(key), value) : value);
  }
  return fromLeaves([...merged]);
}

function joined(below: unknown, value: unknown): unknown {
  if (Array.isArray(below) && Array.isArray(value)) return [...below, ...value];
  return isSection(below) && isSection(value) ? { ...below, ...value } : value;
}

/** Fills every setting that no layer set. Each layer is sound by itself; only lists they share can grow too long. */
export function resolveSettings(config: ConfigFile): Settings {
  const settings = settingsSchema.safeParse(config);
  if (settings.success) return settings.data;
  throw new ConfigError(
    settings.error.issues.map(({ path, message }) => ({
      file: 'all config files and flags together',
      key: path.join('.'),
      message,
      fix: 'Remove some of it from one of them.',
    })),
  );
}

/** Which layer gave each setting its value. */
export function originsOf(
  layers: readonly (readonly [Layer, ConfigFile])[],
): Partial<Record<ConfigKey, Layer>> {
  const defaults = leavesOf(resolveSettings({})).map(([key]) => [key, 'default'] as const);
  const set = layers.flatMap(([layer, config]) => leavesOf(config).map(([key]) => [key, layer] as const));
  return Object.fromEntries([...defaults, ...set]);
}

/** SHA-256 of the settings in one fixed spelling: the same settings give the same digest, however they were written. */
export function settingsDigest(settings: Settings): string {
  return createHash('sha256').update(canonicalJson(settings)).digest('hex');
}

function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, one: unknown) =>
    isSection(one) ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1))) : one,
  );
}

function fromLeaves(leaves: readonly [ConfigKey, unknown][]): ConfigFile {
  const config: Values = {};
  for (const [key, value] of leaves) {
    const [section = '', inner] = key.split('.');
    if (inner === undefined) config[section] = value;
    else config[section] = { ...(config[section] as Values | undefined), [inner]: value };
  }
  return config as ConfigFile;
}

function isSection(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
