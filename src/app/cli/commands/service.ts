import { join } from 'node:path';
import type { Command } from 'commander';
import {
  installService,
  type ServiceState,
  serviceState,
  uninstallService,
} from '../../../edge/service/install.ts';
import { keeperOf, wantsKeeper } from '../../../edge/service/keepers.ts';
import { type ServicePlace, serviceEnv, servicePlace } from '../../../edge/service/unit.ts';
import { type Cli, CliError, print, refuseInside } from '../cli.ts';
import { tildePath } from '../format.ts';

/** Most runs one start of the service picks up; the rest waits for the person. */
const startsMax = 50;

export function define(command: Command, cli: Cli): void {
  command
    .command('install')
    .description('start with your session')
    .option('--print', 'only show what would be written')
    .option('--json', 'as JSON')
    .action(async (options: { print?: boolean; json?: boolean }) => {
      const place = placeHere(cli);
      if (options.print === true) {
        print(cli, options.json, place, () => `${tilde(cli, place.file)}:\n\n${place.content}`.trimEnd());
        return;
      }
      await refuseInside(cli, 'service install');
      await installService(place, cli.terminal.env);
      print(cli, options.json, { file: place.file, installed: true }, () =>
        [
          `Wrote ${tilde(cli, place.file)} and enabled it.`,
          'After a restart, unfinished runs that are not paused continue.',
          place.hint,
        ].join('\n'),
      );
    });
  command
    .command('uninstall')
    .description('remove it')
    .option('--json', 'as JSON')
    .action(async (options: { json?: boolean }) => {
      await refuseInside(cli, 'service uninstall');
      const place = placeHere(cli);
      const wasThere = await uninstallService(place, cli.terminal.env);
      print(cli, options.json, { file: place.file, removed: wasThere }, () =>
        wasThere ? `Removed ${tilde(cli, place.file)}.` : 'Nothing to remove.',
      );
    });
  command
    .command('status')
    .description('show whether it is installed and enabled')
    .option('--json', 'as JSON')
    .action(async (options: { json?: boolean }) => {
      const state = await serviceState(placeHere(cli), cli.terminal.env);
      print(cli, options.json, state, () => `${tilde(cli, state.file)}: ${serviceWords(state)}`);
    });
  command
    .command('run', { hidden: true })
    .option('--json', 'as JSON')
    .action(async (options: { json?: boolean }) => {
      const picked = await pickUp(cli);
      print(cli, options.json, picked, () => pickedWords(picked));
    });
}

const tilde = (cli: Cli, file: string): string => tildePath(file, cli.terminal.env.HOME);

function placeHere(cli: Cli): ServicePlace {
  const { env } = cli.terminal;
  const place = servicePlace(
    process.platform,
    env,
    {
      command: [process.execPath, ...cli.self, 'service', 'run'],
      env: serviceEnv(env),
      log: join(cli.home.dir, 'service.log'),
    },
    process.getuid?.() ?? 0,
  );
  if (place === null)
    throw new CliError(
      `No service for ${process.platform} yet. After a restart, continue with: tireless resume`,
    );
  return place;
}

const serviceWords = ({ written, enabled }: ServiceState): string =>
  ({
    absent: 'not installed; install it with: tireless service install',
    foreign: 'a file that Tireless did not write is there',
    outdated: `${enabled ? 'enabled' : 'disabled'} and outdated; renew it with: tireless service install`,
    current: enabled ? 'enabled' : 'disabled; enable it with: tireless service install',
  })[written];

interface Picked {
  readonly started: readonly string[];
  readonly kept: readonly string[];
  readonly left: readonly string[];
}

/** Starts a keeper for every run that should have one and has none. What a person ended or paused is left alone. */
async function pickUp(cli: Cli): Promise<Picked> {
  const started: string[] = [];
  const kept: string[] = [];
  const left: string[] = [];
  await cli.withStore(async (store) => {
    for (const { id } of (await store.runs()).filter(wantsKeeper)) {
      if ((await keeperOf(store, id)) !== null) kept.push(id);
      else if (started.length >= startsMax) left.push(id);
      else {
        cli.startKeeper(id);
        started.push(id);
      }
    }
  });
  return { started, kept, left };
}

const pickedWords = ({ started, kept, left }: Picked): string =>
  [
    ...started.map((id) => `started ${id}`),
    ...kept.map((id) => `already running: ${id}`),
    ...left.map((id) => `left for you: tireless resume ${id}`),
    ...(started.length + kept.length + left.length === 0 ? ['no run needs a keeper'] : []),
  ].join('\n');
