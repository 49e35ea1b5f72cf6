import { Argument, type Command, Option } from 'commander';
import { z } from 'zod';
import {
  type FoundMemory,
  memoryCharsMax,
  memoryLimitMax,
  memoryTypeSchema,
  type NewMemory,
  newMemorySchema,
} from '../../../contract/index.ts';
import type { Memories } from '../../../edge/memory/memories.ts';
import { searchByMeaning } from '../../../edge/memory/search-by-meaning.ts';
import type { Added } from '../../../edge/memory/write.ts';
import { type Cli, CliError, print, refuseInside } from '../cli.ts';
import { exit } from '../exit-codes.ts';
import { isError, jsonLines } from '../json-lines.ts';
import { limitOption, scopeHere, withMemories } from './memory-access.ts';
import { addMemoryLists } from './memory-lists.ts';

/** Lines written in one commit. */
const batchLines = 2_000;

const momentSchema = z.union([
  z.number(),
  z.string().transform((text, context) => {
    const at = Date.parse(text);
    if (!Number.isNaN(at)) return at;
    context.addIssue({ code: 'custom', message: `"${text.slice(0, 40)}" is not a time; use ms or ISO 8601` });
    return z.NEVER;
  }),
]);
const addLineSchema = newMemorySchema.extend({ at: momentSchema.optional() });
const searchLineSchema = z.object({
  query: z.string().max(memoryCharsMax),
  scope: z.string().optional(),
  limit: z.number().int().min(1).max(memoryLimitMax).optional(),
});

interface SearchFlags {
  readonly scope?: string;
  readonly limit: number;
  readonly jsonl?: boolean;
  readonly json?: boolean;
}

interface AddFlags extends Pick<NewMemory, 'type' | 'scope' | 'importance' | 'supersedes'> {
  readonly jsonl?: boolean;
  readonly json?: boolean;
}

/** What is remembered from run to run. */
export function define(command: Command, cli: Cli): void {
  addSearch(command, cli);
  addAdd(command, cli);
  addForget(command, cli);
  addMemoryLists(command, cli);
  command
    .command('export')
    .description('print every memory as a JSON line, also the forgotten and replaced ones')
    .option('--json', 'as one JSON array')
    .addHelpText('after', '\nExamples:\n  tireless memory export > memories.jsonl')
    .action((flags: { json?: boolean }) =>
      withMemories(cli, (memories) => {
        if (flags.json === true) cli.terminal.out(JSON.stringify([...memories.export()], null, 2));
        else for (const one of memories.export()) cli.terminal.out(JSON.stringify(one));
      }),
    );
}

function addSearch(memory: Command, cli: Cli): void {
  memory
    .command('search')
    .argument('[query]', 'a question in your own words')
    .description('search the memories, and show why each was chosen')
    .option('--scope <scope>', 'only memories of this scope: global, workspace, agent or a name')
    .addOption(limitOption())
    .option('--jsonl', 'read {"query", "scope"?, "limit"?} lines on stdin, answer one line each')
    .option('--json', 'as JSON')
    .addHelpText('after', "\nExamples:\n  tireless memory search 'why was the checkout slow last week'")
    .action((query: string | undefined, flags: SearchFlags) =>
      withMemories(cli, async (memories, embedder) => {
        const find = (text: string, scope: string | undefined, limit: number): Promise<FoundMemory[]> =>
          searchByMeaning(memories, embedder, text, {
            limit,
            scopes: scope === undefined ? undefined : [scopeHere(cli, scope)],
          });
        if (flags.jsonl === true) {
          await answerEachLine(cli, 1, searchLineSchema, async ([line]) =>
            line === undefined
              ? []
              : [{ results: await find(line.query, line.scope ?? flags.scope, line.limit ?? flags.limit) }],
          );
          return;
        }
        if (query === undefined)
          throw new CliError("Name what to search for, e.g.: tireless memory search 'how do we deploy'");
        const results = await find(query, flags.scope, flags.limit);
        print(cli, flags.json, { results }, () => resultsText(cli, results));
      }),
    );
}

function addAdd(memory: Command, cli: Cli): void {
  memory
    .command('add')
    .argument('[text]', 'what to remember; secrets in it are masked')
    .description('remember something')
    .addOption(new Option('--type <type>', 'how it ages').choices(memoryTypeSchema.options))
    .option('--scope <scope>', 'global, workspace (this folder), agent or a name; default: global')
    .addOption(new Option('--importance <n>', 'from 0 to 1; default: 0.5').argParser(Number))
    .option('--supersedes <id>', 'the memory this one replaces')
    .option(
      '--jsonl',
      'read {"text", "id"?, "type"?, "scope"?, "at"?} lines on stdin (at: ms or ISO), answer {"id"} each',
    )
    .option('--json', 'as JSON')
    .addHelpText(
      'after',
      "\nExamples:\n  tireless memory add --type mistake 'never edit an applied migration'\n  tireless memory add --jsonl < memories.jsonl",
    )
    .action(async (text: string | undefined, flags: AddFlags) => {
      await refuseInside(cli, 'memory add');
      await withMemories(cli, async (memories) => {
        const { type, scope, importance, supersedes } = flags;
        const common = { type, scope, importance, supersedes };
        if (flags.jsonl === true) {
          await answerEachLine(cli, batchLines, addLineSchema, (lines) =>
            memories.add(lines.map((line) => here(cli, { ...common, ...line } as NewMemory))),
          );
          return;
        }
        if (text === undefined)
          throw new CliError("Name what to remember, e.g.: tireless memory add 'staging is on port 8443'");
        const [added] = memories.add([here(cli, { ...common, text })]) as [Added];
        if ('error' in added) throw new CliError(`Not remembered: ${added.error}`);
        print(cli, flags.json, added, () => `Remembered as ${added.id}`);
      });
    });
}

function addForget(memory: Command, cli: Cli): void {
  const id = () => new Argument('<id>', 'as search and export show it');
  const settle = (json: boolean | undefined, changed: ReturnType<Memories['forget']>, words: string) => {
    if ('error' in changed) throw new CliError(`Nothing was changed: ${changed.error}.`);
    print(cli, json, changed, () => words);
  };
  memory
    .command('forget')
    .addArgument(id())
    .description('stop using a memory; it stays in the export, and restore brings it back')
    .option('--why <why>', 'the reason, for the record', '')
    .option('--json', 'as JSON')
    .addHelpText('after', "\nExamples:\n  tireless memory forget m12 --why 'no longer true'")
    .action(async (name: string, flags: { why: string; json?: boolean }) => {
      await refuseInside(cli, 'memory forget');
      await withMemories(cli, (memories) =>
        settle(
          flags.json,
          memories.forget(name, flags.why),
          `Forgotten. Undo: tireless memory restore ${name}`,
        ),
      );
    });
  memory
    .command('restore')
    .addArgument(id())
    .description('bring back a forgotten memory')
    .option('--json', 'as JSON')
    .addHelpText('after', '\nExamples:\n  tireless memory restore m12')
    .action(async (name: string, flags: { json?: boolean }) => {
      await refuseInside(cli, 'memory restore');
      await withMemories(cli, (memories) => settle(flags.json, memories.restore(name), 'Restored.'));
    });
}

const here = (cli: Cli, memory: NewMemory): NewMemory =>
  memory.scope === undefined ? memory : { ...memory, scope: scopeHere(cli, memory.scope) };

/** Answers every line in its place, many at a time; one that cannot be read gets its error, and then the exit is 1. */
async function answerEachLine<T>(
  cli: Cli,
  together: number,
  schema: z.ZodType<T>,
  answer: (lines: readonly T[]) => readonly object[] | Promise<readonly object[]>,
): Promise<void> {
  let batch: (T | { error: string })[] = [];
  let isAllWell = true;
  const flush = async (): Promise<void> => {
    if (batch.length === 0) return;
    const given = await answer(batch.filter((one): one is T => !isError(one)));
    const answers = given[Symbol.iterator]();
    const all = batch.map((one) => (isError(one) ? { error: one.error } : (answers.next().value as object)));
    isAllWell &&= !all.some(isError);
    cli.terminal.out(all.map((one) => JSON.stringify(one)).join('\n'));
    batch = [];
  };
  for await (const line of jsonLines(cli, schema)) {
    batch.push(line);
    if (batch.length >= together) await flush();
  }
  await flush();
  if (!isAllWell) cli.setExitCode(exit.error);
}

function resultsText(cli: Cli, results: readonly FoundMemory[]): string {
  const { paint } = cli.terminal;
  if (results.length === 0) return 'No memories about that.';
  return results
    .map(({ id, text, type, scope, at, score, why }) => {
      const day = new Date(at).toISOString().slice(0, 10);
      const facts = [id, type, scope, day, `score ${score.toFixed(2)}`].join(' · ');
      return `${text}\n  ${paint('dim', facts)}\n  ${paint('dim', why)}`;
    })
    .join('\n');
}
