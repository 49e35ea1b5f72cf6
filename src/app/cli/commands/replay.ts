import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { parse } from 'yaml';
import { type Decision, type Entry, type Policy, policySchema } from '../../../contract/index.ts';
import { type Divergence, policyVersion, type Replayed, replay } from '../../../core/index.ts';
import { verifyRun } from '../../../edge/store/chain.ts';
import { entriesOf } from '../../entries.ts';
import { type Cli, CliError, print, runArgument, runFor } from '../cli.ts';
import { exit } from '../exit-codes.ts';

export function define(command: Command, cli: Cli): void {
  command
    .argument(...runArgument)
    .option(
      '--policy <file>',
      'what another policy (YAML: limits, approvals, gates, advice) would have decided',
    )
    .option('--strict', 'require ledgers of an older policy version to match too')
    .option('--json', 'as JSON')
    .addHelpText('after', '\nExamples:\n  tireless replay\n  tireless replay --policy stricter.yaml')
    .action(
      async (wanted: string | undefined, options: { policy?: string; strict?: boolean; json?: boolean }) => {
        const policy =
          options.policy === undefined ? undefined : readPolicy(resolve(cli.terminal.cwd, options.policy));
        const { id, chain, entries } = await cli.withStore(async (store) => {
          const view = await runFor(cli, store, wanted);
          const all: Entry[] = [];
          for await (const entry of entriesOf(store, view.id)) all.push(entry);
          return { id: view.id, chain: await verifyRun(store, view.id), entries: all };
        });
        const damage = chain.damage;
        const replayed = replay(entries, policy);
        print(
          cli,
          options.json,
          {
            run: id,
            entries: replayed.entries,
            decisions: replayed.decisions,
            policyVersion: replayed.recordedVersion,
            damage,
            divergences: replayed.divergences,
          },
          () =>
            replayText(
              cli,
              id,
              replayed,
              damage.map((d) => `#${d.seq} ${d.because}`),
              policy !== undefined,
            ),
        );
        const counted = replayed.divergences.filter((one) => options.strict === true || isToday(one));
        const diverged = policy === undefined && counted.length > 0;
        cli.setExitCode(damage.length > 0 || diverged ? exit.error : exit.done);
      },
    );
}

/** Judged by the rules of today, then and now. */
const isToday = (divergence: Divergence): boolean => divergence.policyVersion === policyVersion;

function readPolicy(file: string): Policy {
  const read = policySchema.safeParse(readYaml(file) ?? {});
  if (!read.success)
    throw new CliError(
      `${file} is not a valid policy: ${read.error.issues.map((i) => `${i.path.join('.')}: ${i.message}`).join('; ')}`,
    );
  return read.data;
}

function readYaml(file: string): unknown {
  try {
    return parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const [what] = (error as Error).message.split('\n');
    throw new CliError(`${file} cannot be read as a policy: ${what}`);
  }
}

function replayText(
  cli: Cli,
  id: string,
  replayed: Replayed,
  damage: readonly string[],
  other: boolean,
): string {
  const { paint } = cli.terminal;
  const { entries, decisions, divergences, recordedVersion, run } = replayed;
  const since = run === null || run.policyVersion === recordedVersion ? '' : `, then ${run.policyVersion}`;
  const head = `${id}: ${entries} entries, ${decisions} decisions, policy version ${recordedVersion}${since}`;
  const broken = damage.map((what) => paint('red', `damaged: ${what}`));
  if (divergences.length === 0)
    return [
      head,
      ...broken,
      paint(
        'green',
        other ? 'The other policy would have decided the same.' : 'Every decision replays the same.',
      ),
    ].join('\n');
  const part = (title: string, some: readonly Divergence[]): readonly string[] =>
    some.length === 0 ? [] : [title, ...some.map((d) => divergenceText(cli, d))];
  if (other)
    return [
      head,
      ...broken,
      ...part(`The other policy differs at ${divergences.length} points:`, divergences),
    ].join('\n');
  const [today, before] = [divergences.filter(isToday), divergences.filter((one) => !isToday(one))];
  return [
    ...[head, ...broken],
    ...part(paint('red', `${today.length} divergences:`), today),
    ...part(`${before.length} decided by rules of another version:`, before),
  ].join('\n');
}

function divergenceText(cli: Cli, divergence: Divergence): string {
  const { seq, event, recorded, replayed, what } = divergence;
  const version = isToday(divergence) ? '' : ` (policy version ${divergence.policyVersion})`;
  const { paint } = cli.terminal;
  const say = (decision: Decision | undefined): string =>
    decision === undefined
      ? '(no decision)'
      : `${decision.verdict} → ${decision.to} [${decision.rule}] ${decision.because}`;
  return `\n  #${seq} ${event}: ${what}${version}\n  ${paint('red', `- ${say(recorded)}`)}\n  ${paint('green', `+ ${say(replayed)}`)}`;
}
