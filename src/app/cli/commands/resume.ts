import type { Command } from 'commander';
import type { Event } from '../../../contract/index.ts';
import { type Cli, print, runArgument, speaker } from '../cli.ts';
import { cycleCount, type LimitFlags, limitOptions, limitsOf } from '../limit-flags.ts';
import { tellRun } from '../tell-run.ts';
import { watchRun } from '../view/watch.ts';

interface ResumeFlags extends LimitFlags {
  readonly cycles?: number;
  readonly json?: boolean;
  readonly foreground?: boolean;
  readonly detach?: boolean;
}

export function define(command: Command, cli: Cli): void {
  limitOptions(command.argument(...runArgument))
    .option('--cycles <n>', 'cycles an autonomous run may use, 1 to 100', cycleCount)
    .option('--foreground', 'run it in this process')
    .option('--detach', 'do not watch')
    .option('--json', 'as JSON, without watching')
    .addHelpText('after', '\nExamples:\n  tireless resume\n  tireless resume --turns 400')
    .action(async (wanted: string | undefined, flags: ResumeFlags) => {
      const limits = { ...limitsOf(flags), cyclesMax: flags.cycles };
      const by = speaker(cli);
      const events: Event[] = [
        ...(Object.values(limits).some((one) => one !== undefined)
          ? [{ type: 'limits-changed' as const, limits, by }]
          : []),
        { type: 'person-asked', ask: 'resume', by },
      ];
      const foreground = flags.foreground === true;
      const { id, seq } = await tellRun(cli, wanted, 'resume', events, !foreground);
      if (flags.json === true || flags.detach === true) {
        const resumed = `Resumed ${id}. Watch it with: tireless logs -f ${id}`;
        print(cli, flags.json, { run: id, asked: 'resume' }, () => resumed);
      } else cli.setExitCode(await watchRun(cli, id, { foreground, fromSeq: seq + 1 }));
    });
}
