import { describe, expect, it } from 'vitest';
import { closingLine, replay } from '../../src/core/index.ts';
import { ledgerRun } from '../../src/testkit/ledger-run.ts';

describe('a run', () => {
  it('goes from mission to a certified end by our own evidence', () => {
    const r = ledgerRun();
    expect(r.run().state).toBe('waiting');
    r.launch();
    expect(r.run().state).toBe('running');
    r.started();
    const first = r.ended({ message: { text: 'I changed a thing' } });
    expect(first.decision).toMatchObject({ verdict: 'continue', rule: 'continue' });
    r.launch();
    r.started();
    const claimed = r.ended({ message: { text: `done\n${closingLine}` } });
    expect(claimed.decision).toMatchObject({ verdict: 'verify', rule: 'verify-claim' });
    const bad = r.outcome('checks-run', {
      of: 'checks-run',
      before: { tree: 'unknown', head: null },
      after: { tree: 'unknown', head: null },
      results: [
        {
          name: 'test',
          command: 'npm test',
          outcome: 'failed',
          exitCode: 1,
          durationMs: 1,
          outputDigest: '0'.repeat(64),
          tail: { text: '1 failed' },
        },
      ],
    });
    expect(bad.decision).toMatchObject({ verdict: 'continue' });
    expect(bad.decision?.input?.parts.map((p) => p.part)).toContain('evidence');
    r.launch();
    r.started();
    r.ended({ message: { text: closingLine } });
    const good = r.outcome('checks-run', {
      of: 'checks-run',
      before: { tree: 'unknown', head: null },
      after: { tree: 'unknown', head: null },
      results: [
        {
          name: 'test',
          command: 'npm test',
          outcome: 'passed',
          exitCode: 0,
          durationMs: 1,
          outputDigest: '0'.repeat(64),
          tail: { text: 'ok' },
        },
      ],
    });
    expect(good.decision).toMatchObject({ verdict: 'stop', rule: 'certified', to: 'done' });
    expect(replay(r.entries).divergences).toEqual([]);
  });
});
