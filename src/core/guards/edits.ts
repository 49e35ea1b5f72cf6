import type { Action } from '../../contract/action.ts';
import { deletes, writes } from './access.ts';
import { type Call, report, type World } from './call.ts';
import type { GuardContext } from './context.ts';
import { changesScripts } from './diffs.ts';
import { shown } from './marks.ts';
import { baseName } from './paths.ts';
import { freshState } from './shell/state.ts';

/** A call that only carries where paths start. */
export const placeOnly = (context: GuardContext): Call =>
  ({ state: freshState(context.cwd ?? context.workspace), secrets: [] }) as unknown as Call;

/** A change of files by an edit tool has the effects a shell would have. */
export function judgeEdit(action: Action, context: GuardContext, world: World): void {
  const call = placeOnly(context);
  const diff = action.rendered.text;
  const paths = action.paths ?? [];
  if (paths.length === 0) {
    report(world, 'unknown', 'an edit that names no file');
    return;
  }
  for (const path of paths) {
    const given = path.startsWith('~/') ? context.home + path.slice(1) : path;
    if (isDeletion(diff, path)) deletes(world, call, given, false);
    else writes(world, call, given);
    if (baseName(path) === 'package.json' && changesScripts(sectionOf(diff, path))) {
      report(world, 'pipeline-change', `the scripts of ${shown(path)}`);
    }
  }
}

/** The part of a diff about one file; the whole text when it names no files. */
function sectionOf(diff: string, path: string): string {
  const lines = diff.split('\n');
  const heads = lines.flatMap((line, index) =>
    /^(diff --git|\*\*\* (Update|Add|Delete) File:|--- |Index: )/.test(line) ? [index] : [],
  );
  const start = heads.find((index) => lines[index]?.includes(path));
  if (start === undefined) return diff;
  const name = baseName(path);
  const end = heads.find((index) => index > start && !lines[index]?.includes(name));
  return lines.slice(start, end).join('\n');
}

function isDeletion(diff: string, path: string): boolean {
  if (diff.includes(`*** Delete File: ${path}`)) return true;
  const section = sectionOf(diff, path);
  return /^\+\+\+ \/dev\/null$/m.test(section) || /^deleted file mode/m.test(section);
}
