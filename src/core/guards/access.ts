import type { GuardEffectKind } from '../../contract/guard.ts';
import { type Call, report, type World } from './call.ts';
import { anything, below, firstGlob, hasAnything, hasGlob, isAllGlob, shown } from './marks.ts';
import { baseName, isInside, parentOf, resolvePath } from './paths.ts';
import {
  isOfSystem,
  isRegenerable,
  isSecret,
  isTemporary,
  isTempRoot,
  isWide,
  type Place,
  placeOf,
} from './places.ts';

/** A path as the program will see it: some expand `~` themselves. */
function located(world: World, call: Call, path: string): string | undefined {
  const given = /^~(\/|$)/.test(path) ? world.context.home + path.slice(1) : path;
  const absolute = resolvePath(given, call.state.cwd);
  world.current.touched ??= [];
  world.current.touched.push(touchedAs(world, call, given, absolute));
  return absolute;
}

/** `link/../x` lies beside what the link points to, so such a path stays as it is. A container's paths are not ours. */
function touchedAs(world: World, call: Call, given: string, absolute: string | undefined): string {
  if (absolute === undefined || world.isContained) return anything;
  if (!/[^/.][^/]*\/+(\.\/+)*\.\.(\/|$)/.test(given)) return absolute;
  return given.startsWith('/') ? given : `${call.state.cwd}/${given}`;
}

/** Where a path lies, as it was written: out of a workspace in a temporary folder and next door is not temporary. */
function placeGiven(world: World, call: Call, path: string, absolute: string | undefined): Place {
  const place = placeOf(absolute, world.context);
  if (place !== 'temp' || path.startsWith('/')) return place;
  const leaves = /(^|\/)\.\.(\/|$)/.test(path) || isTempRoot(call.state.cwd, world.context);
  return leaves && isTemporary(world.context.workspace, world.context) ? 'outside' : place;
}

const address = /^[a-z][a-z0-9+.-]+:\/\//i;

/** The content of a path is shown or copied. `tree`: with everything below it. */
export function reads(
  world: World,
  call: Call,
  path: string,
  how: 'content' | 'tree' | 'odd' = 'content',
): void {
  if (address.test(path)) {
    report(world, 'network-out', shown(path));
    return;
  }
  const absolute = located(world, call, path);
  if (absolute === undefined) {
    report(world, 'read', shown(path));
    return;
  }
  const place = placeOf(absolute, world.context);
  if (place === 'socket') {
    report(world, 'network-out', shown(path));
    return;
  }
  if (place === 'nowhere' && how !== 'odd') return;
  if (isSecret(absolute, world.context)) {
    report(world, 'read-secret', shown(path), absolute, 'read');
    return;
  }
  if (place === 'disk' || place === 'device') {
    report(world, 'read-odd', `the device ${shown(path)}`, absolute);
    return;
  }
  if (how === 'odd') {
    report(world, 'read-odd', shown(path), absolute, 'read');
    return;
  }
  if (how === 'tree' && isWide(absolute, world.context)) {
    report(world, 'read-wide', `everything in ${shown(path)}`, absolute, 'read');
    return;
  }
  const isForeign = place === 'outside' && !isOfSystem(absolute, world.context);
  report(world, isForeign ? 'read-outside' : 'read', shown(path), absolute, 'read');
}

const writeKinds: Record<Place, GuardEffectKind | undefined> = {
  unknown: 'write-outside',
  nowhere: undefined,
  socket: 'network-send',
  disk: 'destroy-disk',
  device: 'write-device',
  kernel: 'system',
  root: 'write-outside',
  home: 'write-outside',
  'workspace-root': 'write',
  'above-workspace': 'write-outside',
  'above-home': 'write-outside',
  workspace: 'write',
  git: 'git-config',
  'git-hooks': 'persistence',
  pipeline: 'pipeline-change',
  tireless: 'touch-tireless',
  'agent-hooks': 'touch-tireless',
  'agent-settings': 'agent-settings',
  startup: 'persistence',
  temp: 'write-temp',
  'temp-root': 'write-temp',
  outside: 'write-outside',
};

/** The path is created, overwritten, appended to or changed in place. */
export function writes(world: World, call: Call, path: string): void {
  if (address.test(path)) {
    report(world, 'network-send', shown(path));
    return;
  }
  const absolute = located(world, call, path);
  const place = placeGiven(world, call, path, absolute);
  const kind = writeKinds[place];
  if (!kind || absolute === undefined) {
    if (kind) report(world, kind, `${shown(path)}, a place not known before it runs`);
    return;
  }
  const isGuarded = kind === 'write' || kind === 'write-outside' || kind === 'write-temp';
  if (isGuarded && isSecret(absolute, world.context)) {
    report(world, 'write-secret', shown(path), absolute, 'write');
    return;
  }
  report(world, kind, shown(path), absolute, 'write');
}

/** The last part of the path stands for everything in its folder. */
const isEverything = (path: string): boolean => isAllGlob(baseName(path));

/** The path is removed; `tree`: with everything below it. */
export function deletes(world: World, call: Call, path: string, tree: boolean): void {
  const given = located(world, call, path);
  if (given === undefined || path === '') {
    report(
      world,
      tree ? 'delete-recursive' : 'delete-many',
      `${shown(path)}, which is not known before it runs`,
    );
    return;
  }
  const everything = isEverything(given);
  const isDeep = everything && given.includes(below);
  const target = everything ? contentOf(given) : given;
  const place = placeGiven(world, call, path, target);
  const kind = deleteKind(world, place, target, {
    given,
    everything,
    tree: tree || isDeep,
    isMany: hasGlob(given),
    isVague: hasAnything(given),
  });
  if (kind) report(world, kind, shown(path), given, 'delete');
}

/** The folder that `folder/*` or `folder/**` empties. */
function contentOf(path: string): string {
  const cut = firstGlob(path);
  const head = path.slice(0, cut === -1 ? path.length : cut);
  return head.endsWith('/') && head.length > 1
    ? head.slice(0, -1)
    : head === '/' || head === ''
      ? '/'
      : parentOf(head);
}

/** `rm -rf package-lock.json`: a name that only files have, although folders could be removed too. */
const looksLikeFile = (path: string, how: { everything: boolean }): boolean =>
  !how.everything &&
  /[^/]\.(json|lock|txt|md|ya?ml|toml|ini|cfg|conf|[cm]?[jt]sx?|css|scss|html?|svg|png|jpe?g|gif|pdf|csv|tsv|xml|sql|sh|py|rb|go|rs|java|kt|c|h|cc|cpp|hpp|php|swift|zip|tgz|tar|gz|db|sqlite3?|ipynb|map|snap)$/i.test(
    path,
  );

function deleteKind(
  world: World,
  place: Place,
  target: string,
  how: { given: string; everything: boolean; tree: boolean; isMany: boolean; isVague: boolean },
): GuardEffectKind | undefined {
  const { given, everything, tree, isMany, isVague } = how;
  const sweeps = tree || everything;
  switch (place) {
    case 'nowhere':
      return undefined;
    case 'root':
      return tree ? 'destroy-root' : 'delete-outside';
    case 'home':
    case 'above-home':
      return tree ? 'destroy-home' : 'delete-outside';
    case 'workspace-root':
      return tree ? 'destroy-workspace' : 'delete-many';
    case 'above-workspace':
      return tree ? 'destroy-workspace' : 'delete-outside';
    case 'disk':
      return 'destroy-disk';
    case 'tireless':
    case 'agent-hooks':
      return 'touch-tireless';
    case 'agent-settings':
      return 'agent-settings';
    case 'git':
    case 'git-hooks':
      return 'delete-history';
    case 'pipeline':
      return 'pipeline-change';
    case 'workspace':
      if (!isVague && isRegenerable(target, world.context.workspace)) return 'delete-regenerable';
      if (sweeps && !looksLikeFile(target, how)) return 'delete-recursive';
      return isMany || isVague ? 'delete-many' : 'delete';
    case 'temp':
      if (isMany && isTempRoot(contentOf(given), world.context)) return 'delete-outside';
      return isVague && tree ? 'delete-outside' : 'write-temp';
    default:
      return 'delete-outside';
  }
}

/** Does this path lie in a folder the script itself fetched? */
export const isFetched = (path: string | undefined, call: Call): boolean =>
  path !== undefined && [...call.state.fetched].some((folder) => isInside(path, folder));

/** A file of code is run or loaded by a program. */
export function runsFile(world: World, call: Call, path: string): void {
  if (path === '-' || /^(data|https?|ftp|file|blob):/i.test(path)) {
    report(world, 'run-any', shown(path));
    return;
  }
  const absolute = located(world, call, path);
  const place = placeOf(absolute, world.context);
  if (isFetched(absolute, call)) {
    report(world, 'run-remote', shown(path));
    return;
  }
  if (place === 'workspace' || place === 'pipeline' || place === 'workspace-root') {
    report(world, 'run-workspace', shown(path), absolute, 'read');
  } else {
    report(world, 'run-any', `${shown(path)}, a file outside the workspace`, absolute, 'read');
  }
}
