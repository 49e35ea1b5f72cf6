import type { RunView } from '../../../contract/index.ts';
import type { Terminal } from '../terminal.ts';
import { footerOf } from './footer.ts';

const frameMs = 100;

/** Lines that stay, and below them a footer that lives. Without a terminal only the lines remain. */
export interface Screen {
  print(line: string): void;
  show(view: RunView): void;
  /** What the agent is just saying; null when it stopped. */
  say(text: string | null): void;
  end(): void;
}

export function makeScreen(terminal: Terminal, drawn: boolean, now: () => number = Date.now): Screen {
  const isLive = drawn && terminal.isInteractive && terminal.env.TERM !== 'dumb';
  if (!isLive)
    return {
      print: (line) => drawn && terminal.out(line),
      show: () => undefined,
      say: () => undefined,
      end: () => undefined,
    };
  const { stdout } = terminal.io;
  let footer: readonly string[] = [];
  let view: RunView | null = null;
  let saying = '';
  let tick = 0;
  const erase = (): string => (footer.length === 0 ? '' : `\r\u001b[${footer.length - 1}A\u001b[J`);
  const draw = (above = ''): void => {
    const before = footer.length === 0 ? '' : erase();
    footer = view === null ? [] : footerOf(view, saying, tick, terminal, now());
    stdout.write(`${before}${above}${footer.join('\n')}`);
  };
  stdout.write('\u001b[?25l');
  const ticking = setInterval(() => {
    tick += 1;
    draw();
  }, frameMs);
  let ended = false;
  return {
    print: (line) => draw(`${line}\n`),
    show(next) {
      view = next;
      draw();
    },
    say(text) {
      saying = text === null ? '' : (saying + text).slice(-500);
    },
    end() {
      if (ended) return;
      ended = true;
      clearInterval(ticking);
      stdout.write(`${erase()}\u001b[?25h`);
      footer = [];
    },
  };
}
