import { describe, expect, it } from 'vitest';
import { advance } from '../../src/app/advance.ts';
import { reopen, snapshotEntries } from '../../src/app/open-run.ts';
import { holder, makeStage, runId, settled } from './stage.ts';

const steer = (text: string) => ({ type: 'steer-given' as const, text: { text }, by: 'a hook' });

describe('one step in a short-lived process', () => {
  it('hears, decides, writes and lets go', async () => {
    const stage = await makeStage();
    const deps = { ...stage.deps, holder: holder('hook') };
    const started = { type: 'keeper-started', epoch: 1, pid: 1, host: 'here', version: '0' } as const;
    const entry = await advance(deps, runId, started);
    expect(entry).toMatchObject({ seq: 2, decision: { rule: 'continue' } });
    expect((await stage.view()).seq).toBe(2);
    expect(await stage.store.acquire(`run:${runId}`, holder('next'))).toHaveProperty('got');
  });

  it('asks the keeper through the inbox where one lives', async () => {
    const stage = await makeStage();
    stage.keep();
    await settled();
    const deps = { ...stage.deps, holder: holder('hook') };
    expect(await advance(deps, runId, steer('mind the docs'))).toBeNull();
    await settled();
    expect((await stage.entries()).at(-1)?.event).toMatchObject({ type: 'steer-given' });
  });

  it('says whose run there is not, and keeps no lease of it', async () => {
    const stage = await makeStage();
    await expect(advance(stage.deps, 'nobody', steer('x'))).rejects.toMatchObject({ fault: 'unknown-run' });
    expect(await stage.store.acquire('run:nobody', holder('next'))).toHaveProperty('got');
  });

  it('leaves a snapshot behind when one is due, so that the next hook is fast too', async () => {
    const stage = await makeStage();
    const deps = { ...stage.deps, holder: holder('hook') };
    for (let n = 2; n <= snapshotEntries + 5; n++) await advance(deps, runId, steer(`direction ${n}`));
    const opened = await reopen(stage.store, runId);
    expect(opened).toMatchObject({ run: { seq: snapshotEntries + 5 }, sinceSnapshot: 5 });
  });
});
