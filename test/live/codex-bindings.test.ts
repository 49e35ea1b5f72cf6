import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { bindings, bindingsPath } from '../../tools/codex-bindings.ts';
import { codex } from './kit/installed.ts';

describe.skipIf(!codex)('the bindings', () => {
  it('are what the installed Codex generates', () => {
    expect(readFileSync(bindingsPath, 'utf8')).toBe(bindings());
  });
});
