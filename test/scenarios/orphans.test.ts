import { expect, it } from 'vitest';
import type { Child, RunView } from '../../src/contract/index.ts';
import { sampleEntries, sampleView } from '../../src/testkit/store-samples.ts';
import { holder, makeStage, runId, type Stage, settled } from './stage.ts';

/** A run that was kept before, and the process it left behind. */
async function leftBehind({ store }: Stage, id: string, child: Child, view: Partial<RunView>): Promise<void> {
  const lease = await store.acquire(`run:${id}`, holder(`keeper of ${id}`));
  if (!('got' in lease)) throw new Error(`${id} is held`);
  await store.append(id, lease.got.epoch, 1, sampleEntries(id, 1, 1), { view: sampleView(id, 1, view) });
  await store.noteChild(id, child);
  await store.release(lease.got);
}

it('a keeper ends what any earlier run left running in its workspace, before it opens an agent', async () => {
  const stage = await makeStage();
  const child = (pid: number, host = 'here'): Child => ({ pid, pidStart: 'boot', host });
  await leftBehind(stage, 'r-over', child(11), { workspace: '/work', state: 'done' });
  await leftBehind(stage, 'r-paused', child(12), { workspace: '/work', state: 'paused' });
  await leftBehind(stage, 'r-elsewhere', child(13), { workspace: '/other' });
  await leftBehind(stage, 'r-moved', child(14, 'another machine'), { workspace: '/work' });
  await stage.store.noteChild(runId, child(15));
  stage.keep({ endOrphan: async ({ pid }, run) => void stage.calls.push(`end ${pid} of ${run}`) });
  await settled();
  const opened = stage.calls.indexOf('open');
  expect(stage.calls.slice(0, opened).toSorted()).toEqual(
    ['end 11 of r-over', 'end 12 of r-paused', `end 15 of ${runId}`].toSorted(),
  );
  expect(await stage.store.children('r-over')).toEqual([]);
  expect(await stage.store.children('r-elsewhere')).toHaveLength(1);
});

it('a keeper leaves what outlives it alone, unless that run is over', async () => {
  const stage = await makeStage();
  const child = (pid: number): Child => ({ pid, pidStart: 'boot', host: 'here' });
  const agentFacts = { ...stage.deps.agent.facts, outlives: true };
  await leftBehind(stage, 'r-paused', child(12), { workspace: '/work', state: 'paused', agentFacts });
  await leftBehind(stage, 'r-over', child(11), { workspace: '/work', state: 'stopped', agentFacts });
  stage.keep({ endOrphan: async ({ pid }, run) => void stage.calls.push(`end ${pid} of ${run}`) });
  await settled();
  expect(stage.calls.filter((call) => call.startsWith('end'))).toEqual(['end 11 of r-over']);
  expect(await stage.store.children('r-paused')).toHaveLength(1);
});
