import { type Call, report, type World } from '../call.ts';
import { judgeSetting } from '../environment.ts';
import { asKnowledge, interpret } from '../interpret.ts';
import { hasAnything, isLiteral, shown } from '../marks.ts';
import { resolvePath } from '../paths.ts';
import { type Flow, unknownFlow } from '../shell/state.ts';
import { type Arguments, type Family, many } from './family.ts';
import { gitCommands } from './git-commands.ts';

/** Global options, a folder, settings; then the command, which may be an alias given on the spot. */
function judgeGit(call: Call, world: World): Flow {
  let at = 0;
  let state = call.state;
  const aliases = new Map<string, string>();
  for (; at < call.args.length; at++) {
    const arg = call.args[at] as string;
    const next = call.args[at + 1] ?? '';
    if (arg === '-C') state = { ...state, cwd: hasAnything(next) ? undefined : resolvePath(next, state.cwd) };
    if (arg === '-c' || arg === '--config-env') {
      const alias = /^alias\.([^=]+)=(.*)$/is.exec(next);
      if (alias) aliases.set(alias[1] as string, alias[2] as string);
      else judgeSetting(next, call, world);
    }
    if (/^--exec-path=/.test(arg)) report(world, 'run-any', shown(arg));
    if (/^(-C|-c|--git-dir|--work-tree|--namespace|--config-env|--super-prefix|--attr-source)$/.test(arg))
      at++;
    else if (!arg.startsWith('-')) break;
  }
  for (const arg of call.args) if (/^(ext|fd)::/.test(arg)) report(world, 'run-any', shown(arg));
  const inside: Call = { ...call, state };
  const [name, ...rest] = call.args.slice(at);
  if (name === undefined) {
    report(world, 'read', 'git');
    return unknownFlow;
  }
  if (!isLiteral(name)) {
    report(world, 'opaque', 'which git command runs is not known');
    return unknownFlow;
  }
  const alias = aliases.get(name);
  if (alias !== undefined) {
    if (alias.startsWith('!')) return world.script([alias.slice(1), ...rest].join(' '), inside);
    return world.run(['git', ...alias.split(/\s+/).filter(Boolean), ...rest], inside);
  }
  const entry = Object.hasOwn(gitCommands, name) ? gitCommands[name] : undefined;
  if (!entry) {
    report(world, 'unknown', shown(`git ${name}`));
    return unknownFlow;
  }
  return interpret(asKnowledge(entry), { ...inside, args: rest }, world, rest, `git ${name}`);
}

export const git: Family = {
  git: { own: true, prints: (_args, call, world) => judgeGit(call, world) },
  ...many('hub', {
    own: true,
    prints: (_args: Arguments, call: Call, world: World) => judgeGit(call, world),
  }),
  ...many('gitk tig lazygit gitui', { is: 'interactive', takes: 'text' }),
  ...many('svn hg', {
    subs: {
      ...many(
        'status st diff log info list ls cat blame annotate proplist propget help version summary id identify heads branches tags parents paths root files manifest grep',
        'read',
      ),
      ...many('update up checkout co switch pull incoming clone outgoing', 'is:network-in'),
      ...many(
        'add copy cp move mv rename mkdir resolve resolved cleanup changelist init branch bookmark graft shelve propset',
        'is:git-local',
      ),
      ...many('revert', 'is:git-discard'),
      ...many('commit ci push import', 'is:git-push'),
      ...many('delete del remove rm forget', 'is:delete'),
      ...many('strip purge', 'is:git-destroy'),
    },
  }),
  ...many('pre-commit lefthook husky commitlint commitizen cz standard-version', {
    is: 'build',
    takes: ['task', 'text'],
  }),
};
