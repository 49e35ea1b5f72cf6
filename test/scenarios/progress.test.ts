import { describe, expect, it } from 'vitest';
import { closingLine } from '../../src/core/index.ts';
import { checksOutcome, failed, ledgerRun, treeOf } from '../../src/testkit/ledger-run.ts';

type R = ReturnType<typeof ledgerRun>;
/** One turn from a tree to a tree; says how many turns in a row have shown no progress. */
function turn(r: R, from: string, to: string, during: (turn: string) => void = () => undefined): number {
  r.launch(from);
  during(r.started());
  r.ended({}, to);
  return r.run().noProgressTurns;
}

describe('progress', () => {
  it('is a new tree', () => {
    const r = ledgerRun();
    expect(turn(r, 'a', 'b')).toBe(0);
    expect(r.run().changed).toEqual(['files']);
  });

  it('is not the same tree', () => {
    const r = ledgerRun();
    expect([turn(r, 'a', 'a'), turn(r, 'a', 'a')]).toEqual([1, 2]);
  });

  it('is not an earlier tree: going back and forth is standing still', () => {
    const r = ledgerRun();
    expect([turn(r, 'a', 'b'), turn(r, 'b', 'a'), turn(r, 'a', 'b'), turn(r, 'b', 'c')]).toEqual([
      0, 1, 2, 0,
    ]);
  });

  it('is not what the person changed between two turns', () => {
    const r = ledgerRun();
    expect(turn(r, 'a', 'a')).toBe(1);
    expect(turn(r, 'edited by the person', 'edited by the person')).toBe(2);
    expect(turn(r, 'other', 'edited by the person')).toBe(3);
  });

  it('is neither seen nor missed in a tree that is unknown', () => {
    const r = ledgerRun();
    expect(turn(r, 'a', 'a')).toBe(1);
    expect(turn(r, 'a', 'unknown')).toBe(1);
    expect(turn(r, 'unknown', 'b')).toBe(1);
    expect(r.run().changed).toEqual([]);
    expect(turn(r, 'unknown', 'unknown')).toBe(1);
    expect(turn(r, 'b', 'b')).toBe(2);
  });

  it('is not a thousand calls, however alike they are', () => {
    const r = ledgerRun();
    const calls = (turn: string) => {
      for (let n = 0; n < 50; n++)
        r.onEvent({
          type: 'item-ended',
          session: 's1',
          turn,
          item: `i${n}`,
          kind: 'command',
          outcome: 'failed',
          label: 'npm test',
        });
    };
    expect(turn(r, 'a', 'b', calls)).toBe(0);
    expect(turn(r, 'b', 'b', calls)).toBe(1);
  });

  it('is a new plan, and not an old one', () => {
    const r = ledgerRun();
    const plan = (letter: string) => (turn: string) =>
      void r.onEvent({
        type: 'plan-changed',
        session: 's1',
        turn,
        digest: letter.repeat(64),
        done: 1,
        total: 2,
      });
    expect([
      turn(r, 'a', 'a', plan('1')),
      turn(r, 'a', 'a', plan('2')),
      turn(r, 'a', 'a', plan('1')),
    ]).toEqual([...[0, 0, 1]]);
    expect(turn(r, 'unknown', 'unknown', plan('3'))).toBe(0);
  });

  it('is a new commit', () => {
    const r = ledgerRun();
    r.launch('a');
    r.started();
    r.onEvent({ type: 'turn-ended', session: 's1', turn: 'turn-1', status: 'completed' }, 10_000);
    r.outcome('tree-read', { of: 'tree-read', tree: { tree: treeOf('a'), head: 'c'.repeat(40) } });
    expect(r.run()).toMatchObject({ changed: ['commits'], noProgressTurns: 0 });
  });

  it('is a new check result, and not the same one again', () => {
    const r = ledgerRun();
    const claimed = (results: Parameters<typeof checksOutcome>[0]) => {
      r.launch('a');
      r.started();
      r.ended({ message: { text: closingLine } }, 'a');
      const before = r.run().noProgressTurns;
      r.outcome('checks-run', checksOutcome(results, 'a'));
      return [before, r.run().noProgressTurns];
    };
    expect(claimed([failed({ exitCode: 1 })])).toEqual([1, 0]);
    expect(claimed([failed({ exitCode: 1 })])).toEqual([1, 1]);
    expect(claimed([failed({ exitCode: 2 })])).toEqual([2, 0]);
  });

  it('is not judged in a turn that failed or that the person cut short', () => {
    const r = ledgerRun();
    expect(turn(r, 'a', 'a')).toBe(1);
    r.launch('a');
    r.started();
    r.ended({ status: 'failed', failure: { kind: 'server-error', message: 'no' } }, 'a');
    expect(r.run().noProgressTurns).toBe(1);
  });
});
