import { reads } from '../access.ts';
import type { Call, World } from '../call.ts';
import { plain, star } from '../marks.ts';
import { type Flow, unknownFlow } from '../shell/state.ts';
import { type Arguments, belowRoot, type Family, fewer, type Knowledge, many } from './family.ts';

const grepOptions = {
  '-e --regexp': 'text',
  '-f --file': 'read',
  '-m --max-count -A --after-context -B --before-context -C --context -d --directories -D --devices --label --binary-files --include --exclude --exclude-dir':
    'text',
  '--exclude-from': 'read',
} as const;

/** `grep`: the pattern first, then files; `-r` reads folders. */
function judgeGrep(args: Arguments, call: Call, world: World): void {
  const hasPattern = args.has('-e', '--regexp', '-f', '--file');
  const files = hasPattern ? args.operands : args.operands.slice(1);
  const isTree = args.has('-r', '-R', '--recursive', '--dereference-recursive');
  for (const file of files) if (file !== '-') reads(world, call, file, isTree ? 'tree' : 'content');
}

function grepPrints(args: Arguments, call: Call): Flow {
  const hasPattern = args.has('-e', '--regexp', '-f', '--file');
  const files = (hasPattern ? args.operands : args.operands.slice(1)).filter((file) => file !== '-');
  if (args.has('--files'))
    return {
      of: 'paths',
      paths: (args.operands.length > 0 ? args.operands : ['.']).map((root) => belowRoot(root, star + plain)),
    };
  if (args.has('-l', '--files-with-matches', '-L', '--files-without-match')) {
    const roots = files.length > 0 ? files : ['.'];
    const isTree = args.has('-r', '-R', '--recursive') || call.program === 'rg' || call.program === 'ag';
    return { of: 'paths', paths: roots.map((root) => (isTree ? belowRoot(root, star + plain) : root)) };
  }
  return files.length === 0 && !args.has('-c', '-n', '-o') ? fewer(call.stdin) : unknownFlow;
}

const grep: Knowledge = { takes: 'text', options: grepOptions, also: judgeGrep, prints: grepPrints };

const searcher = (options: Knowledge['options']): Knowledge => ({
  takes: 'text',
  options: { ...options },
  also: (args, call, world) => {
    const hasPattern = args.has('-e', '--regexp', '-f', '--file', '--files', '--type-list');
    for (const file of hasPattern ? args.operands : args.operands.slice(1)) reads(world, call, file, 'tree');
  },
  prints: grepPrints,
});

/** Programs that look for text in files. */
export const searching: Family = {
  ...many(
    'grep egrep fgrep rgrep zgrep bzgrep xzgrep zegrep zfgrep ggrep pcregrep pcre2grep agrep sgrep',
    grep,
  ),
  rg: searcher({
    '-e --regexp': 'text',
    '-f --file --ignore-file': 'read',
    '--pre --hostname-bin': 'escape',
    '--pre-glob -g --glob --iglob -t --type -T --type-not -m --max-count -A -B -C --after-context --before-context --context -d --max-depth -M --max-columns -r --replace --sort --sortr -j --threads -E --encoding --color --colors --context-separator --max-filesize --type-add --type-clear --engine':
      'text',
  }),
  ...many(
    'ag ack ugrep',
    searcher({
      '-e --regexp': 'text',
      '-f --file': 'read',
      '--pager': 'escape',
      '--filter': 'is:run-any',
      '-G --file-search-regex -A -B -C --after --before --context -m --max-count --depth --ignore --ignore-dir --ignore-file --type -g':
        'text',
    }),
  ),
};
