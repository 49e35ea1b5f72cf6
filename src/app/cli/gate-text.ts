import type { GateView, RunView, Store } from '../../contract/index.ts';
import { isTerminal } from '../../core/index.ts';
import { entryOf } from '../entries.ts';
import { ago, duration, tildePath } from './format.ts';
import { paintedCommand, paintedDiff, visible } from './highlight.ts';
import type { Terminal } from './terminal.ts';

export interface OpenGate {
  readonly run: RunView;
  /** With the whole of what is asked, not its beginning. */
  readonly gate: GateView;
  /** Its time is over: an approval counts for the next time it is asked. */
  readonly late?: true;
}

/** Every question that waits in some run. */
export async function openGates(store: Store): Promise<readonly OpenGate[]> {
  const open: OpenGate[] = [];
  for (const run of await store.runs())
    for (const gate of run.gates)
      open.push({ run, gate: { ...gate, asks: await wholeOf(store, run.id, gate) } });
  return open;
}

/** Every action that nobody answered in time, in runs that can still go on. */
export async function lateGates(store: Store, now: number): Promise<readonly OpenGate[]> {
  const isOver = ({ kind, expiresAt }: GateView): boolean =>
    kind === 'approval' && expiresAt !== null && expiresAt <= now;
  const late: OpenGate[] = [];
  for (const run of (await store.runs()).filter(({ state }) => !isTerminal(state)))
    for (const gate of [...(run.unanswered ?? []), ...run.gates.filter(isOver)])
      late.push({ run, gate: { ...gate, asks: await wholeOf(store, run.id, gate) }, late: true });
  return late;
}

/** A view keeps the beginning of a long action; the entry that opened the gate, or its body, has all of it. */
async function wholeOf(store: Store, run: string, gate: GateView): Promise<string> {
  const seq = Number(/^g(\d+)$/.exec(gate.id)?.[1] ?? 0);
  const [row] = seq === 0 ? [] : await store.read(run, seq, 1);
  const opened = (row === undefined ? [] : (entryOf(row).effects ?? [])).find(
    (effect) => effect.type === 'gate-open' && effect.gate === gate.id,
  );
  if (opened?.type !== 'gate-open') return gate.asks;
  const { text, body } = opened.asks;
  return body === undefined ? text : ((await store.body(body)) ?? text);
}

const indent = (text: string): string =>
  text
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n');

/** The action exactly as it would happen, in colour where the terminal has any. */
export function actionText({ paint }: Pick<Terminal, 'paint'>, gate: GateView): string {
  const asks = visible(gate.asks);
  if (gate.action === 'edit') return indent(paintedDiff(paint, asks));
  if (gate.action === 'command') return indent(paintedCommand(paint, asks));
  return indent(paint('bold', asks));
}

/** One question with all a person needs to answer it. */
export function gateText(terminal: Terminal, { run, gate }: OpenGate, now: number): string {
  const { paint, env } = terminal;
  const row = (name: string, text: string): string => `  ${paint('dim', name.padEnd(9))} ${visible(text)}`;
  const where = `${run.id} · ${tildePath(run.workspace, env.HOME)} · asked ${ago(gate.askedAt, now)} · ${timeLeft(gate, now)}`;
  const lines = [`${paint(['yellow', 'bold'], gate.id)} ${paint('dim', where)}`, actionText(terminal, gate)];
  for (const [n, option] of (gate.options ?? []).entries()) lines.push(row(`${n + 1}`, option));
  lines.push(row('because', `${gate.because}${gate.rule === undefined ? '' : ` [${gate.rule}]`}`));
  for (const effect of gate.effects ?? []) lines.push(row('effect', effect));
  if (gate.instead !== undefined) lines.push(row('instead', gate.instead));
  if (gate.never === true) lines.push(row('never', 'on the never list: this one action only'));
  if (gate.destructive === true) lines.push(row('first', 'a savepoint of the files is kept'));
  return [...lines, ...howTo(gate).map((line) => `  ${line}`)].join('\n');
}

function timeLeft(gate: GateView, now: number): string {
  if (gate.expiresAt === null) return 'waits until answered';
  return gate.expiresAt > now ? `${duration(gate.expiresAt - now)} left` : 'its time is over';
}

function howTo(gate: GateView): readonly string[] {
  if (gate.kind === 'input')
    return [`tireless answer ${gate.id} "…"${(gate.options ?? []).length > 0 ? '   or the number' : ''}`];
  const shapes = gate.shapes ?? [];
  const answers = `tireless approve ${gate.id}   ·   tireless deny ${gate.id} "why"`;
  return shapes.length === 0
    ? [answers]
    : [answers, `tireless approve ${gate.id} --shape   allows for this run: ${visible(shapes.join(' · '))}`];
}
