import { deletes, writes } from '../access.ts';
import { type Call, report, type World } from '../call.ts';
import { changesScripts } from '../diffs.ts';
import { hasAnything, shown } from '../marks.ts';
import { type Arguments, type Family, many } from './family.ts';

/** The files a patch in the agents' own format names, each as what happens to it. */
function judgePatch(text: string, call: Call, world: World): void {
  if (hasAnything(text)) {
    report(world, 'opaque', 'a patch that is not known before it is applied');
    return;
  }
  const files = [...text.matchAll(/^\*\*\* (Add File|Update File|Delete File|Move to): (.+)$/gm)];
  if (files.length === 0) report(world, 'unknown', 'a patch that names no file');
  for (const [, verb, path = ''] of files) {
    if (verb === 'Delete File') deletes(world, call, path.trim(), false);
    else writes(world, call, path.trim());
    if (/(^|\/)package\.json$/.test(path.trim()) && changesScripts(text)) {
      report(world, 'pipeline-change', `the scripts of ${shown(path)}`);
    }
  }
}

export const patching: Family = {
  ...many('apply_patch applypatch', {
    own: true,
    also: (_args: Arguments, call: Call, world: World) => {
      const given = call.args[0];
      if (given !== undefined) judgePatch(given, call, world);
      else if (call.stdin.of === 'text') judgePatch(call.stdin.text, call, world);
      else report(world, 'opaque', 'a patch that is not known before it is applied');
    },
  }),
};
