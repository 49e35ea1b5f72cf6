import { writes } from '../access.ts';
import { type Call, report, type World } from '../call.ts';
import { hasAnything, shown } from '../marks.ts';
import { resolvePath } from '../paths.ts';
import { namesProduction } from '../tasks.ts';
import { type Arguments, type Family, many } from './family.ts';

/** Addresses through which git runs a program instead of connecting. */
function judgeAddress(address: string | undefined, world: World): void {
  if (address !== undefined && /^(ext|fd)::/.test(address)) report(world, 'run-any', shown(address));
}

/** A push that rewrites or removes what others have read. */
function isForced(args: Arguments): boolean {
  const names = args.options.map((option) => option.name);
  if (
    names.some(
      (name) =>
        /^--(force|mirror|delete|prune)/.test(name) ||
        /^--(fo|for|forc|mir|mirr|del|dele|delet|pru|prun)$/.test(name),
    )
  )
    return true;
  if (args.has('-f', '-d')) return true;
  return args.operands
    .slice(1)
    .some((refspec) => refspec.startsWith('+') || refspec.startsWith(':') || hasAnything(refspec[0] ?? ''));
}

/** A remote whose push is a deployment. */
const deployRemote =
  /^(heroku|dokku|production|prod|live|deploy|piku|clever|scalingo|gigalixir)$|[@./](heroku|dokku)\b/;

function judgePush(args: Arguments, _call: Call, world: World): void {
  const what = shown(`git push ${args.operands.join(' ')}`);
  judgeAddress(args.operands[0], world);
  if (isForced(args)) report(world, 'force-push', what);
  else report(world, 'git-push', what);
  const refs = args.operands
    .slice(1)
    .map((refspec) => (refspec.split(':').at(-1) ?? '').replace(/^\+?(refs\/heads\/)?/, ''));
  const isProtected = (ref: string) =>
    hasAnything(ref) || ref === 'HEAD' || world.context.config.protectedBranches.includes(ref);
  if (refs.length === 0 || refs.some(isProtected) || args.has('--all', '--branches'))
    report(world, 'git-push-protected', what);
  const remote = args.operands[0] ?? '';
  if (deployRemote.test(remote)) report(world, 'deploy-production', what);
  else if (args.operands.slice(1).some((ref) => namesProduction(ref))) report(world, 'production', what);
}

function judgeClone(args: Arguments, call: Call, world: World): void {
  judgeAddress(args.operands[0], world);
  writes(world, call, args.operands[1] ?? '.');
  const name =
    (args.operands[0] ?? '')
      .replace(/\/+$/, '')
      .split(/[/:]/)
      .at(-1)
      ?.replace(/\.git$/, '') ?? '';
  const folder = resolvePath(args.operands[1] ?? name, call.state.cwd);
  if (folder !== undefined) call.state.fetched.add(folder);
  report(world, 'network-in', shown(args.operands[0] ?? ''));
}

const fetching = {
  is: 'network-in',
  takes: 'text',
  options: {
    '--upload-pack': 'escape',
    '-o --server-option --depth --deepen --shallow-since --shallow-exclude -j --jobs --refmap --negotiation-tip --filter -s --strategy -X --strategy-option':
      'text',
  },
  also: (args: Arguments, _call: Call, world: World) => judgeAddress(args.operands[0], world),
} as const;

/** Commands of git that reach another repository. */
export const gitRemote: Family = {
  push: {
    takes: 'text',
    options: {
      '--receive-pack --exec': 'escape',
      '-o --push-option --repo --recurse-submodules --signed': 'text',
    },
    also: judgePush,
    dry: '-n --dry-run',
  },
  ...many('fetch pull', fetching),
  'ls-remote': {
    ...fetching,
    options: { '--upload-pack --exec': 'escape', '--sort -o --server-option': 'text' },
  },
  clone: {
    takes: 'text',
    options: {
      '-u --upload-pack': 'escape',
      '-c --config': 'setting',
      '--template': 'load',
      '--separate-git-dir': 'write',
      '-b --branch -o --origin --depth --shallow-since --shallow-exclude --reference --reference-if-able -j --jobs --filter --bundle-uri':
        'text',
    },
    also: judgeClone,
  },
  remote: {
    subs: {
      ...many('show get-url', 'text'),
      ...many('add rename prune update', { is: 'git-local', takes: 'text', options: { '-t -m': 'text' } }),
      ...many('remove rm set-url set-head set-branches', 'is:git-config'),
    },
    otherwise: 'text',
  },
  submodule: {
    subs: {
      ...many('status summary', 'text'),
      ...many('init sync absorbgitdirs set-branch set-url', 'is:git-local'),
      ...many('update add', {
        is: 'network-in',
        takes: 'text',
        options: { '-b --branch --name --depth --reference -j --jobs': 'text' },
      }),
      foreach: {
        stops: true,
        takes: 'text',
        prints: (args, call, world) => world.script(args.operands.join(' '), call),
      },
      deinit: 'is:git-discard',
    },
    otherwise: 'text',
  },
  subtree: { subs: { push: 'is:git-push', ...many('pull add merge split', 'is:network-in') } },
  ...many('send-email imap-send', 'is:network-send'),
  ...many('daemon instaweb http-backend cvsserver upload-pack receive-pack', 'is:network-listen'),
  'request-pull': { is: 'network-in', takes: 'text' },
  svn: { subs: { dcommit: 'is:git-push', ...many('fetch rebase clone init log info', 'is:network-in') } },
  p4: { subs: { submit: 'is:git-push', ...many('sync clone rebase', 'is:network-in') } },
};
