import { describe, expect, it } from 'vitest';
import { closingLine, replay } from '../../src/core/index.ts';
import { checksOutcome, failed, ledgerRun, passed } from '../../src/testkit/ledger-run.ts';

const done = { message: { text: `all done\n${closingLine}` } };

/** One turn that ends with the agent's claim. */
function claims(r: ReturnType<typeof ledgerRun>) {
  r.launch();
  r.started();
  return r.ended(done);
}

describe('a run', () => {
  it('goes from mission to a certified end by our own evidence', () => {
    const r = ledgerRun();
    r.launch();
    expect(r.run().state).toBe('running');
    r.started();
    const first = r.ended({ message: { text: 'I changed a thing' } });
    expect(first.decision).toMatchObject({ verdict: 'continue', rule: 'continue' });
    expect(claims(r).decision).toMatchObject({ verdict: 'verify', rule: 'verify-claim' });
    const bad = r.outcome('checks-run', checksOutcome([failed()], 't2'));
    expect(bad.decision).toMatchObject({
      verdict: 'continue',
      because: expect.stringContaining('the claim is refused'),
    });
    expect(bad.decision?.input?.parts.map((p) => p.part)).toContain('evidence');
    claims(r);
    const good = r.outcome('checks-run', checksOutcome([passed()], 't3'));
    expect(good.decision).toMatchObject({
      verdict: 'stop',
      rule: 'certified',
      to: 'done',
      certificate: { verdict: 'certified', fresh: true },
    });
    expect(replay(r.entries).divergences).toEqual([]);
  });

  it('takes the baseline before the first turn, and only then', () => {
    const r = ledgerRun({ baseline: [failed()] });
    const verified = r.entries.filter((e) => e.decision?.rule === 'take-baseline');
    expect(verified).toHaveLength(1);
    expect(r.run().baseline?.results[0]?.outcome).toBe('failed');
    expect(r.has('slot-request')).toBe(true);
  });

  it('asks a person when the proof itself was altered, believes them for exactly that, and checks again', () => {
    const r = ledgerRun();
    claims(r);
    const altered = [{ path: 'test/a.test.ts', part: 'tests' as const, what: 'removed' }];
    const asked = r.outcome('checks-run', { ...checksOutcome([passed()], 't1'), altered });
    expect(asked.decision).toMatchObject({ verdict: 'wait', rule: 'ask-altered', waiting: { on: 'input' } });
    const [gate] = r.run().gates;
    const again = r.onEvent({
      type: 'gate-answered',
      gate: gate?.id ?? '',
      answer: 'approve',
      digest: gate?.digest ?? '',
      by: 'me',
    });
    expect(again.decision).toMatchObject({ verdict: 'verify', rule: 'verify-claim' });
    const more = [...altered, { path: 'package.json', part: 'scripts' as const, what: 'changed' }];
    const other = r.outcome('checks-run', { ...checksOutcome([passed()], 't1'), altered: more });
    expect(other.decision).toMatchObject({ rule: 'ask-altered' });
    const [second] = r.run().gates;
    r.onEvent({
      type: 'gate-answered',
      gate: second?.id ?? '',
      answer: 'approve',
      digest: second?.digest ?? '',
      by: 'me',
    });
    const good = r.outcome('checks-run', { ...checksOutcome([passed()], 't1'), altered: more });
    expect(good.decision).toMatchObject({ rule: 'certified', certificate: { acceptedBy: 'me' } });
    expect(replay(r.entries).divergences).toEqual([]);
  });

  it('takes a person’s no as directions', () => {
    const r = ledgerRun();
    claims(r);
    const altered = [{ path: 'test/a.test.ts', part: 'tests' as const, what: 'removed' }];
    r.outcome('checks-run', { ...checksOutcome([passed()], 't1'), altered });
    const [gate] = r.run().gates;
    const went = r.onEvent({
      type: 'gate-answered',
      gate: gate?.id ?? '',
      answer: 'deny',
      text: { text: 'put the test back' },
      by: 'me',
    });
    expect(went.decision).toMatchObject({ verdict: 'continue', rule: 'person-steer' });
    expect(JSON.stringify(went.decision?.input)).toContain('put the test back');
  });

  it('opens a question at the third claim the same check refuses, not at the second', () => {
    const r = ledgerRun();
    const refused = () => {
      claims(r);
      return r.outcome('checks-run', checksOutcome([failed()], 'same'));
    };
    expect(refused().decision?.rule).toBe('continue');
    expect(refused().decision?.rule).toBe('continue');
    expect(refused().decision).toMatchObject({
      verdict: 'wait',
      rule: 'refused-too-often',
      waiting: { on: 'input' },
    });
    const [gate] = r.run().gates;
    const told = r.onEvent({
      type: 'gate-answered',
      gate: gate?.id ?? '',
      answer: 'text',
      text: { text: 'look at the fixture' },
      by: 'me',
    });
    expect(told.decision).toMatchObject({ verdict: 'continue', rule: 'person-steer' });
  });

  it('asks whether the work is done where nothing can check it, and ends on the person’s word alone', () => {
    const r = ledgerRun({ checks: [] });
    const asked = claims(r);
    expect(asked.decision).toMatchObject({ verdict: 'wait', rule: 'ask-to-accept' });
    const [gate] = r.run().gates;
    const ended = r.onEvent({
      type: 'gate-answered',
      gate: gate?.id ?? '',
      answer: 'approve',
      digest: gate?.digest ?? '',
      by: 'me',
    });
    expect(ended.decision).toMatchObject({
      rule: 'certified',
      to: 'done',
      certificate: { acceptedBy: 'me', checks: [] },
    });
  });
});
