import { z } from 'zod';
import type { AgentEvent } from '../../../contract/index.ts';
import type { Line } from '../shared/bounded-lines.ts';
import { unreadable } from './meaning.ts';
import { startState } from './state.ts';
import { noteSent, translate } from './translate.ts';

/** One line of an app-server log: who sent it (`>` we, `<` the server), and the message. */
const loggedSchema = z.object({ t: z.number().optional(), dir: z.enum(['>', '<']), msg: z.unknown() });

/** What one line of a log means. */
export interface TranslatedLine {
  /** Counted from 1. */
  readonly line: number;
  readonly dir: '>' | '<' | null;
  readonly event: AgentEvent | null;
  /** Further events of the same frame. */
  readonly more: readonly AgentEvent[];
  /** Frames that are only shown live, such as deltas. */
  readonly live: number;
}

/** Translates a log line by line, keeping state. Every line gives exactly one result. */
export function logTranslator(): (line: Line) => TranslatedLine {
  let state = startState();
  let count = 0;
  return (line) => {
    count += 1;
    const read = logged(line);
    if ('because' in read) {
      const [reported] = unreadable(read.because, read.sample).events ?? [];
      return { line: count, dir: null, event: reported?.event ?? null, more: [], live: 0 };
    }
    const { dir, msg } = read;
    if (dir === '>') {
      state = noteSent(state, msg);
      return { line: count, dir, event: null, more: [], live: 0 };
    }
    const meaning = translate(state, msg);
    state = meaning.state;
    const [event = null, ...more] = meaning.events.map(({ event: one }) => one);
    return { line: count, dir, event, more, live: meaning.live.length };
  };
}

type Logged = { readonly dir: '>' | '<'; readonly msg: unknown };

function logged(line: Line): Logged | { readonly because: string; readonly sample: string } {
  if ('overlong' in line)
    return { because: `a line of ${line.overlong} bytes is too long to be read`, sample: line.begins };
  let value: unknown;
  try {
    value = JSON.parse(line.text);
  } catch (error) {
    return { because: `not JSON: ${(error as Error).message}`, sample: line.text };
  }
  const read = loggedSchema.safeParse(value);
  return read.success ? read.data : { because: 'no line {t, dir, msg} of a log', sample: line.text };
}
