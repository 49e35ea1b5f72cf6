import type { GuardEffectKind } from '../../contract/guard.ts';
import { type Call, report, type World } from './call.ts';
import { hasAnything, hasGlob, shown } from './marks.ts';
import { baseName, parentOf, resolvePath } from './paths.ts';
import { isRegenerable, isSecret, isWide, type Place, placeOf } from './places.ts';

/** The content of a path is shown or copied. `tree`: with everything below it. */
export function reads(world: World, call: Call, path: string, how: 'content' | 'tree' | 'odd' = 'content'): void {
  const absolute = resolvePath(path, call.state.cwd);
  if (absolute === undefined) return report(world, 'read', shown(path));
  const place = placeOf(absolute, world.context);
  if (place === 'socket') return report(world, 'network-out', shown(path));
  if (place === 'nowhere' && how !== 'odd') return;
  if (isSecret(absolute, world.context)) return report(world, 'read-secret', shown(path), absolute, 'read');
  if (place === 'disk' || place === 'device') return report(world, 'read-odd', `the device ${shown(path)}`, absolute);
  if (how === 'odd') return report(world, 'read-odd', shown(path), absolute, 'read');
  if (how === 'tree' && isWide(absolute, world.context)) {
    return report(world, 'read-wide', `everything in ${shown(path)}`, absolute, 'read');
  }
  report(world, 'read', shown(path), absolute, 'read');
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
  const absolute = resolvePath(path, call.state.cwd);
  const place = placeOf(absolute, world.context);
  const kind = writeKinds[place];
  if (!kind || absolute === undefined) {
    if (kind) report(world, kind, `${shown(path)}, a place not known before it runs`);
    return;
  }
  const isGuarded = kind === 'write' || kind === 'write-outside' || kind === 'write-temp';
  if (isGuarded && isSecret(absolute, world.context)) {
    return report(world, 'write-secret', shown(path), absolute, 'write');
  }
  report(world, kind, shown(path), absolute, 'write');
}

/** The last part of the path stands for everything in its folder. */
const isEverything = (path: string): boolean => /^[\u0002-\u0004.]+$/.test(baseName(path)) && hasGlob(path);

/** The path is removed; `tree`: with everything below it. */
export function deletes(world: World, call: Call, path: string, tree: boolean): void {
  const given = resolvePath(path, call.state.cwd);
  if (given === undefined || path === '') {
    return report(world, tree ? 'delete-recursive' : 'delete-many', `${shown(path)}, which is not known before it runs`);
  }
  const everything = isEverything(given);
  const target = everything ? contentOf(given) : given;
  const place = placeOf(target, world.context);
  const kind = deleteKind(world, place, target, { everything, tree, isMany: hasGlob(given), isVague: hasAnything(given) });
  if (kind) report(world, kind, shown(path), given, 'delete');
}

/** The folder that `folder/*` or `folder/**` empties. */
function contentOf(path: string): string {
  const cut = path.search(/[\u0002-\u0004]/);
  const head = path.slice(0, cut === -1 ? path.length : cut);
  return head.endsWith('/') && head.length > 1 ? head.slice(0, -1) : head === '/' || head === '' ? '/' : parentOf(head);
}

function deleteKind(
  world: World,
  place: Place,
  target: string,
  how: { everything: boolean; tree: boolean; isMany: boolean; isVague: boolean },
): GuardEffectKind | undefined {
  const { everything, tree, isMany, isVague } = how;
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
      if (sweeps) return 'delete-recursive';
      return isMany || isVague ? 'delete-many' : 'delete';
    case 'temp':
      return isVague && tree ? 'delete-outside' : 'write-temp';
    default:
      return 'delete-outside';
  }
}

/** A file of code is run or loaded by a program. */
export function runsFile(world: World, call: Call, path: string): void {
  const absolute = resolvePath(path, call.state.cwd);
  const place = placeOf(absolute, world.context);
  if (place === 'workspace' || place === 'pipeline' || place === 'workspace-root') {
    report(world, 'run-workspace', shown(path), absolute, 'read');
  } else {
    report(world, 'run-any', `${shown(path)}, a file outside the workspace`, absolute, 'read');
  }
}
