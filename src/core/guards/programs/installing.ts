import { type Call, report, type World } from '../call.ts';
import { hasAnything, shown } from '../marks.ts';
import type { Arguments, Knowledge } from './family.ts';

/** Packages named on the command line: from the registry, or from somewhere that was not agreed on. */
export function judgePackages(args: Arguments, call: Call, world: World): void {
  for (const name of args.operands) {
    const isShorthand = /^(npm|yarn|pnpm|bun)$/.test(call.program) && /^[\w-]+\/[\w.-]+$/.test(name);
    if (isShorthand || /^(github|gitlab|bitbucket|gist):/.test(name))
      report(world, 'run-remote', shown(name));
    else if (hasAnything(name))
      report(world, 'run-remote', `a package not known before it runs: ${shown(name)}`);
    else if (/^(https?|git|git\+\w+|ssh|ftp|file):|^git@|\.git(#|$)|^[\w.-]+\/[\w.-]+#/.test(name))
      report(world, 'run-remote', shown(name));
    else if (/^[~/]|^\.\.(\/|$)/.test(name) && !name.startsWith(world.context.workspace))
      report(world, 'run-any', shown(name));
    else if (/^\/tmp\//.test(name)) report(world, 'run-any', shown(name));
  }
}

export const registry = 'is:run-remote' as const;

export const install = (more: Partial<Knowledge> = {}): Knowledge => ({
  is: 'install',
  takes: 'text',
  ...more,
  also: (args, call, world) => {
    judgePackages(args, call, world);
    more.also?.(args, call, world);
  },
});
