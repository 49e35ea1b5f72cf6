import type { Command } from 'commander';
import type { Event, GateView, Store } from '../../contract/index.ts';
import { type Cli, CliError, print, refuseInside, speaker } from './cli.ts';
import { actionText, lateGates, type OpenGate, openGates } from './gate-text.ts';
import { visible } from './highlight.ts';
import { tellOtherVersion } from './keeper-version.ts';

type Verb = 'approve' | 'deny' | 'answer';
const answerCharsMax = 16_384;

export interface AnswerFlags {
  readonly json?: boolean;
  readonly shape?: true;
}

/** A command that answers one question. */
export function answerCommand(command: Command, cli: Cli, verb: Verb, words: string): Command {
  return command
    .argument(verb === 'answer' ? '<gate>' : '[gate]', 'as shown by tireless inbox, e.g. g12 or RUN:g12')
    .argument(verb === 'answer' ? '<words>' : '[words]', words)
    .option('--json', 'as JSON')
    .action(async (wanted: string | undefined, said: string | undefined, flags: AnswerFlags) => {
      await refuseInside(cli, verb);
      const answered = await cli.withStore(async (store) => {
        const late = verb === 'approve' ? (await lateGates(store, Date.now())).filter(isNamed(wanted)) : [];
        if (late.length > 0) return approveLate(cli, store, gateNamed(late, wanted), flags);
        const found = gateNamed(await openGates(store), wanted);
        await store.post(found.run.id, answerOf(verb, found.gate, said, flags, speaker(cli)));
        return found;
      });
      printAnswer(cli, verb, answered, flags);
    });
}

/** Approves what was denied for want of an answer, for the next time the agent asks, and wakes the run. */
async function approveLate(cli: Cli, store: Store, late: OpenGate, flags: AnswerFlags): Promise<OpenGate> {
  const { run, gate } = late;
  const by = speaker(cli);
  await store.post(run.id, answerOf('approve', { ...gate, expiresAt: null }, undefined, flags, by));
  if (run.state === 'paused') await store.post(run.id, { type: 'person-asked', ask: 'resume', by });
  cli.startKeeper(run.id);
  return late;
}

/** Says exactly what was answered. */
export function printAnswer(
  cli: Cli,
  verb: Verb,
  { run, gate, late }: OpenGate,
  { json, shape }: AnswerFlags,
): void {
  tellOtherVersion(cli.terminal, cli.home.store, run.id);
  const done = { approve: 'Approved', deny: 'Denied', answer: 'Answered' }[verb];
  const shapes = shape === true ? (gate.shapes ?? []) : undefined;
  const more =
    (shapes ?? []).length === 0
      ? ''
      : `\nAlso allowed until this run ends: ${visible((shapes ?? []).join(' · '))}`;
  const then =
    late === true
      ? '\nThe question had expired: the agent may now do exactly this, once. The run continues.'
      : '';
  const action = actionText(cli.terminal, gate);
  print(
    cli,
    json,
    { run: run.id, gate: gate.id, answer: verb, shapes, late },
    () => `${done} ${gate.id} of ${run.id}:\n${action}${more}${then}`,
  );
}

const isNamed =
  (wanted: string | undefined) =>
  ({ run, gate }: OpenGate): boolean =>
    wanted === gate.id || wanted === `${run.id}:${gate.id}`;

/** The one question that is meant; refuses where there is none or more than one. */
export function gateNamed(open: readonly OpenGate[], wanted: string | undefined): OpenGate {
  const fits = wanted === undefined ? open : open.filter(isNamed(wanted));
  const [one, ...more] = fits;
  if (one === undefined)
    throw new CliError(
      wanted === undefined
        ? 'Nothing is waiting for an answer.'
        : `No open question "${visible(wanted)}": it was answered, expired or never asked. See: tireless inbox`,
    );
  if (more.length > 0)
    throw new CliError(
      `${fits.length} questions are open; name one: ${fits.map(({ run, gate }) => `${run.id}:${gate.id}`).join(', ')}`,
    );
  return one;
}

export function answerOf(
  verb: Verb,
  gate: GateView,
  words: string | undefined,
  { shape }: AnswerFlags,
  by: string,
): Event {
  if (verb === 'answer' && gate.kind === 'approval')
    throw new CliError(`${gate.id} asks for permission: use approve or deny.`);
  if (verb === 'approve' && gate.kind === 'input')
    throw new CliError(`${gate.id} is a question: use answer.`);
  if (shape === true && (gate.shapes ?? []).length === 0)
    throw new CliError(
      gate.never === true
        ? `${gate.id} is on the never list: approve one action at a time, without --shape.`
        : `${gate.id} has no shape to allow: approve it without --shape.`,
    );
  if (gate.expiresAt !== null && gate.expiresAt <= Date.now())
    throw new CliError(`No open question "${gate.id}": it has expired.`);
  const text = verb === 'answer' ? chosen(gate, words ?? '') : words;
  return {
    type: 'gate-answered',
    gate: gate.id,
    answer: verb === 'answer' ? 'text' : verb,
    digest: gate.digest,
    by,
    shape,
    text: text === undefined ? undefined : { text: text.slice(0, answerCharsMax) },
  };
}

/** An option by its own words, else by its number, else what was said. */
function chosen({ options = [] }: GateView, said: string): string {
  if (options.includes(said) || !/^\d+$/.test(said)) return said;
  return options[Number(said) - 1] ?? said;
}
