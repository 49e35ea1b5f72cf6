import { describe, expect, it } from 'vitest';
import { replay } from '../../src/core/index.ts';
import { type Asking, answerIn, asking, digestOf, effectsIn } from './asking.ts';

const push = 'git push origin topic';
const never = 'git push --force origin topic';

/** The clock of the newest question runs out. */
function expire(r: Asking) {
  const timer = `gate:${r.run().gates.at(-1)?.id}`;
  return r.onEvent({ type: 'timer-fired', timer, effect: r.run().timers[timer]?.effect ?? '' }, 1_800_000);
}

/** The agent dies and a new process finds its turn running. */
function revived(r: Asking): void {
  r.restarted();
  r.outcome('session-open', { of: 'session-open', session: 's1' });
  r.outcome('turn-find', { of: 'turn-find', found: 'running', turn: 'turn-1' });
}

describe('an approval', () => {
  it('is bound to the exact action: another digest changes nothing', () => {
    const r = asking();
    r.ask(push);
    const gate = r.run().gates[0]?.id ?? '';
    const other = r.onEvent({
      type: 'gate-answered',
      gate,
      answer: 'approve',
      digest: digestOf('other'),
      by: 'ada',
    });
    expect(other.late).toBe(true);
    expect(r.run().gates).toHaveLength(1);
  });

  it('is used once: the same action asked again is a new question', () => {
    const r = asking();
    r.ask(push);
    expect(answerIn(r.answer({ answer: 'approve' }))).toMatchObject({ answer: 'approve' });
    const again = r.ask(push);
    expect(answerIn(again)).toBeUndefined();
    expect(effectsIn(again, 'gate-open')).toHaveLength(1);
  });

  it('given while the agent was dead applies once to the same action, and to no changed one', () => {
    const r = asking();
    r.ask(push);
    r.restarted();
    r.answer({ answer: 'approve' });
    expect(r.run().unusedApprovals).toHaveLength(1);
    r.outcome('session-open', { of: 'session-open', session: 's1' });
    r.outcome('turn-find', { of: 'turn-find', found: 'running', turn: 'turn-1' });
    expect(effectsIn(r.ask('git push origin topic2'), 'gate-open')).toHaveLength(1);
    expect(answerIn(r.ask(push))).toMatchObject({ answer: 'approve', rule: 'person' });
    expect(answerIn(r.ask(push))).toBeUndefined();
    expect(replay(r.entries).divergences).toEqual([]);
  });

  it('of what is forbidden does not exist: it is denied without asking', () => {
    for (const approvals of ['policy', 'pause', 'never-ask']) {
      const r = asking({ approvals });
      expect(answerIn(r.ask('rm -rf /'))).toMatchObject({ answer: 'deny', never: true });
    }
  });

  it('of the never list is a person’s under every strategy', () => {
    for (const approvals of ['policy', 'pause', 'never-ask']) {
      const r = asking({ approvals });
      expect(effectsIn(r.ask(never), 'gate-open'), approvals).toMatchObject([{ never: true }]);
    }
  });

  it('after its time is told to the agent and applies once, to that action alone', () => {
    const r = asking();
    r.ask(push);
    const gate = r.run().gates[0];
    expire(r);
    const late = { type: 'gate-answered', gate: gate?.id ?? '', answer: 'approve', by: 'ada' } as const;
    expect(r.onEvent(late).late).toBe(true);
    expect(r.onEvent({ ...late, digest: digestOf('other') }).late).toBe(true);
    const stamped = r.onEvent({ ...late, digest: gate?.digest });
    expect(effectsIn(stamped, 'turn-steer')).toMatchObject([
      { input: { parts: [{ texts: [{ text: expect.stringContaining(push) }] }] } },
    ]);
    expect(r.onEvent({ ...late, digest: gate?.digest }).late).toBe(true);
    expect(effectsIn(r.ask('git push origin topic2'), 'gate-open')).toHaveLength(1);
    expect(answerIn(r.ask(push))).toMatchObject({ answer: 'approve', rule: 'person' });
    expect(answerIn(r.ask(push))).toBeUndefined();
    expect(replay(r.entries).divergences).toEqual([]);
  });

  it('is not in the words of an answer', () => {
    const r = asking();
    r.ask(push);
    expect(r.answer({ answer: 'text', text: { text: 'yes, approve it' } }).late).toBe(true);
    expect(r.run().gates).toHaveLength(1);
  });
});

describe('an open question', () => {
  it('outlives a restart and the agent', () => {
    const r = asking();
    r.ask(push);
    const [before] = r.run().gates;
    revived(r);
    expect(r.run().gates).toEqual([before]);
    r.onEvent({ type: 'session-ended', session: 's1', failure: { kind: 'crashed', message: 'gone' } });
    expect(r.run().gates).toEqual([before]);
  });

  it('is superseded by a newer one about the same action', () => {
    const r = asking();
    r.ask(push);
    const [old] = r.run().gates;
    revived(r);
    r.ask(push);
    expect(r.run().gates).toHaveLength(1);
    expect(r.run().gates[0]?.id).not.toBe(old?.id);
    const late = r.onEvent({ type: 'gate-answered', gate: old?.id ?? '', answer: 'approve', by: 'ada' });
    expect(late.late).toBe(true);
  });

  it('that is told again after a crash stays the same question', () => {
    const r = asking();
    r.ask(push);
    const [open] = r.run().gates;
    const told = effectsIn(r.restarted(), 'gate-open');
    expect(told.map((effect) => effect.gate)).toEqual([open?.id]);
    expect(r.run().gates).toEqual([open]);
  });
});

describe('an unanswered question', () => {
  it('denies that one action and the turn goes on, by default', () => {
    const r = asking();
    r.ask(push);
    expect(r.run()).toMatchObject({ state: 'waiting', waiting: { on: 'approval' } });
    expect(answerIn(expire(r))).toMatchObject({ answer: 'deny', rule: 'gate-expired' });
    expect(r.run()).toMatchObject({ state: 'running', expiriesInRow: 1 });
    expect(r.onEvent({ type: 'gate-answered', gate: 'g1', answer: 'approve', by: 'ada' }).late).toBe(true);
  });

  it('waits for ever where that is the policy', () => {
    const r = asking({ gates: { whenUnanswered: 'wait' } });
    r.ask(push);
    expect(r.run().gates[0]?.expiresAt).toBeNull();
    expect(Object.keys(r.run().timers).filter((name) => name.startsWith('gate:'))).toEqual([]);
  });

  it('stops the run where that is the policy, and is never an approval', () => {
    const r = asking({ gates: { whenUnanswered: 'stop' } });
    r.ask(push);
    const expired = expire(r);
    expect(answerIn(expired)).toMatchObject({ answer: 'deny' });
    expect(effectsIn(expired, 'turn-interrupt')).toHaveLength(1);
    expect(r.ended({ status: 'interrupted' }).decision).toMatchObject({
      rule: 'unanswered-stop',
      to: 'stopped',
    });
  });

  it('pauses the run when it is the third in a row; an answer in between starts the count anew', () => {
    const r = asking();
    const some = (n: number): void => {
      r.ask(`git push origin topic-${n}`);
      expire(r);
    };
    some(1);
    some(2);
    r.ask('git push origin topic-3');
    r.answer({ answer: 'approve' });
    some(4);
    expect(r.run().expiriesInRow).toBe(1);
    some(5);
    r.ended();
    r.launch();
    r.started();
    some(6);
    expect(r.ended().decision).toMatchObject({ rule: 'unanswered', to: 'paused' });
  });
});

describe('a turn that ends blocked on what was denied', () => {
  it('pauses the run and says on what', () => {
    const r = asking();
    r.ask(push);
    r.answer({ answer: 'deny', text: { text: 'no' } });
    const { session = '', turn } = r.run().turn ?? {};
    r.onEvent({
      type: 'status-reported',
      session,
      turn: turn ?? '',
      status: 'blocked',
      text: { text: 'I may not push' },
    });
    expect(r.ended().decision).toMatchObject({
      rule: 'agent-blocked',
      to: 'paused',
      because: expect.stringContaining('I may not push'),
    });
  });
});
