import {
  type Finding,
  type FolderFacts,
  folderOf,
  inFolder,
  isNear,
  passedOver,
} from '../../detect-facts.ts';

export type Manager = 'npm' | 'pnpm' | 'yarn' | 'bun';

/** What detection reads of one package.json. */
export interface NodePackage {
  readonly folder: string;
  readonly scripts: ReadonlyMap<string, string>;
  readonly dependencies: ReadonlySet<string>;
  readonly workspaces: readonly string[];
  readonly manager: Manager;
}

/** Reads the package of a folder; null without one. One that is not JSON is told as a finding. */
export function readPackage(facts: FolderFacts, folder: string, broken: Finding[]): NodePackage | null {
  const path = inFolder(folder, 'package.json');
  const text = facts.texts.get(path);
  if (text === undefined) return null;
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    const what = error instanceof Error ? error.message : String(error);
    broken.push(
      passedOver('unit', path, `it is not valid JSON (${what}); mend it, or name the checks in the config`),
    );
    return null;
  }
  const workspaces = member(json, 'workspaces');
  const listed = Array.isArray(workspaces) ? workspaces : member(workspaces, 'packages');
  return {
    folder,
    scripts: new Map(
      entries(member(json, 'scripts')).filter(
        (pair): pair is [string, string] => typeof pair[1] === 'string',
      ),
    ),
    dependencies: new Set(
      ['dependencies', 'devDependencies'].flatMap((kind) =>
        entries(member(json, kind)).map(([name]) => name),
      ),
    ),
    workspaces: [
      ...(Array.isArray(listed) ? listed.filter((each) => typeof each === 'string') : []),
      ...(folder === '.' ? pnpmWorkspaces(facts) : []),
    ],
    manager: managerOf(facts, folder, member(json, 'packageManager')),
  };
}

function managerOf(facts: FolderFacts, folder: string, declared: unknown): Manager {
  const named = typeof declared === 'string' ? /^(npm|pnpm|yarn|bun)@/.exec(declared)?.[1] : undefined;
  if (named) return named as Manager;
  for (const at of folder === '.' ? ['.'] : [folder, '.']) {
    const has = (name: string) => facts.files.has(inFolder(at, name));
    if (has('pnpm-lock.yaml') || has('pnpm-workspace.yaml')) return 'pnpm';
    if (has('yarn.lock')) return 'yarn';
    if (has('bun.lock') || has('bun.lockb')) return 'bun';
    if (has('package-lock.json') || has('npm-shrinkwrap.json')) return 'npm';
  }
  return 'npm';
}

/** The `packages` list of pnpm-workspace.yaml: one pattern per line. */
function pnpmWorkspaces(facts: FolderFacts): string[] {
  const lines = (facts.texts.get('pnpm-workspace.yaml') ?? '').split(/\r?\n/);
  const start = lines.findIndex((line) => /^packages\s*:/.test(line));
  if (start < 0) return [];
  const found: string[] = [];
  for (const line of lines.slice(start + 1)) {
    const item = /^\s*-\s*(['"]?)(.+?)\1\s*(?:#.*)?$/.exec(line);
    if (item?.[2]) found.push(item[2]);
    else if (/^\S/.test(line) && !line.startsWith('#')) break;
  }
  return found;
}

/** The folders of the packages that the workspace's patterns name. */
export function workspaceFolders(facts: FolderFacts, root: NodePackage): string[] {
  const wanted = root.workspaces.filter((glob) => !glob.startsWith('!')).map(globPattern);
  const unwanted = root.workspaces
    .filter((glob) => glob.startsWith('!'))
    .map((glob) => globPattern(glob.slice(1)));
  return packageFolders(facts).filter(
    (folder) => wanted.some((glob) => glob.test(folder)) && !unwanted.some((glob) => glob.test(folder)),
  );
}

/** The packages near below a workspace that is none itself. */
export function nearPackages(facts: FolderFacts): string[] {
  return packageFolders(facts).filter(isNear);
}

function packageFolders(facts: FolderFacts): string[] {
  return [...facts.files]
    .filter((path) => path.endsWith('/package.json') && !/(?:^|\/)node_modules\//.test(path))
    .map(folderOf)
    .sort();
}

/** `packages/*`, `apps/**`, `tools/one`: the patterns workspaces use. */
function globPattern(glob: string): RegExp {
  const parts = glob.replace(/^\.\//, '').replace(/\/+$/, '').split('/');
  const source = parts.map((part) =>
    part === '**' ? '.+' : part.replace(/[.+^${}()|[\]\\?]/g, '\\$&').replaceAll('*', '[^/]*'),
  );
  return new RegExp(`^${source.join('/')}$`);
}

function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}

function entries(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}
