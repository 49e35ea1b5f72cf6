import type { Entry, RunView } from '../../contract/index.ts';
import { runStateSchema } from '../../contract/state.ts';
import { isTerminal } from '../run.ts';
import { type Tally, tallied } from './excerpt.ts';
import { reportBounds as max } from './report-bounds.ts';

/** One metric with its samples, as Prometheus reads it. */
export interface Metric {
  readonly name: string;
  readonly type: 'gauge' | 'counter';
  readonly help: string;
  readonly samples: readonly { readonly labels: Readonly<Record<string, string>>; readonly value: number }[];
}

export interface LedgerCounts {
  add(entry: Entry): void;
  end(): readonly Metric[];
}

/** Runs named one by one; the others count in the sums only, so that no scrape grows for ever. */
const namedRunsMax = 100;

/** What only ledgers know: decisions, answers and failures, over every entry that is added. */
export function countLedgers(): LedgerCounts {
  const decisions = tallied(max.rulesMax);
  const answers = tallied(max.rulesMax);
  const failures = tallied(max.failureKindsMax);
  const split = (tally: Tally, label: string): Metric['samples'] =>
    tally.pairs().map(({ of, rule, times }) => ({ labels: { [label]: of, rule }, value: times }));
  return {
    add({ event, decision, effects, late }) {
      if (decision !== undefined) decisions.add(`${decision.verdict} ${decision.rule}`);
      for (const effect of effects ?? [])
        if (effect.type === 'request-answer') answers.add(`${effect.answer} ${effect.rule}`);
      if (event.type === 'turn-ended' && event.status === 'failed' && late !== true)
        failures.add(event.failure?.kind ?? 'other');
    },
    end: () => [
      gauge('tireless_decisions', 'Decisions in the ledgers that were read.', split(decisions, 'verdict')),
      gauge(
        'tireless_answers',
        'Answers to requests of agents, by rule or person.',
        split(answers, 'answer'),
      ),
      gauge(
        'tireless_turn_failures',
        'Failed turns in the ledgers that were read.',
        failures.end().map(({ name, times }) => ({ labels: { kind: name }, value: times })),
      ),
    ],
  };
}

/** What the views of all runs say. `keepers`: the unfinished runs and whether a living process holds each. */
export function viewMetrics(
  views: readonly RunView[],
  keepers: ReadonlyMap<string, boolean>,
  now: number,
): readonly Metric[] {
  const gates = views.flatMap((view) => view.gates);
  const oldest = gates.reduce((least, gate) => Math.min(least, gate.askedAt), now);
  const open = views.filter((view) => !isTerminal(view.state)).slice(0, namedRunsMax);
  type Of = (view: RunView) => number | null | undefined;
  const sum = (name: string, help: string, of: Of): Metric => {
    const value = views.reduce((all, view) => all + (of(view) ?? 0), 0);
    return { name, help, type: 'counter', samples: [{ labels: {}, value }] };
  };
  const each = (name: string, help: string, of: Of): Metric => {
    const values = open.map((view) => ({
      labels: { run: view.id, agent: view.agent },
      value: of(view) ?? null,
    }));
    return gauge(name, help, values.filter((sample) => sample.value !== null) as Metric['samples']);
  };
  const numbers = <T extends string>(label: string, values: readonly T[], of: (value: T) => number) =>
    values.map((value) => ({ labels: { [label]: value }, value: of(value) }));
  const states = numbers(
    'state',
    runStateSchema.options,
    (state) => views.filter((v) => v.state === state).length,
  );
  const kinds = numbers(
    'kind',
    ['approval', 'input', 'accept'],
    (kind) => gates.filter((g) => g.kind === kind).length,
  );
  const waitedMs = Math.max(0, now - oldest);
  return [
    gauge('tireless_runs', 'Runs by state.', states),
    sum('tireless_turns_total', 'Turns of all runs.', (view) => view.turns),
    sum('tireless_tokens_total', 'Tokens of all runs, where agents tell them.', (view) => view.tokens),
    sum(
      'tireless_money_dollars_total',
      'US dollars of all runs, where agents tell them.',
      (view) => view.money,
    ),
    sum('tireless_active_seconds_total', 'Time at work of all runs.', (view) => view.activeMs / 1_000),
    gauge('tireless_gates_open', 'Questions that wait for a person.', kinds),
    gauge('tireless_gate_oldest_seconds', 'How long the oldest open question has waited.', [
      { labels: {}, value: waitedMs / 1_000 },
    ]),
    each('tireless_run_turns', 'Turns of each run that is not over.', (view) => view.turns),
    each('tireless_run_tokens', 'Tokens of each run that is not over.', (view) => view.tokens),
    each(
      'tireless_run_keeper_alive',
      'Whether a living process holds the run; 0 for one that should have it.',
      (view) => (keepers.has(view.id) ? Number(keepers.get(view.id)) : null),
    ),
  ];
}

export const gauge = (name: string, help: string, samples: Metric['samples']): Metric => ({
  name,
  help,
  type: 'gauge',
  samples,
});

/** The text format Prometheus scrapes, version 0.0.4. */
export function metricsText(metrics: readonly Metric[]): string {
  return metrics
    .flatMap(({ name, type, help, samples }) => [
      `# HELP ${name} ${help}`,
      `# TYPE ${name} ${type}`,
      ...samples.map(({ labels, value }) => `${name}${labelText(labels)} ${value}`),
    ])
    .join('\n');
}

function labelText(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

const escaped = (value: string): string =>
  value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
