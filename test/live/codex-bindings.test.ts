import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { bindings, bindingsPath } from '../../tools/codex-bindings.ts';
import { installedCodex } from './kit/codex-home.ts';

describe.skipIf(!installedCodex())('the bindings', () => {
  it('are what the installed Codex generates', () => {
    expect(readFileSync(bindingsPath, 'utf8')).toBe(bindings());
  });
});
