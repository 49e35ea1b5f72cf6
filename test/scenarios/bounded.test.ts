import { describe, expect, it } from 'vitest';
import { bounds } from '../../src/core/index.ts';
import { ledgerRun } from '../../src/testkit/ledger-run.ts';
import { staysSmall } from './stays-small.ts';

describe('a run', () => {
  staysSmall({ once: 20_000, autonomous: 15_000 });

  it('is not broken by an agent that asks faster than it can be answered', () => {
    const r = ledgerRun({ policy: { approvals: 'never-ask' } });
    r.launch();
    const turn = r.started();
    for (let n = 0; n < 300; n++) {
      const action = {
        kind: 'command' as const,
        rendered: { text: `ls ${n}` },
        digest: n.toString().padStart(64, '0'),
      };
      const entry = r.onEvent({ type: 'approval-asked', session: 's1', turn, request: `q${n}`, action });
      expect(entry.effects?.map((e) => e.type)).toContain('request-answer');
    }
    expect(r.run().pending.length).toBeLessThanOrEqual(bounds.pendingMax);
    expect(r.restarted().effects?.length ?? 0).toBeLessThanOrEqual(50);
  });
});
