import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { ConfigFile, ConfigKey } from '../../contract/config.ts';
import { digestSchema } from '../../contract/text.ts';
import { replaceFile } from '../atomic-file.ts';
import { type Home, HomeError, realPath } from '../home.ts';
import { leavesOf, pickKeys } from './layers.ts';
import { type Base, tightenings } from './tighten.ts';

/** Folders remembered; the ones trusted longest ago are forgotten first. */
const foldersMax = 1_000;

const trustFileSchema = z.strictObject({
  version: z.literal(1),
  folders: z.record(z.string(), z.strictObject({ digest: digestSchema, trustedAt: z.number() })),
});
type TrustFile = z.infer<typeof trustFileSchema>;

/** A key of the project file that does not count, because it loosens and nobody trusted the folder. */
export interface Loosening {
  readonly key: ConfigKey;
  readonly because: string;
}

/** Splits a project file into what counts without trust and what would loosen what holds now. */
export function splitByTrust(
  project: ConfigFile,
  base: Base,
): { tight: ConfigFile; loose: readonly Loosening[] } {
  const now = new Map<ConfigKey, unknown>(leavesOf(base.settings));
  const loose = leavesOf(project)
    .filter(([key, value]) => !tightenings[key].tightens(value, now.get(key), base))
    .map(([key]) => ({ key, because: tightenings[key].because }));
  const dropped = new Set(loose.map(({ key }) => key));
  return { tight: pickKeys(project, (key) => !dropped.has(key)), loose };
}

/** Whether the person trusted this folder with exactly this content of its config file. `problem`: the trust file cannot be read, so nothing is trusted. */
export function isTrusted(
  home: Home,
  folder: string,
  digest: string,
): { trusted: boolean; problem?: string } {
  const read = readTrust(home);
  if ('problem' in read) return { trusted: false, problem: read.problem };
  return { trusted: read.file.folders[realPath(folder)]?.digest === digest };
}

/** Remembers that the person trusts `folder` with the config file of this digest. A changed file is untrusted again. */
export async function trustFolder(
  home: Home,
  folder: string,
  digest: string,
  trustedAt: number,
): Promise<void> {
  const read = readTrust(home);
  if ('problem' in read)
    throw new HomeError(read.problem, `Repair or remove ${home.trust}, then trust the folder again.`);
  const others = Object.entries(read.file.folders).filter(([path]) => path !== realPath(folder));
  const kept = others.sort(([, a], [, b]) => b.trustedAt - a.trustedAt).slice(0, foldersMax - 1);
  const folders = Object.fromEntries([[realPath(folder), { digest, trustedAt }], ...kept]);
  await replaceFile(home.trust, `${JSON.stringify({ version: 1, folders } satisfies TrustFile, null, 2)}\n`);
}

function readTrust(home: Home): { file: TrustFile } | { problem: string } {
  let text: string;
  try {
    text = readFileSync(home.trust, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      return { file: { version: 1, folders: {} } };
    return { problem: `${home.trust} cannot be read (${error instanceof Error ? error.message : error}).` };
  }
  try {
    const file = trustFileSchema.safeParse(JSON.parse(text));
    if (file.success) return { file: file.data };
    return { problem: `${home.trust} is not a list of trusted folders this version understands.` };
  } catch (error) {
    return { problem: `${home.trust} is damaged (${error instanceof Error ? error.message : error}).` };
  }
}
