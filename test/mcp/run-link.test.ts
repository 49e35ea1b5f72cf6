import { expect, it } from 'vitest';
import { linkTo } from '../../src/app/mcp/run-link.ts';
import { type Store, StoreError } from '../../src/contract/index.ts';
import { makeStage, runId, settled } from '../scenarios/stage.ts';

/** The stage's store, whose reads fail while `trouble` says so. */
function troubled(store: Store): { store: Store; trouble: { on: boolean } } {
  const trouble = { on: false };
  const read: Store['read'] = async (...asked) => {
    if (trouble.on) throw new StoreError('busy', 'the file is busy', 'wait a moment');
    return store.read(...asked);
  };
  return { store: { ...store, read }, trouble };
}

it('a link to a run goes on after the store could not be read, and hears no entry twice', async () => {
  const stage = await makeStage({}, ['test']);
  const { store, trouble } = troubled(stage.store);
  const link = await linkTo(store, runId);
  if (link === null) throw new Error('there is no run');
  const heard: number[] = [];
  const all = link.until((_run, one) => {
    if (one !== null) heard.push(one.entry.seq);
    return one?.entry.event.type === 'keeper-ended' ? true : undefined;
  }, 30_000);
  await link.run();
  trouble.on = true;
  const release = new AbortController();
  stage.keep({}, release.signal);
  for (let n = 0; n < 20; n++) await settled();
  await expect(link.run()).rejects.toThrow('the file is busy');
  trouble.on = false;
  release.abort();
  for (let n = 0; n < 20; n++) await settled();
  await link.run();
  expect(await all).toBe(true);
  expect(heard).toEqual(heard.map((_, n) => n + 2));
  expect(heard.length).toBeGreaterThan(2);
});

it('a link says that there is no such run', async () => {
  expect(await linkTo((await makeStage()).store, 'nobody')).toBeNull();
});
