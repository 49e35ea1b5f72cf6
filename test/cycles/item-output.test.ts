import { describe, expect, it } from 'vitest';
import { outputOf } from '../../src/edge/effects/item-output.ts';

describe('what a command or tool gave back', () => {
  it.each([
    ['plain text', 'all 12 passed\n', 'all 12 passed\n'],
    [
      'a command of Codex',
      '{"type":"commandExecution","command":"ls","aggregatedOutput":"a\\nb\\n"}',
      'a\nb\n',
    ],
    ['a command without output', '{"type":"commandExecution","command":"ls","aggregatedOutput":null}', ''],
    [
      'a tool of an MCP server',
      '{"type":"mcpToolCall","tool":"t","result":{"content":[{"type":"text","text":"Noted."}]},"error":null}',
      'Noted.',
    ],
    [
      'a tool that failed',
      '{"type":"mcpToolCall","result":null,"error":{"message":"no such task"}}',
      'no such task',
    ],
    ['output that only looks like JSON', '{ broken', '{ broken'],
  ])('is found in %s', (_what, raw, output) => {
    expect(outputOf(raw)).toBe(output);
  });
});
