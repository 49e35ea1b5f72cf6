import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { printedIn, withResults } from '../../src/core/cycle/cycle-facts.ts';

interface Item {
  readonly type: string;
  readonly aggregatedOutput?: string | null;
}

/** Every finished command in the recordings of Codex. */
function recordedCommands(): Item[] {
  const folder = resolve(import.meta.dirname, '../recordings/codex');
  return globSync('*.jsonl', { cwd: folder })
    .flatMap((file) => readFileSync(resolve(folder, file), 'utf8').split('\n'))
    .filter((line) => line.includes('"item/completed"'))
    .map((line) => (JSON.parse(line) as { msg?: { params?: { item?: Item } } }).msg?.params?.item)
    .filter((item) => item?.type === 'commandExecution') as Item[];
}

describe('what a command printed', () => {
  it('is its output alone, in every command Codex was recorded with', () => {
    const items = recordedCommands();
    expect(items.filter(({ aggregatedOutput }) => aggregatedOutput).length).toBeGreaterThan(2);
    for (const item of items)
      expect(printedIn(JSON.stringify(item))).toBe((item.aggregatedOutput ?? '').trim());
  });

  it.each([
    ['a plain text', ' hello\n', 'hello'],
    ['a number', '42', '42'],
    [
      'an answer over MCP',
      '{"tool":"x","result":{"content":[{"type":"text","text":"found"}]},"error":null}',
      'found',
    ],
    ['an error', '{"tool":"x","result":null,"error":{"message":"no","content":"denied"}}', 'no\ndenied'],
    ['nothing', '', ''],
    ['a record without a result', '{"command":"ls","status":"declined"}', ''],
  ])('is read from %s', (_what, body, printed) => {
    expect(printedIn(body)).toBe(printed);
  });

  it('is the result of its fact, the end of it where it is long', () => {
    const fact = { seq: 1, kind: 'command', text: 'make' } as const;
    const body = JSON.stringify({ aggregatedOutput: `${'x'.repeat(9_000)} 2 failed`, exitCode: 1 });
    const [one, other] = withResults(
      [
        { ...fact, body: 'a' },
        { ...fact, body: 'gone' },
      ],
      new Map([['a', body]]),
    );
    expect(one?.result).toMatch(/ 2 failed$/);
    expect(other).toEqual(fact);
  });
});
