import { createHash } from 'node:crypto';
import { StringDecoder } from 'node:string_decoder';
import type { Counts } from '../../contract/check.ts';
import { countsOf, emptyTally, tallyLine, withoutColour } from '../../core/completion/counts.ts';
import { bounds } from './bounds.ts';

/** What is kept of an output of any length: a digest over all of it, its counts, its beginning and its end. */
export interface OutputSummary {
  readonly digest: string;
  readonly text: string;
  readonly counts: Counts | null;
}

/** Hears the chunks of one or more streams and holds a bounded amount of memory whatever comes. */
export function outputReader() {
  const hash = createHash('sha256');
  let tally = emptyTally;
  let head = '';
  let tail = '';
  let charsHeard = 0;

  const keep = (text: string) => {
    charsHeard += text.length;
    const room = bounds.outputHeadChars - head.length;
    if (room > 0) head += text.slice(0, room);
    tail += text.slice(Math.max(0, room));
    if (tail.length > 4 * bounds.outputTailChars) tail = tail.slice(-bounds.outputTailChars);
  };

  /** Each stream has its own lines and its own half-read characters. */
  const stream = () => {
    const decoder = new StringDecoder('utf8');
    let line = '';
    const onEvent = (text: string) => {
      const lines = text.split(/\r?\n|\r/);
      const last = lines.pop() ?? '';
      for (const each of lines) {
        tally = tallyLine(tally, line + each);
        line = '';
      }
      line = (line + last).slice(0, bounds.outputLineChars);
    };
    return {
      push(chunk: Buffer) {
        hash.update(chunk);
        const text = decoder.write(chunk);
        keep(text);
        onEvent(text);
      },
      end() {
        const text = decoder.end();
        keep(text);
        onEvent(`${text}\n`);
      },
    };
  };

  const summary = (): OutputSummary => {
    const end = tail.slice(-bounds.outputTailChars);
    const leftOut = charsHeard - head.length - end.length;
    const text = leftOut > 0 ? `${head}\n… ${leftOut} characters left out …\n${end}` : head + end;
    return { digest: hash.copy().digest('hex'), text: withoutColour(text), counts: countsOf(tally) };
  };

  return { stream, summary };
}
