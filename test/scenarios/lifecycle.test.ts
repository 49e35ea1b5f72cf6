import { describe, expect, it } from 'vitest';
import { supervise } from '../../src/app/supervise.ts';
import { type RunState, runStateSchema } from '../../src/contract/index.ts';
import { edges, move } from '../../src/core/fold/lifecycle.ts';
import { BrokenInvariant, type Run, remember } from '../../src/core/index.ts';
import { tellStory } from '../../src/testkit/world.ts';
import { dueRun } from './due.ts';

const states = runStateSchema.options;
const waiting = { on: 'external' as const, until: null, because: 'a test' };
const moved = (from: RunState, to: RunState): Run =>
  move(
    { ...dueRun(), ...(from === 'waiting' ? { state: from, waiting } : { state: from, waiting: null }) },
    to,
    { because: 'a test', waiting: to === 'waiting' ? waiting : null },
  );

/** Written down once more, by hand: the way a run may go. */
const legal: Readonly<Record<RunState, string>> = {
  ready: 'deciding verifying waiting paused stopped failed',
  running: 'deciding waiting',
  deciding: 'running waiting verifying paused done stopped failed',
  verifying: 'deciding',
  waiting: 'running deciding paused',
  paused: 'deciding',
  done: '',
  stopped: '',
  failed: '',
};

describe('the life of a run', () => {
  it.each(states)('may go on from %s only where the table says', (from) => {
    for (const to of states) {
      const isLegal = legal[from].split(' ').includes(to) || (from === to && legal[from] !== '');
      if (isLegal) expect(moved(from, to).state, `${from} to ${to}`).toBe(to);
      else expect(() => moved(from, to), `${from} to ${to}`).toThrow(BrokenInvariant);
    }
  });

  it.each(['done', 'stopped', 'failed'] as const)('has no way out of %s', (state) => {
    expect(edges[state]).toEqual([]);
  });

  it('never waits without saying on what, and says it only while it waits', () => {
    const run: Run = { ...dueRun(), state: 'deciding', waiting: null };
    expect(() => move(run, 'waiting', { because: 'x' })).toThrow(BrokenInvariant);
    expect(() => move(run, 'paused', { because: 'x', waiting })).toThrow(BrokenInvariant);
  });

  it('goes no other way in forty stories', { timeout: 120_000 }, async () => {
    const ways = new Set<string>();
    for (let seed = 1; seed <= 40; seed++) {
      const { world } = await tellStory(supervise, seed);
      let run = null as Run | null;
      for (const entry of world.watch.entries) {
        const before = run;
        run = remember(run, entry);
        if (before !== null && before.state !== run.state) ways.add(`${before.state} ${run.state}`);
      }
    }
    // One entry may hold two moves: what a fold leads to and what is decided on it.
    const twoSteps = (from: string, to: string): boolean =>
      (legal[from as RunState] ?? '').split(' ').some((via) => (legal[via as RunState] ?? '').includes(to));
    for (const way of ways) {
      const [from = '', to = ''] = way.split(' ');
      expect((legal[from as RunState] ?? '').includes(to) || twoSteps(from, to), way).toBe(true);
    }
    expect(ways.size).toBeGreaterThan(12);
  });
});
