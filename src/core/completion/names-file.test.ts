import { describe, expect, it } from 'vitest';
import { namesFile } from './names-file.ts';

describe('a file that a check names', () => {
  it.each([
    ['sh check.sh', 'check.sh'],
    ['./check.sh --all', 'check.sh'],
    ['node --test "suite.mjs"', 'suite.mjs'],
    ['[ "$(./count.sh)" = 3 ]', 'count.sh'],
    ['test -x verify.sh && ./verify.sh', 'verify.sh'],
    ['diff expected.txt out.txt', 'expected.txt'],
    ['grep -qf patterns.txt notes.txt', 'patterns.txt'],
    ['grep -q ok `cat list`', 'list'],
  ])('is part of the proof in %s: %s', (command, path) => {
    expect(namesFile(command, '.', path)).toBe(true);
  });

  it.each([
    ['grep -qx done notes.txt', 'notes.txt'],
    ['test -s notes.txt', 'notes.txt'],
    ['[ -f notes.txt ]', 'notes.txt'],
    ['! grep -q TODO notes.txt', 'notes.txt'],
    ['npm test', 'notes.txt'],
  ])('is the work itself in %s: %s', (command, path) => {
    expect(namesFile(command, '.', path)).toBe(false);
  });

  it('is looked for where the command runs', () => {
    expect(namesFile('sh check.sh', 'web', 'web/check.sh')).toBe(true);
    expect(namesFile('sh check.sh', 'web', 'check.sh')).toBe(false);
  });
});
