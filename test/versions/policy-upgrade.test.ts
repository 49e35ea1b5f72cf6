import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Entry } from '../../src/contract/index.ts';
import { closingLine, policyVersion, replay, viewOf } from '../../src/core/index.ts';
import { holderHere } from '../../src/edge/lock.ts';
import { runKey } from '../../src/edge/store/sqlite.ts';
import { checksOutcome, failed, ledgerRun, passed } from '../../src/testkit/ledger-run.ts';
import { ownDesk, withStore } from '../cli/kit.ts';
import { makeStage, settled } from '../scenarios/stage.ts';

const older = policyVersion - 1;
const keepers = (entries: readonly Entry[]) =>
  entries.map(({ event }) => event).filter((event) => event.type === 'keeper-started');

describe('a keeper with newer rules', () => {
  it('records once that it took over a run of older ones', async () => {
    const stage = await makeStage({}, [], 'once', older);
    for (const round of [1, 2]) {
      const release = new AbortController();
      const kept = stage.keep({}, release.signal);
      await settled();
      release.abort();
      await kept.result;
      expect(keepers(await stage.entries()), `keeper ${round}`).toHaveLength(round);
    }
    const [first, second] = keepers(await stage.entries());
    expect(first).toMatchObject({ policyUpgrade: { from: older, to: policyVersion } });
    expect(second?.policyUpgrade).toBeUndefined();
    const { recordedVersion, divergences, run } = replay(await stage.entries());
    expect([recordedVersion, divergences, run?.policyVersion]).toEqual([older, [], policyVersion]);
  });

  it('says nothing where the rules are the same', async () => {
    const stage = await makeStage();
    const release = new AbortController();
    const kept = stage.keep({}, release.signal);
    await settled();
    release.abort();
    await kept.result;
    expect(keepers(await stage.entries()).map((event) => event.policyUpgrade)).toEqual([undefined]);
  });
});

describe('a keeper with older rules', () => {
  it('leaves the run alone', async () => {
    const stage = await makeStage({}, [], 'once', policyVersion + 1);
    await expect(stage.keep().result).rejects.toMatchObject({
      fault: 'newer',
      message: expect.stringContaining(
        `policy version ${policyVersion + 1}, this one knows ${policyVersion}`,
      ),
    });
    expect(await stage.entries()).toHaveLength(1);
    expect(stage.calls).toEqual([]);
    expect(await stage.store.acquire('workspace:/work', holderHere('next'))).toHaveProperty('got');
  });
});

/** A run that began under older rules and was taken over by a keeper of today's, with a decision on either side. */
function upgraded(): { entries: readonly Entry[]; before: number; after: number } {
  const r = ledgerRun();
  r.launch();
  r.started();
  r.ended({ message: { text: closingLine } });
  const before = r.outcome('checks-run', checksOutcome([failed()], 't1')).seq;
  const { seq } = r.restarted();
  r.outcome('session-open', { of: 'session-open', session: 's1' });
  r.launch();
  r.started();
  r.ended({ message: { text: closingLine } });
  const after = r.outcome('checks-run', checksOutcome([passed()], 't2')).seq;
  const entries = r.entries.map((entry): Entry => {
    if (entry.event.type === 'run-created')
      return { ...entry, event: { ...entry.event, policyVersion: older } };
    if (entry.seq !== seq || entry.event.type !== 'keeper-started') return entry;
    return { ...entry, event: { ...entry.event, policyUpgrade: { from: older, to: policyVersion } } };
  });
  return { entries, before, after };
}

const otherwise = (entries: readonly Entry[], at: number): readonly Entry[] =>
  entries.map((entry) =>
    entry.seq === at && entry.decision !== undefined
      ? { ...entry, decision: { ...entry.decision, confidence: 0.5 } }
      : entry,
  );

describe('a replay across an upgrade', () => {
  it('names the version that judged, before it and after it', () => {
    const { entries, before, after } = upgraded();
    expect(replay(entries)).toMatchObject({ divergences: [], recordedVersion: older });
    const { divergences } = replay(otherwise(otherwise(entries, before), after));
    expect(divergences).toMatchObject([
      { seq: before, policyVersion: older },
      { seq: after, policyVersion },
    ]);
  });

  it('counts what cannot have happened, whoever judged it', () => {
    const { entries } = upgraded();
    expect(replay(entries.filter(({ seq }) => seq !== 3)).divergences.at(-1)).toMatchObject({
      ...{ policyVersion, what: expect.stringContaining('cannot have happened') },
    });
  });

  it('exits 0 for what older rules decided, 1 with --strict, and 1 for what today’s did', async () => {
    const desk = ownDesk();
    const { entries, before, after } = upgraded();
    const replayed = async (which: readonly Entry[], ...flags: string[]) => {
      const home = join(desk.folder, `home-${readdirSync(desk.folder).length}`);
      const run = which[0]?.run ?? '';
      await withStore(home, async (store) => {
        const lease = await store.acquire(runKey(run), holderHere('test'));
        const { run: last } = replay(which);
        if (!('got' in lease) || last === null) throw new Error('it cannot be written');
        await store.append(run, lease.got.epoch, 1, which, { view: viewOf(last) });
        await store.release(lease.got);
      });
      return desk.tireless(['replay', run, ...flags], { env: { TIRELESS_HOME: home } });
    };
    const old = otherwise(entries, before);
    expect(await replayed(entries, '--strict')).toMatchObject({ code: 0 });
    const listed = await replayed(old);
    expect(listed.stdout).toContain(`policy version ${older}, then ${policyVersion}`);
    expect(listed.stdout).toContain('1 decided by rules of another version:');
    expect(listed.stdout).toContain(`(policy version ${older})`);
    expect(listed.code).toBe(0);
    expect(await replayed(old, '--strict')).toMatchObject({ code: 1 });
    const today = await replayed(otherwise(entries, after));
    expect(today).toMatchObject({ code: 1, stdout: expect.stringContaining('1 divergences:') });
  });
});
