import { frameBytesMax } from './frames.ts';

/** A line, or the beginning of a line that is too long to hold in memory. */
export type Line = { readonly text: string } | { readonly overlong: number; readonly begins: string };

const sampleBytes = 2_000;
const lineFeed = 0x0a;

/** Every line of a byte stream, empty ones too, without its end; memory is bounded by `bytesMax`. */
export async function* boundedLines(
  bytes: AsyncIterable<Uint8Array>,
  bytesMax = frameBytesMax,
): AsyncGenerator<Line> {
  let pieces: Uint8Array[] = [];
  let held = 0;
  const hold = (piece: Uint8Array): void => {
    held += piece.length;
    if (held <= bytesMax) pieces.push(piece);
    else if (pieces.length > 1 || (pieces[0]?.length ?? 0) !== sampleBytes)
      pieces = [new Uint8Array(Buffer.concat([...pieces, piece]).subarray(0, sampleBytes))];
  };
  const take = (): Line => {
    const text = Buffer.concat(pieces).toString('utf8');
    const line = held > bytesMax ? { overlong: held, begins: text } : { text: text.replace(/\r$/, '') };
    [pieces, held] = [[], 0];
    return line;
  };
  for await (const chunk of bytes) {
    let from = 0;
    for (let at = chunk.indexOf(lineFeed); at !== -1; at = chunk.indexOf(lineFeed, from)) {
      hold(chunk.subarray(from, at));
      yield take();
      from = at + 1;
    }
    if (from < chunk.length) hold(chunk.subarray(from));
  }
  if (held > 0) yield take();
}
