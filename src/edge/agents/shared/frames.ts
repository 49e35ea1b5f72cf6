/** Longest line we hold in memory. Agents do send lines over 1 MB; no valid one comes near this. */
export const frameBytesMax = 64 * 1024 * 1024;
const sampleCharsMax = 2_000;
const lineFeed = 0x0a;

/** One line of a JSON-lines stream: its value, or why it could not be read and its beginning. */
export type Frame = { readonly value: unknown } | { readonly unreadable: string; readonly because: string };

export interface Framer {
  /** Takes bytes as they arrive and returns the frames they complete. */
  push(bytes: Uint8Array): Frame[];
  /** The end of the stream: a rest without a line feed is a frame too. */
  end(): Frame[];
}

/**
 * Splits a byte stream into JSON lines. Every byte is copied once, however small the chunks; a line over `bytesMax` is
 * dropped up to its line feed and reported as unreadable, and the stream continues after it.
 */
export function jsonLines(bytesMax = frameBytesMax): Framer {
  let pieces: Uint8Array[] = [];
  let held = 0;
  let overlong: string | undefined;

  const hold = (piece: Uint8Array) => {
    held += piece.length;
    if (overlong !== undefined) return;
    pieces.push(piece);
    if (held <= bytesMax) return;
    overlong = sampleOf(pieces);
    pieces = [];
  };

  const take = (): Frame[] => {
    const [length, sample, line] = [held, overlong, pieces];
    [pieces, held, overlong] = [[], 0, undefined];
    if (sample !== undefined) {
      return [{ unreadable: sample, because: `a line of ${length} bytes, at most ${bytesMax} are read` }];
    }
    const text = Buffer.concat(line, length).toString('utf8').trim();
    return text === '' ? [] : [parsed(text)];
  };

  return {
    push(bytes) {
      const frames: Frame[] = [];
      let from = 0;
      for (let at = bytes.indexOf(lineFeed); at !== -1; at = bytes.indexOf(lineFeed, from)) {
        hold(bytes.subarray(from, at));
        frames.push(...take());
        from = at + 1;
      }
      if (from < bytes.length) hold(bytes.subarray(from));
      return frames;
    },
    end: take,
  };
}

function parsed(text: string): Frame {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return {
      unreadable: text.slice(0, sampleCharsMax),
      because: `not JSON: ${(error as Error).message}`.slice(0, 500),
    };
  }
}

function sampleOf(pieces: readonly Uint8Array[]): string {
  const head: Uint8Array[] = [];
  let length = 0;
  for (const piece of pieces) {
    head.push(piece.subarray(0, sampleCharsMax - length));
    length += piece.length;
    if (length >= sampleCharsMax) break;
  }
  return Buffer.concat(head).toString('utf8').slice(0, sampleCharsMax);
}
