import { writes } from '../access.ts';
import { type Call, report, type World } from '../call.ts';
import { anything } from '../marks.ts';
import { type Flow, nothing, unknownFlow } from '../shell/state.ts';
import type { Knowledge } from './family.ts';

/** Items one run of `xargs` is judged with; more are anything. */
const itemsMax = 64;

/** The words standard input gives to `xargs` or `parallel`. */
function itemsOf(stdin: Flow, byLine: boolean): string[] {
  if (stdin.of === 'paths') return stdin.paths.length > itemsMax ? [anything] : [...stdin.paths];
  if (stdin.of !== 'text') return [anything];
  const items = stdin.text.split(byLine ? '\n' : /\s+/).filter((item) => item.trim() !== '');
  return items.length > itemsMax ? [anything] : items.map((item) => item.replace(/^(['"])(.*)\1$/, '$2'));
}

function runsForEach(
  template: readonly string[],
  mark: string | undefined,
  items: readonly string[],
  call: Call,
  world: World,
): Flow {
  const change = { stdin: nothing };
  if (mark === undefined) return world.run([...template, ...items], call, change);
  let out: Flow = unknownFlow;
  for (const item of items.length === 0 ? [anything] : items) {
    out = world.run(
      template.map((word) => word.replaceAll(mark, () => item)),
      call,
      change,
    );
  }
  return out;
}

export const xargs: Knowledge = {
  stops: true,
  takes: 'text',
  options: {
    '-I --replace -n --max-args -P --max-procs -L --max-lines -d --delimiter -E -s --max-chars -R -S --process-slot-var -J':
      'text',
    '-a --arg-file': 'read',
  },
  prints: (args, call, world) => {
    const mark = args.value('-I', '--replace', '-J') ?? (args.has('-i', '--replace') ? '{}' : undefined);
    const template = args.operands.length > 0 ? args.operands : ['echo'];
    const items = args.has('-a', '--arg-file')
      ? [anything]
      : itemsOf(call.stdin, mark !== undefined || args.has('-d', '-0', '--null', '-L'));
    return runsForEach(template, mark, items, call, world);
  },
};

export const parallel: Knowledge = {
  stops: true,
  takes: 'text',
  options: {
    '-j --jobs -I -a --arg-file -N -n --max-args -L --delay --timeout --retries --joblog --results --tmpdir --colsep -C --sshlogin -S --sshloginfile --workdir --memfree --load --halt --tagstring --trc --return --basefile --env --block --recstart --recend -d --delimiter --limit --profile -J':
      'text',
  },
  prints: (args, call, world) => {
    if (args.has('-S', '--sshlogin', '--sshloginfile', '--trc'))
      report(world, 'remote-shell', 'parallel on other machines');
    for (const file of args.values('--joblog', '--results')) writes(world, call, file);
    const at = args.operands.findIndex((word) => /^:::\+?:?$|^::::$/.test(word));
    const template = at === -1 ? args.operands : args.operands.slice(0, at);
    const given = at === -1 ? [] : args.operands.slice(at + 1).filter((word) => !/^:::/.test(word));
    const isFiles = args.operands[at] === '::::';
    const items = at === -1 ? itemsOf(call.stdin, true) : isFiles ? [anything] : given.slice(0, itemsMax);
    if (template.length === 0) {
      for (const item of items) world.script(item, call);
      return unknownFlow;
    }
    const line = template.join(' ');
    const hasMark = /\{[^}]*\}/.test(line);
    for (const item of items)
      world.script(hasMark ? line.replaceAll(/\{[^}]*\}/g, () => item) : `${line} ${item}`, call, {
        stdin: nothing,
      });
    return unknownFlow;
  },
};
