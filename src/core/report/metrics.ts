import type { Entry, RunView } from '../../contract/index.ts';
import { runStateSchema } from '../../contract/state.ts';
import { isTerminal } from '../run.ts';
import { tallied } from './excerpt.ts';
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
  const split = (of: ReturnType<typeof tallied>, first: string): Metric['samples'] =>
    of.end().map(({ name, times }) => {
      const [head = '', rule = 'other'] = name.split(' ');
      return { labels: { [first]: head, rule }, value: times };
    });
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
  const sum = (of: (view: RunView) => number | null): number =>
    views.reduce((all, view) => all + (of(view) ?? 0), 0);
  const gates = views.flatMap((view) => view.gates);
  const oldest = gates.reduce((least, gate) => Math.min(least, gate.askedAt), now);
  const open = views.filter((view) => !isTerminal(view.state)).slice(0, namedRunsMax);
  const perRun = (of: (view: RunView) => number | null): Metric['samples'] =>
    open.flatMap((view) => {
      const value = of(view);
      return value === null ? [] : [{ labels: { run: view.id, agent: view.agent }, value }];
    });
  const kinds = ['approval', 'input', 'accept'] as const;
  return [
    gauge(
      'tireless_runs',
      'Runs by state.',
      runStateSchema.options.map((state) => ({
        labels: { state },
        value: views.filter((view) => view.state === state).length,
      })),
    ),
    counter(
      'tireless_turns_total',
      'Turns of all runs.',
      sum((view) => view.turns),
    ),
    counter(
      'tireless_tokens_total',
      'Tokens of all runs, where agents tell them.',
      sum((view) => view.tokens),
    ),
    counter(
      'tireless_money_dollars_total',
      'US dollars of all runs, where agents tell them.',
      sum((view) => view.money),
    ),
    counter(
      'tireless_active_seconds_total',
      'Time at work of all runs.',
      sum((view) => view.activeMs) / 1_000,
    ),
    gauge(
      'tireless_gates_open',
      'Questions that wait for a person.',
      kinds.map((kind) => ({ labels: { kind }, value: gates.filter((gate) => gate.kind === kind).length })),
    ),
    gauge('tireless_gate_oldest_seconds', 'How long the oldest open question has waited.', [
      { labels: {}, value: Math.max(0, now - oldest) / 1_000 },
    ]),
    gauge(
      'tireless_run_turns',
      'Turns of each run that is not over.',
      perRun((view) => view.turns),
    ),
    gauge(
      'tireless_run_tokens',
      'Tokens of each run that is not over.',
      perRun((view) => view.tokens),
    ),
    gauge(
      'tireless_run_keeper_alive',
      'Whether a living process holds the run; 0 for one that should have it.',
      perRun((view) => {
        const alive = keepers.get(view.id);
        return alive === undefined ? null : Number(alive);
      }),
    ),
  ];
}

export const gauge = (name: string, help: string, samples: Metric['samples']): Metric => ({
  name,
  help,
  type: 'gauge',
  samples,
});

const counter = (name: string, help: string, value: number): Metric => ({
  name,
  help,
  type: 'counter',
  samples: [{ labels: {}, value }],
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
