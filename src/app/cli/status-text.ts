import type { RunView } from '../../contract/view.ts';
import {
  ago,
  clockTime,
  count,
  cycleWords,
  duration,
  nextAction,
  oneLine,
  stateWords,
  tildePath,
} from './format.ts';
import type { Terminal } from './terminal.ts';

const tones = {
  ready: 'blue',
  running: 'green',
  deciding: 'green',
  verifying: 'cyan',
  waiting: 'yellow',
  paused: 'yellow',
  done: 'green',
  stopped: 'gray',
  failed: 'red',
} as const;

export const stateTone = (view: RunView): (typeof tones)[RunView['state']] => tones[view.state];

const stepsShownMax = 10;
const stepMarks = { done: '✓', active: '›', pending: '·' } as const;

const reachWords = {
  'every-action': 'every action is judged',
  asks: 'only what it asks about is judged',
  nothing: 'none of its actions is judged',
} as const;

/** Which agent, and what its open session showed. */
function agentWords({ agent, agentFacts }: RunView): string {
  if (agentFacts === undefined) return agent;
  const { version, login, sandbox, sees } = agentFacts;
  const known = [version, login, sandbox].filter((fact) => fact !== undefined);
  return [[agent, ...known].join(' · '), reachWords[sees]].join(' · ');
}

/** One run as a person wants to see it at a glance; `why` adds the decision behind it. */
export function statusText(
  view: RunView,
  terminal: Pick<Terminal, 'paint' | 'env' | 'width'>,
  now: number,
  why: boolean,
): string {
  const { paint } = terminal;
  const row = (name: string, value: string): string => `  ${paint('dim', name.padEnd(10))} ${value}`;
  const money = view.money === null ? '' : ` · $${view.money.toFixed(2)}`;
  const tokens =
    view.tokens === null
      ? 'tokens unknown'
      : `${count(view.tokens)}${view.tokensMax === null ? '' : `/${count(view.tokensMax)}`} tokens`;
  const lines = [
    `${paint(stateTone(view), '●')} ${paint('bold', stateWords(view, now))}  ${paint('dim', view.id)}`,
    row('mission', oneLine(view.mission, terminal.width() - 14)),
    row('workspace', tildePath(view.workspace, terminal.env.HOME)),
    row('agent', agentWords(view)),
    row(
      'spent',
      `${view.turns}/${view.turnsMax} turns · ${tokens}${money} · ${duration(view.activeMs)} of work`,
    ),
  ];
  const cycle = cycleWords(view);
  if (cycle !== null) lines.push(row('cycle', cycle));
  if (view.plan !== null)
    lines.push(
      row(
        'plan',
        `${view.plan.done}/${view.plan.total}${view.plan.current === null ? '' : ` · ${oneLine(view.plan.current, 60)}`}`,
      ),
    );
  for (const { text, status } of view.plan?.steps?.slice(0, stepsShownMax) ?? [])
    lines.push(row('', `${stepMarks[status]} ${oneLine(text, 60)}`));
  if (view.background !== undefined)
    lines.push(row('running', view.background.map(({ label }) => oneLine(label, 60)).join(' · ')));
  if (view.tasks !== undefined)
    lines.push(
      row(
        'tasks',
        `${view.tasks.done}/${view.tasks.total} done${view.tasks.blocked === 0 ? '' : ` · ${view.tasks.blocked} blocked`}`,
      ),
    );
  if (view.checks.length > 0)
    lines.push(row('checks', view.checks.map((c) => `${c.name}: ${c.outcome}`).join(' · ')));
  lines.push(row('because', oneLine(view.because, 400)));
  if (why && view.lastDecision !== null) {
    const d = view.lastDecision;
    lines.push(
      row(
        'decision',
        `${d.verdict} by rule ${paint('bold', d.rule)} at ${clockTime(d.at)}, confidence ${d.confidence}`,
      ),
      row('', d.because),
    );
  }
  for (const gate of view.gates)
    lines.push(
      row(
        'asks',
        `${paint('yellow', gate.id)} ${oneLine(gate.asks, 200)} ${paint('dim', `(${gate.because})`)}`,
      ),
    );
  for (const { shape, gate, times } of view.shapes ?? [])
    lines.push(
      row('allowed', `${oneLine(shape, 80)} ${paint('dim', `for this run, at ${gate}; used ${times}×`)}`),
    );
  const next = nextAction(view);
  if (next !== null) lines.push(row('next', paint('bold', next)));
  lines.push(row('updated', ago(view.updatedAt, now)));
  return lines.join('\n');
}
