import type { Command } from 'commander';
import type { Event, GateView, RunView, Store } from '../../../contract/index.ts';
import { type Cli, CliError, print, refuseInside, speaker } from '../cli.ts';
import { ago, duration } from '../words.ts';

interface OpenGate {
  readonly run: RunView;
  readonly gate: GateView;
}

const openGates = async (store: Store): Promise<readonly OpenGate[]> =>
  (await store.runs()).flatMap((run) => run.gates.map((gate) => ({ run, gate })));

export function addGates(program: Command, cli: Cli): void {
  program
    .command('inbox')
    .description('questions that wait for you, in every run')
    .option('--json', 'as JSON')
    .action(async (options: { json?: boolean }) => {
      const open = await cli.withStore(openGates);
      print(
        cli,
        options.json,
        open.map(({ run, gate }) => ({ run: run.id, ...gate })),
        () =>
          open.length === 0 ? 'Nothing waits for you.' : open.map((one) => gateText(cli, one)).join('\n\n'),
      );
    });
  answerCommand(program, cli, 'approve', 'allow one action, exactly as shown, once');
  answerCommand(program, cli, 'deny', 'refuse one action; the agent is told why and goes on');
  answerCommand(program, cli, 'answer', 'answer a question of the agent');
}

function answerCommand(
  program: Command,
  cli: Cli,
  verb: 'approve' | 'deny' | 'answer',
  description: string,
): void {
  program
    .command(verb)
    .argument(verb === 'answer' ? '<gate>' : '[gate]', 'as shown by: tireless inbox, e.g. g12 or RUN:g12')
    .argument(
      verb === 'answer' ? '<words>' : '[words]',
      verb === 'deny' ? 'the reason, passed on to the agent' : verb === 'answer' ? 'the answer' : 'ignored',
    )
    .description(description)
    .option('--json', 'as JSON')
    .action(async (wanted: string | undefined, words: string | undefined, options: { json?: boolean }) => {
      await refuseInside(cli, verb);
      const { run, gate } = await cli.withStore(async (store) => {
        const one = pick(await openGates(store), wanted);
        await store.post(one.run.id, answerOf(verb, one.gate, words, speaker(cli)));
        return one;
      });
      const done = { approve: 'Approved', deny: 'Denied', answer: 'Answered' }[verb];
      print(
        cli,
        options.json,
        { run: run.id, gate: gate.id, answer: verb },
        () => `${done} ${gate.id} of ${run.id}:\n${indent(gate.asks)}`,
      );
    });
}

function pick(open: readonly OpenGate[], wanted: string | undefined): OpenGate {
  const fits =
    wanted === undefined
      ? open
      : open.filter(({ run, gate }) => wanted === gate.id || wanted === `${run.id}:${gate.id}`);
  const [one, ...more] = fits;
  if (one === undefined)
    throw new CliError(
      open.length === 0
        ? 'Nothing waits for an answer.'
        : `No open question "${wanted}". See: tireless inbox`,
      2,
    );
  if (more.length > 0)
    throw new CliError(
      `${fits.length} questions are open; say which: ${fits.map(({ run, gate }) => `${run.id}:${gate.id}`).join(', ')}`,
      2,
    );
  return one;
}

function answerOf(
  verb: 'approve' | 'deny' | 'answer',
  gate: GateView,
  words: string | undefined,
  by: string,
): Event {
  if (verb === 'answer' && gate.kind === 'approval')
    throw new CliError(`${gate.id} asks for permission: use approve or deny.`, 2);
  if (verb === 'approve' && gate.kind === 'input')
    throw new CliError(`${gate.id} is a question: use answer.`, 2);
  const answer = verb === 'answer' ? 'text' : verb;
  return {
    type: 'gate-answered',
    gate: gate.id,
    answer,
    digest: gate.digest,
    by,
    ...(words === undefined ? {} : { text: { text: words.slice(0, 16_384) } }),
  };
}

const indent = (text: string): string =>
  text
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n');

function gateText(cli: Cli, { run, gate }: OpenGate): string {
  const { paint } = cli.terminal;
  const now = Date.now();
  const left =
    gate.expiresAt === null
      ? 'waits until answered'
      : gate.expiresAt > now
        ? `${duration(gate.expiresAt - now)} left`
        : 'expiring';
  const how =
    gate.kind === 'input'
      ? `tireless answer ${gate.id} "…"`
      : `tireless approve ${gate.id}   ·   tireless deny ${gate.id} "why"`;
  return `${paint(['yellow', 'bold'], gate.id)} ${paint('dim', `${run.id} · asked ${ago(gate.askedAt, now)} · ${left}`)}\n  ${gate.because}\n${paint('bold', indent(gate.asks))}\n  ${how}`;
}
