import type { Command } from 'commander';
import type { Event, GateView, Store } from '../../../contract/index.ts';
import { readKey } from '../../../edge/ingest/redact.ts';
import { readLink } from '../../../edge/notify/links.ts';
import { startKeeper } from '../../keeper.ts';
import { type Cli, CliError, print, refuseInside, speaker } from '../cli.ts';
import { exit } from '../exit-codes.ts';
import { actionText, gateText, lateGates, type OpenGate, openGates } from '../gate-text.ts';
import { visible } from '../highlight.ts';
import { tellOtherVersion } from '../keeper-version.ts';

type Verb = 'approve' | 'deny' | 'answer';

interface Options {
  readonly json?: boolean;
  readonly shape?: boolean;
}

export function addGates(program: Command, cli: Cli): void {
  program
    .command('inbox')
    .description('questions that wait for you, in every run')
    .option('--json', 'as JSON')
    .action(async (options: Options) => {
      const open = await cli.withStore(openGates);
      print(
        cli,
        options.json,
        open.map(({ run, gate }) => ({ run: run.id, workspace: run.workspace, ...gate })),
        () =>
          open.length === 0
            ? 'Nothing waits for you.'
            : open.map((one) => gateText(cli.terminal, one, Date.now())).join('\n\n'),
      );
    });
  answerCommand(program, cli, 'approve', 'allow one action, exactly as shown, once').option(
    '--shape',
    'also allow later actions of the same shape in this run; not for the never list',
  );
  answerCommand(program, cli, 'deny', 'refuse one action; the agent is told why and goes on');
  answerCommand(program, cli, 'answer', 'answer a question of the agent');
  addAnswerLink(program, cli);
}

function answerCommand(program: Command, cli: Cli, verb: Verb, description: string): Command {
  const words = { deny: 'the reason, passed on to the agent', approve: 'ignored', answer: 'the answer' };
  const hint = verb === 'answer' ? ', or the number of an option' : '';
  return program
    .command(verb)
    .argument(verb === 'answer' ? '<gate>' : '[gate]', 'as shown by: tireless inbox, e.g. g12 or RUN:g12')
    .argument(verb === 'answer' ? '<words>' : '[words]', `${words[verb]}${hint}`)
    .description(description)
    .option('--json', 'as JSON')
    .action(async (wanted: string | undefined, said: string | undefined, options: Options) => {
      await refuseInside(cli, verb);
      const one = await cli.withStore(async (store) => {
        const late = verb === 'approve' ? (await lateGates(store, Date.now())).filter(named(wanted)) : [];
        if (late.length > 0) return approveLate(cli, store, pick(late, wanted), options);
        const found = pick(await openGates(store), wanted);
        await store.post(found.run.id, answerOf(verb, found.gate, said, options, speaker(cli)));
        return found;
      });
      tell(cli, verb, one, options);
    });
}

/** Approves what was denied for want of an answer, for the next time the agent asks, and wakes the run. */
async function approveLate(cli: Cli, store: Store, late: OpenGate, options: Options): Promise<OpenGate> {
  const { run, gate } = late;
  const by = speaker(cli);
  await store.post(run.id, answerOf('approve', { ...gate, expiresAt: null }, undefined, options, by));
  if (run.state === 'paused') await store.post(run.id, { type: 'person-asked', ask: 'resume', by });
  startKeeper(cli.home, run.id, cli.terminal.env, cli.self);
  return late;
}

/** Says exactly what was answered. */
function tell(cli: Cli, verb: Verb, { run, gate, late }: OpenGate, { json, shape }: Options): void {
  tellOtherVersion(cli.terminal, cli.home.store, run.id);
  const done = { approve: 'Approved', deny: 'Denied', answer: 'Answered' }[verb];
  const shapes = shape === true ? (gate.shapes ?? []) : [];
  const said = {
    run: run.id,
    gate: gate.id,
    answer: verb,
    shapes: shape === true ? shapes : undefined,
    late: late === true ? late : undefined,
  };
  const more =
    shapes.length === 0 ? '' : `\nAlso allowed until this run ends: ${visible(shapes.join(' · '))}`;
  const then =
    late === true
      ? '\nIts time was over: the agent is told, and may do exactly this once. The run goes on.'
      : '';
  print(
    cli,
    json,
    said,
    () => `${done} ${gate.id} of ${run.id}:\n${actionText(cli.terminal, gate)}${more}${then}`,
  );
}

const named =
  (wanted: string | undefined) =>
  ({ run, gate }: OpenGate): boolean =>
    wanted === gate.id || wanted === `${run.id}:${gate.id}`;

function pick(open: readonly OpenGate[], wanted: string | undefined): OpenGate {
  const fits = wanted === undefined ? open : open.filter(named(wanted));
  const [one, ...more] = fits;
  if (one === undefined)
    throw new CliError(
      wanted === undefined
        ? 'Nothing waits for an answer.'
        : `No open question "${visible(wanted)}": it was answered, expired or never asked. See: tireless inbox`,
      exit.usage,
    );
  if (more.length > 0)
    throw new CliError(
      `${fits.length} questions are open; say which: ${fits.map(({ run, gate }) => `${run.id}:${gate.id}`).join(', ')}`,
      exit.usage,
    );
  return one;
}

function answerOf(
  verb: Verb,
  gate: GateView,
  words: string | undefined,
  { shape }: Options,
  by: string,
): Event {
  if (verb === 'answer' && gate.kind === 'approval')
    throw new CliError(`${gate.id} asks for permission: use approve or deny.`, exit.usage);
  if (verb === 'approve' && gate.kind === 'input')
    throw new CliError(`${gate.id} is a question: use answer.`, exit.usage);
  if (shape === true && (gate.shapes ?? []).length === 0)
    throw new CliError(
      gate.never === true
        ? `${gate.id} is on the never list: it is allowed one action at a time, without --shape.`
        : `${gate.id} has no shape that could be allowed: approve it without --shape.`,
      exit.usage,
    );
  if (gate.expiresAt !== null && gate.expiresAt <= Date.now())
    throw new CliError(
      `No open question "${gate.id}": its time is over, and it counts as unanswered.`,
      exit.usage,
    );
  const text = verb === 'answer' ? chosen(gate, words ?? '') : words;
  return {
    type: 'gate-answered',
    gate: gate.id,
    answer: verb === 'answer' ? 'text' : verb,
    digest: gate.digest,
    by,
    shape: shape === true ? shape : undefined,
    text: text === undefined ? undefined : { text: text.slice(0, 16_384) },
  };
}

/** An option by its own words, else by its number, else what was said. */
function chosen({ options = [] }: GateView, said: string): string {
  if (options.includes(said) || !/^\d+$/.test(said)) return said;
  return options[Number(said) - 1] ?? said;
}

function addAnswerLink(program: Command, cli: Cli): void {
  program
    .command('answer-link')
    .argument('<link>', 'a signed link of a notification, or its token alone')
    .description('approve or deny by a link that was sent to you; it is good for one question, once')
    .option('--json', 'as JSON')
    .action(async (link: string, options: Options) => {
      await refuseInside(cli, 'answer-link');
      const read = readLink(link, await readKey(cli.home.key), Date.now());
      if ('problem' in read) throw new CliError(read.problem, exit.usage);
      const { run, gate, digest, answer } = read.claims;
      const one = await cli.withStore(async (store) => {
        const open = (await openGates(store)).filter((each) => each.gate.digest === digest);
        const found = pick(open, `${run}:${gate}`);
        await store.post(run, answerOf(answer, found.gate, undefined, {}, `${speaker(cli)} by link`));
        return found;
      });
      tell(cli, answer, one, options);
    });
}
