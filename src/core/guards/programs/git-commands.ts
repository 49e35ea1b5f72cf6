import { reads } from '../access.ts';
import { type Call, report, type World } from '../call.ts';
import { judgeKey } from '../environment.ts';
import { plain, shown, star } from '../marks.ts';
import { resolvePath } from '../paths.ts';
import { type Flow, unknownFlow } from '../shell/state.ts';
import { type Arguments, belowRoot, type Family, type Knowledge, many } from './family.ts';
import { gitRemote } from './git-remote.ts';

/** Objects and paths that are shown: `HEAD:.env` is as secret as `.env`. */
function shows(args: Arguments, call: Call, world: World): void {
  for (const operand of args.operands) {
    const colon = operand.indexOf(':');
    const path = colon > 0 ? operand.slice(colon + 1) : operand;
    if (path !== '' && !/^[\w^~@{}.-]+\.\.+[\w^~@{}.-]+$/.test(path)) reads(world, call, path);
  }
}

const showing: Knowledge = {
  takes: 'text',
  options: {
    '--output': 'write',
    '-O': 'text',
    '-n --max-count -S -G -L --since --until --after --before --author --grep --format --pretty --date --skip --committer -U --unified --stat-width --word-diff-regex --diff-filter --find-object -l --color --abbrev --branches --tags --remotes --glob --exclude --sort --contains --no-contains --merged --points-at --match --column':
      'text',
  },
  flags: { '--ext-diff --textconv': 'is:run-any' },
  also: shows,
  prints: (args) => (args.has('--name-only', '--diff-filter') ? listedPaths() : unknownFlow),
};

const listedPaths = (): Flow => ({ of: 'paths', paths: [belowRoot('.', star + plain)] });

/** Could this word be a file rather than a branch? */
const looksLikeFile = (word: string): boolean =>
  word === '.' ||
  word.startsWith('./') ||
  word.endsWith('/') ||
  (/\.[A-Za-z]\w{0,5}$/.test(word) && !/^v?\d/.test(word)) ||
  hasStar(word);
const hasStar = (word: string): boolean => word.includes('*') || word.includes(star);

function judgeCheckout(args: Arguments, call: Call, world: World): void {
  const at = call.args.indexOf('--');
  const isNew = args.has('-b', '-B', '--orphan', '-t', '--track', '--detach');
  if (args.has('-f', '--force')) report(world, 'git-discard', 'uncommitted changes');
  const paths =
    at !== -1
      ? call.args.slice(at + 1)
      : isNew
        ? []
        : args.operands.filter((word, index) => index > 0 || looksLikeFile(word));
  if (args.has('-p', '--patch') || paths.length > 0)
    report(world, 'git-discard', shown(paths.join(' ')) || 'uncommitted changes');
  report(world, 'git-local', shown(`checkout ${args.operands.join(' ')}`));
}

function judgeConfig(args: Arguments, call: Call, world: World): void {
  const [first = '', ...more] = args.operands;
  const words =
    /^(get|list|set|unset|get-all|rename-section|remove-section|edit)$/.test(first) && !first.includes('.')
      ? more
      : args.operands;
  const isReading =
    args.has(
      '-l',
      '--list',
      '--get',
      '--get-all',
      '--get-regexp',
      '--show-origin',
      '--get-urlmatch',
      '--get-color',
      '--get-colorbool',
    ) || /^(get|list|get-all)$/.test(first);
  const [key = '', value] = words;
  if (args.has('-e', '--edit') || first === 'edit') {
    report(world, 'interactive', 'git config --edit');
    return;
  }
  if (
    isReading ||
    (value === undefined && !args.has('--unset', '--unset-all', '--add') && first !== 'unset')
  ) {
    report(world, 'read', shown(`git config ${key}`));
    return;
  }
  judgeKey(key, value ?? '', call, world);
  if (
    /^(alias\.|core\.(hookspath|fsmonitor|editor|pager|sshcommand)|credential|filter\.|include|url\.|http\.|remote\.|push\.default|init\.templatedir)/i.test(
      key,
    )
  )
    report(world, 'git-config', shown(`${key}=${value ?? ''}`));
  if (args.has('--global', '--system') || args.has('-f', '--file'))
    report(world, 'persistence', shown(`${key}=${value ?? ''}, for every repository`));
  report(world, 'git-local', shown(`config ${key}`));
}

function judgeRemove(args: Arguments, call: Call, world: World): void {
  const isSweep = args.operands.some(
    (path) =>
      path === '.' ||
      path === '*' ||
      path === star ||
      resolvePath(path, call.state.cwd) === world.context.workspace,
  );
  if (args.has('--cached')) {
    report(world, 'git-local', 'git rm --cached');
    return;
  }
  if (args.has('-f', '--force') && args.has('-r'))
    report(world, 'delete-recursive', shown(args.operands.join(' ')));
  else if (isSweep && args.has('-r')) report(world, 'delete-recursive', shown(args.operands.join(' ')));
  else report(world, 'delete', shown(args.operands.join(' ')));
}

const local: Knowledge = { is: 'git-local', takes: 'text' };
const discards: Knowledge = { is: 'git-discard', takes: 'text' };
const destroys: Knowledge = { is: 'git-destroy', takes: 'text' };

/** What a flag turns a local command into. */
const unless = (
  flags: string,
  kind: 'git-discard' | 'git-rewrite' | 'git-destroy',
  options: Knowledge['options'] = {},
): Knowledge => ({ is: 'git-local', takes: 'text', options, flags: { [flags]: `is:${kind}` } });

const commit: Knowledge = {
  is: 'git-local',
  takes: 'text',
  options: {
    '-m --message -c --reedit-message -C --reuse-message --author --date --fixup --squash --cleanup --trailer -u --untracked-files --pathspec-from-file':
      'text',
    '-F --file -t --template': 'read',
  },
  flags: { '--amend': 'is:git-rewrite' },
};

export const gitCommands: Family = {
  ...many(
    'status shortlog describe rev-list ls-tree name-rev merge-base cherry range-diff var version help count-objects fsck verify-commit verify-tag verify-pack show-ref for-each-ref diff-tree diff-files diff-index check-ignore check-attr check-mailmap check-ref-format stripspace show-branch cat-file get-tar-commit-id patch-id merge-tree column bugreport diagnose fast-export',
    showing,
  ),
  ...many('log show diff blame annotate whatchanged', showing),
  'rev-parse': {
    takes: 'text',
    options: { '--short --abbrev-ref --git-path --default': 'text' },
    prints: (args, _call, world) => ({
      of: 'text',
      text: args.has('--show-toplevel') ? world.context.workspace : plain,
    }),
  },
  'ls-files': {
    takes: 'look',
    options: { '-x --exclude -X --exclude-from --exclude-per-directory --format': 'text' },
    prints: listedPaths,
  },
  grep: {
    takes: ['text', 'text'],
    options: {
      '-O --open-files-in-pager': 'escape',
      '-e -A -B -C -m --max-depth --threads --max-count': 'text',
      '-f': 'read',
    },
    also: (args, call, world) => {
      for (const path of args.operands.slice(1)) reads(world, call, path);
    },
    prints: (args) => (args.has('-l', '--files-with-matches', '--name-only') ? listedPaths() : unknownFlow),
  },
  add: { ...local, options: { '--chmod --pathspec-from-file': 'text' } },
  commit,
  ...many(
    'merge cherry-pick revert am notes rerere read-tree write-tree commit-tree mktree hash-object update-index sparse-checkout pack-refs repack index-pack unpack-objects fast-import mailinfo mailsplit merge-file merge-index mv stage commit-graph multi-pack-index',
    {
      is: 'git-local',
      takes: 'text',
      options: {
        '-m --message -s --strategy -X --strategy-option --directory -F --file --exclude --include': 'text',
      },
    },
  ),
  apply: {
    is: 'git-local',
    takes: 'read',
    options: { '--directory': 'write', '-p -C --exclude --include --whitespace': 'text' },
    flags: { '--unsafe-paths': 'is:write-outside' },
  },
  init: {
    is: 'git-local',
    takes: 'write',
    options: {
      '--template': 'load',
      '-b --initial-branch --object-format': 'text',
      '--separate-git-dir': 'write',
    },
  },
  checkout: {
    takes: 'text',
    options: { '-b -B --orphan --conflict --pathspec-from-file': 'text' },
    also: judgeCheckout,
  },
  switch: unless('-f --force --discard-changes', 'git-discard', {
    '-c --create -C --force-create --orphan -t --conflict': 'text',
  }),
  restore: {
    takes: 'text',
    options: { '-s --source --pathspec-from-file': 'text' },
    also: (args, _call, world) =>
      report(
        world,
        args.has('-S', '--staged') && !args.has('-W', '--worktree') ? 'git-local' : 'git-discard',
        shown(args.operands.join(' ')),
      ),
  },
  reset: unless('--hard --merge', 'git-discard', { '--pathspec-from-file': 'text' }),
  clean: { is: 'git-discard', takes: 'text', options: { '-e --exclude': 'text' }, dry: '-n --dry-run' },
  branch: {
    ...unless('-D', 'git-discard', {
      '-u --set-upstream-to --sort --contains --no-contains --format --points-at --color': 'text',
    }),
    also: (args, _call, world) => {
      const isForced = args.has('-d', '--delete') && args.has('-f', '--force');
      if (isForced) report(world, 'git-discard', shown(args.operands.join(' ')));
    },
  },
  tag: unless('-d --delete', 'git-discard', {
    '-m --message -F --file -u --local-user --sort --format --contains --points-at': 'text',
  }),
  stash: {
    is: 'git-local',
    subs: {
      ...many('push save list show apply pop branch create store', {
        is: 'git-local',
        takes: 'text',
        options: { '-m --message': 'text' },
      }),
      ...many('drop clear', discards),
    },
    otherwise: local,
  },
  rebase: {
    is: 'git-rewrite',
    takes: 'text',
    options: {
      '-x --exec': 'shell',
      '--onto -s --strategy -X --strategy-option -C --whitespace --empty': 'text',
    },
  },
  rm: { takes: 'text', also: judgeRemove, dry: '-n --dry-run' },
  config: {
    takes: 'text',
    options: { '-f --file --blob --type --default --comment': 'text' },
    also: judgeConfig,
  },
  reflog: {
    subs: {
      ...many('show exists list', showing),
      ...many('expire delete', { ...destroys, dry: '-n --dry-run' }),
    },
    otherwise: showing,
  },
  gc: unless('--prune', 'git-destroy', { '--prune': 'is:git-destroy' }),
  ...many('prune filter-branch filter-repo replace prune-packed', { ...destroys, dry: '-n --dry-run' }),
  'update-ref': unless('-d --stdin', 'git-destroy', { '-m': 'text' }),
  'symbolic-ref': unless('-d --delete', 'git-destroy', { '-m': 'text' }),
  worktree: {
    subs: {
      list: 'text',
      ...many('add', {
        is: 'git-local',
        takes: ['write', 'text'],
        options: { '-b -B --reason --orphan': 'text' },
      }),
      ...many('lock unlock prune repair', local),
      remove: { is: 'git-local', takes: 'delete', flags: { '-f --force': 'is:git-discard' } },
      move: { is: 'git-local', takes: ['text', 'write'] },
    },
  },
  bisect: { subs: { run: { is: 'git-local', wraps: 0 } }, otherwise: local },
  archive: {
    takes: 'text',
    options: {
      '-o --output': 'write',
      '--format --prefix --add-file --add-virtual-file --mtime': 'text',
      '--remote': 'is:remote-shell',
      '--exec': 'escape',
    },
  },
  'format-patch': {
    is: 'git-local',
    takes: 'text',
    options: {
      '-o --output-directory': 'write',
      '--start-number --subject-prefix --to --cc -v --base': 'text',
    },
  },
  bundle: {
    subs: { create: { takes: ['write', 'text'] }, ...many('verify list-heads', 'read'), unbundle: local },
  },
  difftool: { is: 'interactive', takes: 'text', options: { '-x --extcmd': 'escape', '-t --tool': 'text' } },
  ...many('mergetool gui citool gitk', { is: 'interactive', takes: 'text' }),
  credential: 'is:read-secret',
  ...many('credential-store credential-cache', 'is:read-secret'),
  maintenance: { subs: { run: local, ...many('start register stop unregister', 'is:persistence') } },
  flow: { is: 'git-local', takes: 'text' },
  lfs: {
    subs: {
      ...many('ls-files status env track untrack version checkout logs locks', local),
      ...many('pull fetch clone', 'is:network-in'),
      push: 'is:git-push',
      install: 'is:git-config',
      ...many('migrate prune', destroys),
    },
  },
  ...gitRemote,
};
