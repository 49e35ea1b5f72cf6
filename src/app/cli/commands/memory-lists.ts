import { type Command, Option } from 'commander';
import { type KeptMemory, type MemoryType, memoryTypeSchema } from '../../../contract/index.ts';
import { type Cli, print, refuseInside } from '../cli.ts';
import { limitOption, scopeHere, withMemories } from './memory-access.ts';

interface ListFlags {
  readonly forgotten?: boolean;
  readonly replaced?: boolean;
  readonly all?: boolean;
  readonly scope?: string;
  readonly type?: MemoryType;
  readonly limit: number;
  readonly json?: boolean;
}

/** What is remembered and what no longer is: nothing goes without a trace. */
export function addMemoryLists(memory: Command, cli: Cli): void {
  memory
    .command('list')
    .description('list memories, newest first; also the forgotten and replaced ones, with when and why')
    .option('--forgotten', 'only what was forgotten')
    .option('--replaced', 'only what a newer memory replaced')
    .option('--all', 'all of them')
    .option('--scope <scope>', 'only this scope: global, workspace, agent or a name')
    .addOption(new Option('--type <type>', 'only this type').choices(memoryTypeSchema.options))
    .addOption(limitOption())
    .option('--json', 'as JSON')
    .addHelpText('after', '\nExamples:\n  tireless memory list --forgotten')
    .action((flags: ListFlags) =>
      withMemories(cli, (memories) => {
        const { scope, type, limit } = flags;
        const found = memories.list({
          which: whichOf(flags),
          limit,
          scope: scope === undefined ? undefined : scopeHere(cli, scope),
          type,
        });
        print(cli, flags.json, { memories: found }, () =>
          found.length === 0 ? 'No memories.' : found.map((one) => memoryText(cli, one)).join('\n'),
        );
      }),
    );
  memory
    .command('prune')
    .description('forget observations unused for a year; restore brings them back')
    .option('--dry-run', 'only list them')
    .option('--json', 'as JSON')
    .addHelpText('after', '\nExamples:\n  tireless memory prune --dry-run')
    .action(async (flags: { dryRun?: boolean; json?: boolean }) => {
      const isDry = flags.dryRun === true;
      if (!isDry) await refuseInside(cli, 'memory prune');
      await withMemories(cli, (memories) => {
        const pruned = memories.prune({ isDry });
        print(cli, flags.json, { pruned, dryRun: isDry }, () =>
          pruned.length === 0
            ? 'Nothing to forget.'
            : [
                ...pruned.map(({ id, text, why }) => `${text}\n  ${id} · ${why}`),
                isDry ? 'Nothing was changed.' : 'Forgotten. See them with: tireless memory list --forgotten',
              ].join('\n'),
        );
      });
    });
}

const whichOf = ({ forgotten, replaced, all }: ListFlags) =>
  all === true ? 'all' : forgotten === true ? 'forgotten' : replaced === true ? 'replaced' : 'living';

function memoryText(
  cli: Cli,
  { id, text, type, scope, at, forgotten, supersedes, supersededBy }: KeptMemory,
): string {
  const { paint } = cli.terminal;
  const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
  const facts = [
    ...[id, type, scope, day(at)],
    ...(supersedes === undefined ? [] : [`replaces ${supersedes}`]),
    ...(supersededBy === undefined ? [] : [`replaced by ${supersededBy}`]),
    ...(forgotten === undefined
      ? []
      : [`forgotten ${day(forgotten.at)}: ${forgotten.why || 'no reason given'}`]),
  ];
  return `${text}\n  ${paint('dim', facts.join(' · '))}`;
}
