import { describe, expect, it } from 'vitest';
import { replay } from '../../src/core/index.ts';
import { answerIn, asking, effectsIn } from './asking.ts';

const kept = { of: 'savepoint', ok: true } as const;
const discard = 'git reset --hard';

describe('an approved action that destroys', () => {
  it('is answered only after its savepoint was kept', () => {
    const r = asking({ approvals: 'pause' });
    expect(effectsIn(r.ask(discard), 'gate-open')).toMatchObject([{ destructive: true }]);
    const approved = r.answer({ answer: 'approve' });
    expect(answerIn(approved)).toBeUndefined();
    expect(effectsIn(approved, 'savepoint')).toMatchObject([
      { because: `before: ${discard}`, approves: { rule: 'person' } },
    ]);
    expect(r.run().gates).toEqual([]);
    expect(answerIn(r.outcome('savepoint', kept))).toMatchObject({ answer: 'approve', rule: 'person' });
    expect(replay(r.entries).divergences).toEqual([]);
  });

  it('is denied when the files could not be kept, and the person is told', () => {
    const r = asking({ approvals: 'pause' });
    r.ask(discard);
    r.answer({ answer: 'approve' });
    const failed = r.outcome('savepoint', { of: 'savepoint', ok: false, because: 'the disk is full' });
    expect(answerIn(failed)).toMatchObject({
      answer: 'deny',
      rule: 'savepoint',
      because: expect.stringContaining('the disk is full'),
    });
    expect(effectsIn(failed, 'notify')).toMatchObject([{ text: expect.stringContaining(discard) }]);
  });

  it('waits for the same action, once, when the agent died behind the savepoint', () => {
    const r = asking({ approvals: 'pause' });
    r.ask(discard);
    r.answer({ answer: 'approve' });
    r.restarted();
    expect(r.run().unusedApprovals).toHaveLength(1);
    r.outcome('session-open', { of: 'session-open', session: 's1' });
    r.outcome('turn-find', { of: 'turn-find', found: 'running', turn: 'turn-1' });
    const first = r.ask(discard);
    expect(effectsIn(first, 'savepoint')).toHaveLength(1);
    // Asked once more before the savepoint is kept: the approval is used already.
    expect(effectsIn(r.ask(discard), 'gate-open')).toHaveLength(1);
    expect(answerIn(r.outcome('savepoint', kept))).toMatchObject({ answer: 'approve', request: 'q2' });
    expect(r.run().unusedApprovals).toEqual([]);
    expect(replay(r.entries).divergences).toEqual([]);
  });

  it('is not let through when the turn is being ended meanwhile', () => {
    const r = asking({ approvals: 'pause' });
    r.ask(discard);
    r.answer({ answer: 'approve' });
    r.onEvent({ type: 'person-asked', ask: 'stop', now: true, by: 'ada' });
    expect(answerIn(r.outcome('savepoint', kept))).toMatchObject({ answer: 'deny' });
  });

  it('needs none when it destroys nothing', () => {
    const r = asking({ approvals: 'pause' });
    r.ask('npm test');
    expect(answerIn(r.answer({ answer: 'approve' }))).toMatchObject({ answer: 'approve' });
  });
});
