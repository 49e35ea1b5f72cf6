import type { Command } from 'commander';
import { readKey } from '../../../edge/ingest/redact.ts';
import { readLink } from '../../../edge/notify/links.ts';
import { type AnswerFlags, answerOf, gateNamed, printAnswer } from '../answer-gate.ts';
import { type Cli, CliError, refuseInside, speaker } from '../cli.ts';
import { openGates } from '../gate-text.ts';

export function define(command: Command, cli: Cli): void {
  command
    .argument('<link>', 'a signed link from a notification, or only its token')
    .option('--json', 'as JSON')
    .action(async (link: string, flags: AnswerFlags) => {
      await refuseInside(cli, 'answer-link');
      const read = readLink(link, await readKey(cli.home.key), Date.now());
      if ('problem' in read) throw new CliError(read.problem);
      const { run, gate, digest, answer } = read.claims;
      const answered = await cli.withStore(async (store) => {
        const open = (await openGates(store)).filter((one) => one.gate.digest === digest);
        const found = gateNamed(open, `${run}:${gate}`);
        await store.post(run, answerOf(answer, found.gate, undefined, {}, `${speaker(cli)} by link`));
        return found;
      });
      printAnswer(cli, answer, answered, flags);
    });
}
