import { deletes, reads, writes } from '../access.ts';
import { type Call, report, type World } from '../call.ts';
import { plain, shown, star } from '../marks.ts';
import { resolvePath } from '../paths.ts';
import { placeOf } from '../places.ts';
import { type Flow, nothing } from '../shell/state.ts';
import { type Arguments, asGlob, belowRoot, type Family, many } from './family.ts';

/** Tests of `find` that take one value and only look. */
const valued =
  /^-(name|iname|path|ipath|wholename|iwholename|lname|ilname|regex|iregex|regextype|type|xtype|size|mtime|atime|ctime|mmin|amin|cmin|newer|anewer|cnewer|newer[aBcm][aBcmt]|used|user|group|uid|gid|perm|links|inum|samefile|maxdepth|mindepth|fstype|context|printf|depth_)$/;
const lone =
  /^(-(print|print0|ls|depth|d|mount|xdev|x|follow|prune|empty|readable|writable|executable|nouser|nogroup|true|false|daystart|noleaf|warn|nowarn|ignore_readdir_race|noignore_readdir_race|quit|not|and|a|o|or|H|L|P|E|X|s|D|O\d|help|version)|!|\(|\)|,)$/;
/** Tests that leave everything as it was: the tree is still whole. */
const noFilter =
  /^-(type|xtype|maxdepth|mindepth|depth|mount|xdev|follow|regextype|daystart|print|print0|ls)$/;

interface Search {
  roots: string[];
  names: string[];
  isFiltered: boolean;
  /** Commands of `-exec` and its kin. */
  commands: string[][];
  deletes: boolean;
  prints: string[];
  strange: string[];
}

function readSearch(args: readonly string[]): Search {
  const search: Search = {
    roots: [],
    names: [],
    isFiltered: false,
    commands: [],
    deletes: false,
    prints: [],
    strange: [],
  };
  let at = 0;
  while (at < args.length && /^-([HLPEXsd]+|O\d|D)$/.test(args[at] as string))
    at += args[at] === '-D' ? 2 : 1;
  while (at < args.length && !/^[-!(),]/.test(args[at] as string)) search.roots.push(args[at++] as string);
  let negated = false;
  for (; at < args.length; at++) {
    const arg = args[at] as string;
    const value = args[at + 1] ?? '';
    if (/^-i?name$/.test(arg) && !negated) search.names.push(asGlob(value));
    if (!noFilter.test(arg) && (valued.test(arg) || arg === '-empty' || arg === '-executable'))
      search.isFiltered = true;
    negated = arg === '!' || arg === '-not';
    if (/^-(exec|execdir|ok|okdir)$/.test(arg)) at = readCommand(args, at + 1, search);
    else if (arg === '-delete') search.deletes = true;
    else if (/^-(fprint|fprint0|fls|fprintf)$/.test(arg)) {
      search.prints.push(value);
      at += arg === '-fprintf' ? 2 : 1;
    } else if (valued.test(arg)) at++;
    else if (!lone.test(arg)) search.strange.push(arg);
  }
  if (search.roots.length === 0) search.roots.push('.');
  return search;
}

function readCommand(args: readonly string[], from: number, search: Search): number {
  let end = from;
  while (end < args.length && args[end] !== ';' && !(args[end] === '+' && args[end - 1] === '{}')) end++;
  search.commands.push(args.slice(from, end));
  return end;
}

/** What the search finds: any path below its roots, narrowed by name where it can be. */
function foundPaths(search: Search): string[] {
  const names = search.names.length > 0 ? search.names : [search.isFiltered ? star + plain : star];
  return search.roots.flatMap((root) => names.map((name) => belowRoot(root, name)));
}

function judgeFind(_args: Arguments, call: Call, world: World): void {
  const search = readSearch(call.args);
  const found = foundPaths(search);
  for (const word of search.strange) report(world, 'unknown', `${shown(word)} of find`);
  for (const path of search.prints) writes(world, call, path);
  if (search.deletes) for (const path of found) deletes(world, call, path, !search.isFiltered);
  for (const command of search.commands) {
    for (const path of found) {
      world.run(
        command.map((word) => word.replaceAll('{}', () => path)),
        { ...call, depth: call.depth + 1 },
        { stdin: nothing },
      );
    }
  }
  for (const root of search.roots) {
    if (placeOf(resolvePath(root, call.state.cwd), world.context) === 'socket') reads(world, call, root);
  }
}

function fdCommand(args: Arguments, call: Call, world: World): void {
  const attached = args.value('--exec', '--exec-batch', '-x', '-X');
  if (attached !== undefined) world.run([attached], call, { stdin: nothing });
  const at = call.args.findIndex((arg) => /^(-x|-X|--exec|--exec-batch)$/.test(arg));
  if (at === -1) return;
  const roots = args.operands.slice(1);
  const path = belowRoot(roots[0] ?? '.', star + plain);
  const words = call.args.slice(at + 1).map((word) => word.replaceAll(/\{[./]*\}/g, () => path));
  world.run(words.includes(path) ? words : [...words, path], call, { stdin: nothing });
}

export const find: Family = {
  ...many('find gfind bfs', {
    own: true,
    also: judgeFind,
    prints: (_args: Arguments, call: Call): Flow => {
      const search = readSearch(call.args);
      return { of: 'paths', paths: foundPaths(search) };
    },
  }),
  ...many('fd fdfind', {
    stops: false,
    takes: 'text',
    flags: { '-x --exec -X --exec-batch': 'text' },
    options: {
      '-e --extension -t --type -d --max-depth -E --exclude -S --size --changed-within --changed-before -j --threads -c --color --min-depth --max-results --base-directory --search-path':
        'text',
    },
    also: fdCommand,
    prints: (args: Arguments): Flow => ({
      of: 'paths',
      paths: [belowRoot(args.operands[1] ?? '.', star + plain)],
    }),
  }),
  ...many('locate mlocate plocate mdfind', {
    takes: 'text',
    options: { '-d --database': 'odd', '-l --limit -n': 'text' },
  }),
};
