import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import { type Detection, detectChecks } from '../../core/completion/detect.ts';
import { ecosystems } from '../../core/completion/ecosystems/registry.ts';
import { bounds } from './bounds.ts';
import { isSystemError } from './errors.ts';

/** Never looked into: installed, built or private. */
const skippedFolders = new Set([
  ...'.git .hg .svn dist build vendor .cache coverage'.split(' '),
  ...ecosystems.flatMap((each) => each.skips ?? []),
]);
const manifests = new Set(ecosystems.flatMap((each) => each.reads ?? []));
const lookedFor = ecosystems.flatMap((each) => each.looksFor ?? []);

/** Looks at the workspace, folder by folder from the top, and says which checks it asks for. */
export async function detectWorkspaceChecks(
  folder: string,
  entriesMax: number = bounds.factsEntriesMax,
): Promise<Detection> {
  const files = new Set<string>();
  const texts = new Map<string, string>();
  let level = [''];
  let entries = 0;
  for (let deep = 0; deep < bounds.factsDeepMax && level.length > 0; deep++) {
    const next: string[] = [];
    for (const at of level) {
      await breathe();
      for (const entry of entriesOf(join(folder, at))) {
        if (++entries > entriesMax) return withNote(detectChecks({ files, texts }), entriesMax);
        const path = at === '' ? entry.name : `${at}/${entry.name}`;
        if (entry.isDirectory()) {
          if (!skippedFolders.has(entry.name)) next.push(path);
        } else {
          files.add(path);
          const text = manifests.has(entry.name) ? manifestText(join(folder, path)) : null;
          if (text !== null) texts.set(path, text);
        }
      }
    }
    level = next;
  }
  for (const path of lookedFor) if (statSync(join(folder, path), { throwIfNoEntry: false })) files.add(path);
  return detectChecks({ files, texts });
}

function withNote(detection: Detection, entriesMax: number): Detection {
  const because = `more than ${entriesMax} files and folders; name the checks in the config if one is missing`;
  return {
    ...detection,
    considered: [...detection.considered, { what: 'the rest of the workspace', taken: false, because }],
  };
}

/** Sorted, so that the same workspace always gives the same answer. A folder that cannot be read holds nothing. */
function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    if (isSystemError(error)) return [];
    throw error;
  }
}

function manifestText(file: string): string | null {
  try {
    const stats = statSync(file);
    return stats.isFile() && stats.size <= bounds.manifestBytesMax ? readFileSync(file, 'utf8') : null;
  } catch (error) {
    if (isSystemError(error)) return null;
    throw error;
  }
}
