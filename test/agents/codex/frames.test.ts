import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { frameBytesMax, jsonLines } from '../../../src/edge/agents/shared/frames.ts';

const bytes = (text: string) => Buffer.from(text, 'utf8');

describe('a stream of JSON lines', () => {
  it('gives the same frames however its bytes are cut into pieces', () => {
    fc.assert(
      fc.property(
        fc.array(fc.jsonValue(), { maxLength: 8 }),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 20 }),
        (values, sizes) => {
          const whole = bytes(values.map((value) => `${JSON.stringify(value)}\n`).join(''));
          const framer = jsonLines();
          const frames = [];
          for (let at = 0, turn = 0; at < whole.length; turn++) {
            const size = sizes[turn % sizes.length] ?? 1;
            frames.push(...framer.push(whole.subarray(at, at + size)));
            at += size;
          }
          frames.push(...framer.end());
          expect(frames).toEqual(JSON.parse(JSON.stringify(values.map((value) => ({ value })))));
        },
      ),
    );
  });

  it('reads a frame of several megabytes that comes in small pieces without copying it again and again', () => {
    const text = JSON.stringify({ output: 'é'.repeat(4_000_000) });
    const whole = bytes(`${text}\n`);
    const framer = jsonLines();
    const frames = [];
    for (let at = 0; at < whole.length; at += 4_096)
      frames.push(...framer.push(whole.subarray(at, at + 4_096)));
    expect(frames).toEqual([{ value: JSON.parse(text) }]);
  });

  it('tells a line that is not JSON and reads on', () => {
    const frames = jsonLines().push(bytes('{"a":1}\nERROR: oh no\n\r\n{"b":2}\r\n'));
    expect(frames).toEqual([
      { value: { a: 1 } },
      { unreadable: 'ERROR: oh no', because: expect.stringContaining('not JSON') },
      { value: { b: 2 } },
    ]);
  });

  it('drops a line that is too long, keeps how it began, and reads on', () => {
    const framer = jsonLines(100);
    const long = framer.push(bytes(`{"a":"${'x'.repeat(90)}`));
    expect([...long, ...framer.push(bytes(`${'y'.repeat(90)}"}\n{"b":2}\n`))]).toEqual([
      {
        unreadable: expect.stringMatching(/^\{"a":"xxx/),
        because: 'a line of 188 bytes, at most 100 are read',
      },
      { value: { b: 2 } },
    ]);
  });

  it('reads up to 64 MB at once', () => {
    expect(frameBytesMax).toBe(64 * 1024 * 1024);
    const fits = Buffer.alloc(frameBytesMax, 0x20);
    fits.write('7');
    const framer = jsonLines();
    framer.push(fits);
    expect(framer.push(bytes('\n'))).toEqual([{ value: 7 }]);
    framer.push(fits);
    framer.push(bytes(' '));
    expect(framer.push(bytes('\n'))).toMatchObject([{ because: expect.stringContaining('at most') }]);
  });

  it('gives a last line that lacks its line feed', () => {
    const framer = jsonLines();
    framer.push(bytes('{"a":1}'));
    expect(framer.end()).toEqual([{ value: { a: 1 } }]);
    expect(framer.end()).toEqual([]);
  });
});
