import { describe, expect, it } from 'vitest';
import { judgeCommand } from '../../src/core/guards/index.ts';
import { here } from './corpus.ts';
import { survives, survivesRandomInput, timeoutMs } from './hostile.ts';

describe('hostile input', () => {
  survivesRandomInput(5_000);

  it.each([
    ['"$('.repeat(5_000)],
    ['$('.repeat(8_000)],
    ['('.repeat(16_000)],
    ['{a,b}'.repeat(3_000)],
    [`echo ${'{1..9}'.repeat(2_000)}`],
    [`rm ${'{a,{b,{c,{d,{e,f}}}}}'.repeat(200)}`],
    [`echo ${'$(echo '.repeat(200)}x${')'.repeat(200)}`],
    ['sh -c '.repeat(2_000)],
    [`eval ${'eval '.repeat(3_000)}ls`],
    ['sudo '.repeat(3_000)],
    [`${'for i in 1 2 3; do '.repeat(12)}ls${'; done'.repeat(12)}`],
    [`${'while true; do x=$x$x; '.repeat(14)}ls${'; done'.repeat(14)}`],
    [`x=aaaaaaaaaaaaaaaaaaaaaaaa; ${'x=$x$x; '.repeat(1_500)}echo $x`],
    [`${Array.from({ length: 300 }, (_, i) => `f${i}() { f${i + 1}; f${i + 1}; }`).join('; ')}; f0`],
    ['a=(1 2 3); '.repeat(1_000)],
    [`if x; then ${'if y; then a=1; else a=2; fi; '.repeat(400)} fi; rm -rf $a`],
    [`awk '${'{print > "a"}'.repeat(1_000)}'`],
    [`sed '${'s/a/b/;'.repeat(2_000)}'`],
    [`python3 -c '${'print("x");'.repeat(1_300)}'`],
    [`perl -e '${'s{a}{b}e;'.repeat(1_500)}'`],
    [`psql -c '${"select 'a';".repeat(1_200)}'`],
    [`find . ${'-name x -o '.repeat(1_200)} -delete`],
    [`echo '${'a'.repeat(16_000)}'`],
    ['a'.repeat(20_000)],
    [`cat ${'*a'.repeat(5_000)}`],
    [`\${x${'%a*'.repeat(3_000)}}`],
    [`echo ${'<(ls) '.repeat(2_000)}`],
    [`frobnicate ${'"a b" '.repeat(2_000)}`],
    [`x='${'a*'.repeat(900)}'; echo "\${x//a*a*a*b/c}" "\${x%%*a*a*b}"`],
  ])('is answered in bounded time: %.40s…', { timeout: timeoutMs }, (command) => {
    survives(command);
  });

  it('is a question when it is longer than the guard reads', () => {
    expect(judgeCommand(`ls ${'a'.repeat(20_000)}`, here)).toMatchObject({
      verdict: 'ask',
      rule: 'unreadable',
      never: true,
    });
  });

  it('is a question when it cannot be read to its end', () => {
    for (const command of ['echo "a', "echo 'a", 'if true', 'ls |', 'echo $(', 'a && && b', 'echo )']) {
      expect(judgeCommand(command, here).verdict, command).not.toBe('allow');
    }
  });

  it('is a question when it hides characters from the person who would approve it', () => {
    for (const char of ['\u0000', '\u0001', '\u0007', '\u001b', '\u007f', '\ue000', '\u202e', '\u2066']) {
      expect(judgeCommand(`echo a${char}b`, here), JSON.stringify(char)).toMatchObject({
        verdict: 'ask',
        never: true,
      });
    }
  });
});
