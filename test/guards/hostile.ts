import fc from 'fast-check';
import { expect, it } from 'vitest';
import { judgementSchema } from '../../src/contract/action.ts';
import { judgeCommand } from '../../src/core/guards/index.ts';
import { cpuMs } from '../cpu-time.ts';
import { corpusFile, corpusFiles, here } from './corpus.ts';

export const timeoutMs = 240_000;
/** No single input may keep the processor busy for longer, however hostile. */
const slowestMs = 2_000;

const marks = [...'|&;<>(){}$`\\"\'*?[]#~=%!^+@:,./- \n\t'];
const words = [
  'rm',
  '-rf',
  'if',
  'then',
  'fi',
  'for',
  'do',
  'done',
  'case',
  'esac',
  'function',
  '$(',
  '${',
  '$((',
  '<<E',
  '<<<',
  'eval',
  'sh -c',
  '/',
  '~',
  '{a,b}',
  '{1..99999}',
  '`',
  'E\n',
  "$'\\x",
  '[[',
  ']]',
  '<(',
  'x=(',
  'while',
  '&&',
  '||',
  'git',
  'push',
  'find',
  '-exec',
  '{}',
  '\\;',
  'xargs',
  'awk',
  'sed',
  'python3 -c',
];
const piece = fc.oneof(
  fc.constantFrom(...marks),
  fc.constantFrom(...words),
  fc.string({ maxLength: 8 }),
  fc.string({ unit: 'binary', maxLength: 4 }),
);
const soup = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));
const spaced = fc.array(piece, { maxLength: 25 }).map((pieces) => pieces.join(' '));
const samples = corpusFiles().flatMap((file) => corpusFile(file).map((item) => item.command));
const bent = fc
  .record({ command: fc.constantFrom(...samples), at: fc.nat(200), cut: fc.nat(6), piece })
  .map(({ command, at, cut, piece: added }) => {
    const from = at % (command.length + 1);
    return command.slice(0, from) + added + command.slice(from + cut);
  });

/** The guard answers, in bounded time, with something that can be recorded. */
export function survives(command: string): void {
  let judgement: unknown;
  expect(
    cpuMs(() => {
      judgement = judgeCommand(command, here);
    }),
  ).toBeLessThan(slowestMs);
  judgementSchema.parse(judgement);
}

export const survivesRandomInput = (times: number): void =>
  it.each([
    ['soup of shell marks', soup],
    ['spaced soup', spaced],
    ['bent commands of the corpus', bent],
    ['any text', fc.string({ unit: 'binary', maxLength: 200 })],
  ])(`neither throws nor hangs the guard: %s, ${times} times`, { timeout: timeoutMs }, (_name, arbitrary) => {
    fc.assert(fc.property(arbitrary as fc.Arbitrary<string>, survives), { numRuns: times });
  });
