import { describe, expect, it } from 'vitest';
import { footerOf } from '../../src/app/cli/view/footer.ts';
import { viewOf } from '../../src/core/index.ts';
import { ledgerRun } from '../../src/testkit/index.ts';

describe('the live line at the bottom', () => {
  const view = {
    ...viewOf(ledgerRun().run()),
    ...({ state: 'waiting', waitingOn: 'usage-limit', until: 235_000, tokens: 3_000 } as const),
    plan: { done: 2, total: 4, current: null },
  };

  it('never wraps, because a wrapped line could not be erased', () => {
    for (let columns = 20; columns <= 160; columns++) {
      const terminal = { paint: (_style: unknown, text: string) => text, width: () => columns };
      for (const line of footerOf({ ...view, createdAt: 0 }, 'word '.repeat(200), 0, terminal, 1_000))
        expect(line.length, `${columns} columns: ${line}`).toBeLessThan(columns);
    }
  });

  it('says the state first and leaves out what has no room', () => {
    const terminal = { paint: (_style: unknown, text: string) => text, width: () => 60 };
    const [, line = ''] = footerOf({ ...view, createdAt: 0 }, '', 0, terminal, 1_000);
    expect(line).toContain('waiting on usage-limit');
    expect(line).not.toContain('plan');
  });
});
