import { clockTime, oneLine } from '../format.ts';
import type { Terminal } from '../terminal.ts';
import type { Line, Tone } from './lines.ts';

const styles: Readonly<Record<Tone, Parameters<Terminal['paint']>[0]>> = {
  plain: 'reset',
  dim: 'dim',
  good: 'green',
  bad: 'red',
  warn: 'yellow',
  strong: 'bold',
};

/** A line of the story as text: the time only when it changed, so that the eye finds the turns. */
export function makeLinePainter(terminal: Pick<Terminal, 'paint' | 'width'>): (line: Line) => string {
  let lastTime = '';
  return ({ at, icon, text, tone }) => {
    const time = clockTime(at);
    const shown = time === lastTime ? ' '.repeat(time.length) : time;
    lastTime = time;
    const room = terminal.width() - time.length - 6;
    return `${terminal.paint('dim', shown)}  ${terminal.paint(styles[tone], icon)} ${terminal.paint(styles[tone], oneLine(text, room))}`;
  };
}
