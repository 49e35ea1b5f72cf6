import type { RunView } from '../../../contract/index.ts';
import { count, cycleWords, duration, oneLine, stateWords } from '../format.ts';
import { stateTone } from '../status-text.ts';
import type { Terminal } from '../terminal.ts';

const spinner = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const barCells = 12;

/** A gauge of a budget: full means used up. */
function gauge(used: number, max: number): string {
  const filled = Math.max(0, Math.min(barCells, Math.round((used / max) * barCells)));
  return '█'.repeat(filled) + '░'.repeat(barCells - filled);
}

/** The live part at the bottom: state, budgets, plan, and what the agent is just saying. */
export function footerOf(
  view: RunView,
  saying: string,
  tick: number,
  terminal: Pick<Terminal, 'paint' | 'width'>,
  now: number,
): readonly string[] {
  const { paint } = terminal;
  const busy = view.state === 'running' || view.state === 'deciding' || view.state === 'verifying';
  const mark = busy ? (spinner[tick % spinner.length] ?? '') : '●';
  const state = oneLine(`${mark} ${stateWords(view, now)}`, terminal.width() - 1);
  const parts = [
    cycleWords(view),
    `turn ${view.turns + (view.state === 'running' ? 1 : 0)}/${view.turnsMax}`,
    view.tokens === null
      ? null
      : view.tokensMax === null
        ? `${count(view.tokens)} tokens`
        : `${gauge(view.tokens, view.tokensMax)} ${count(view.tokens)}/${count(view.tokensMax)} tokens`,
    view.plan === null
      ? null
      : `${gauge(view.plan.done, Math.max(1, view.plan.total))} plan ${view.plan.done}/${view.plan.total}`,
    duration(now - view.createdAt),
  ];
  // A line that wraps could not be erased: what does not fit is left out, the least telling first.
  const shown = parts.filter((part) => part !== null);
  while (shown.length > 0 && [state, ...shown].join(' · ').length >= terminal.width()) shown.pop();
  const lines = ['', [paint(stateTone(view), state), ...shown].join(paint('dim', ' · '))];
  if (saying !== '' && view.state === 'running')
    lines.push(paint('dim', `“${oneLine(saying.slice(-terminal.width()), terminal.width() - 2)}`));
  return lines;
}
