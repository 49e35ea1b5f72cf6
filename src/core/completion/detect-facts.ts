import type { Check } from '../../contract/check.ts';

/** What detection reads of a workspace. Paths are relative to it, with forward slashes. */
export interface FolderFacts {
  readonly files: ReadonlySet<string>;
  /** Texts of the manifests among the files. */
  readonly texts: ReadonlyMap<string, string>;
}

/** One thing that was looked at: a check that was taken, or why not. */
export interface Finding {
  readonly kind: 'unit' | 'e2e';
  readonly what: string;
  readonly because: string;
  readonly check?: Check;
  /** A Makefile's recipe that runs the same. */
  readonly recipe?: RegExp;
}

/** Deepest folder, counted from the workspace, where a manifest is looked for when the workspace itself has none. */
const foldersDeepMax = 2;

/** Folders whose manifests are somebody else's, made by a build, or material of tests. */
const foreignFolder =
  /(?:^|\/)(?:node_modules|vendor|third_party|__?fixtures?_?_?|testdata|tests?|examples?|templates?|dist|build|target|\.[^/]+)(?:\/|$)/;

/**
 * The folders that hold one of these files: the workspace itself (as `.`) when it does, else those near below it.
 * A manifest at the top speaks for what lies under it.
 */
export function foldersWith(facts: FolderFacts, names: readonly string[]): string[] {
  if (names.some((name) => facts.files.has(name))) return ['.'];
  const wanted = new Set(names);
  const found = new Set<string>();
  for (const path of facts.files) {
    const folder = folderOf(path);
    if (wanted.has(path.slice(folder === '.' ? 0 : folder.length + 1)) && isNear(folder)) found.add(folder);
  }
  return [...found].sort();
}

export function isNear(folder: string): boolean {
  return folder.split('/').length <= foldersDeepMax && !foreignFolder.test(folder);
}

export function folderOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? '.' : path.slice(0, slash);
}

export function inFolder(folder: string, name: string): string {
  return folder === '.' ? name : `${folder}/${name}`;
}

/** A finding that is taken. The name is the command, with the folder where that is not the workspace itself. */
export function taken(kind: Finding['kind'], folder: string, command: string, because: string): Finding {
  const name = folder === '.' ? command : `${command} (${folder})`;
  return {
    kind,
    what: name,
    because,
    check: { name: name.slice(0, 200), command, cwd: folder, source: because.slice(0, 400) },
  };
}

export function passedOver(kind: Finding['kind'], what: string, because: string): Finding {
  return { kind, what, because };
}
