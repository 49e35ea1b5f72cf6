import { describe, expect, it } from 'vitest';
import { reopen, snapshotEntries } from '../../src/app/open-run.ts';
import { StoreError } from '../../src/contract/index.ts';
import { BrokenInvariant, closingLine, type Run, remember } from '../../src/core/index.ts';
import { holder, makeStage, pass, runId, type Stage, settled } from './stage.ts';

const by = 'me';
const minuteMs = 60_000;
const dispatchOf = (stage: Stage): string =>
  stage.calls.findLast((c) => c.startsWith('turn '))?.slice(5) ?? '';
/** The run is at work, with a turn in flight. */
async function atWork(stage: Stage): Promise<string> {
  await settled();
  const turn = `t${stage.calls.findLastIndex((c) => c.startsWith('turn ')) + 1}`;
  await stage.say({ type: 'turn-started', session: 's1', turn, dispatch: dispatchOf(stage) });
  return turn;
}
const faultOf = (ended: 'no' | 'yes' | Error): string =>
  ended instanceof StoreError ? ended.fault : String(ended);

describe('the run loop', () => {
  it('works a run until it is done, and lets go of everything', async () => {
    const stage = await makeStage({}, ['test']);
    stage.tree = { tree: 'a'.repeat(40), head: null };
    const kept = stage.keep();
    const turn = await atWork(stage);
    const message = { text: closingLine };
    await stage.say({ type: 'turn-ended', session: 's1', turn, status: 'completed', message });
    await settled();
    expect(kept.ended).toBe('yes');
    expect(stage.calls).toContain('check test within 900000 ms');
    expect(await stage.view()).toMatchObject({ state: 'done', toggle: 'stopped' });
    expect(stage.calls.filter((c) => c === 'close').length).toBeGreaterThan(0);
    expect((await stage.entries()).at(-1)?.event).toMatchObject({ type: 'keeper-ended' });
    expect(await stage.store.acquire('workspace:/work', holder('k2'))).toHaveProperty('got');
    expect(stage.clock.alarms()).toBe(0);
  });

  it('writes before it acts: what could not be written is not done', async () => {
    const stage = await makeStage();
    stage.store.failNextAppend('corrupt');
    const kept = stage.keep();
    await settled();
    expect(faultOf(kept.ended)).toBe('corrupt');
    expect(stage.calls).toEqual([]);
  });

  it('hears what people leave in the inbox, each row once, while an agent works', async () => {
    const stage = await makeStage();
    const kept = stage.keep();
    await atWork(stage);
    const rows = [
      await stage.post({ type: 'steer-given', text: { text: 'mind the docs' }, by }),
      await stage.post({ type: 'person-asked', ask: 'pause', now: true, by }),
    ];
    expect(stage.calls.some((c) => c.startsWith('interrupt'))).toBe(true);
    const turn = (await stage.entries()).findLast((e) => e.event.type === 'turn-started')?.event;
    await stage.say({
      type: 'turn-ended',
      session: 's1',
      turn: turn?.type === 'turn-started' ? turn.turn : '',
      status: 'interrupted',
    });
    expect((await kept.result).state).toBe('paused');
    const causes = (await stage.entries()).flatMap((e) => e.cause ?? []);
    expect(causes).toEqual(rows);
    expect(await stage.store.inbox(runId)).toEqual([]);
  });

  it('hears a message once, though it is listed again before it could be written', async () => {
    const stage = await makeStage();
    let isFull = false;
    const append: typeof stage.store.append = (...args) =>
      isFull ? Promise.reject(new StoreError('busy', 'locked', 'wait')) : stage.store.append(...args);
    stage.keep({ store: { ...stage.store, append } });
    await atWork(stage);
    isFull = true;
    const rows = [
      await stage.post({ type: 'steer-given', text: { text: 'one' }, by }),
      await stage.post({ type: 'steer-given', text: { text: 'two' }, by }),
    ];
    isFull = false;
    await pass(stage, minuteMs);
    expect((await stage.entries()).flatMap((e) => e.cause ?? [])).toEqual(rows);
  });

  it('obeys a stop at once, though nothing it asked for ever answers', async () => {
    const stage = await makeStage();
    const kept = stage.keep({ slots: { request: () => new Promise(() => undefined) } });
    await settled();
    await stage.post({ type: 'person-asked', ask: 'stop', by });
    expect((await stage.view()).state).toBe('stopped');
    await pass(stage, minuteMs);
    expect(kept.ended).toBe('yes');
    expect(stage.calls.filter((c) => c === 'close').length).toBeGreaterThan(0);
  });

  it('lets go when told to, and another keeper goes on from there', async () => {
    const stage = await makeStage();
    const release = new AbortController();
    const kept = stage.keep({}, release.signal);
    await atWork(stage);
    release.abort();
    await settled();
    expect(kept.ended).toBe('yes');
    expect(stage.calls).toContain('close');
    expect((await stage.entries()).at(-1)?.event).toMatchObject({
      type: 'keeper-ended',
      because: 'released',
    });
    stage.acting = { find: async () => ({ found: 'running', turn: 't9' }) };
    stage.keep({ holder: holder('k2') });
    await settled();
    expect((await stage.view()).state).toBe('running');
  });

  it('closes an agent that was still being opened when it let go', async () => {
    const stage = await makeStage();
    let opened: (session: never) => void = () => undefined;
    const agent = {
      ...stage.deps.agent,
      open: () =>
        new Promise<never>((resolve) => {
          opened = resolve;
        }),
    };
    const release = new AbortController();
    const kept = stage.keep({ agent }, release.signal);
    await settled();
    release.abort();
    await pass(stage, minuteMs);
    expect(kept.ended).toBe('yes');
    opened({ id: 's1', close: async () => void stage.calls.push('closed late') } as never);
    await settled();
    expect(stage.calls).toContain('closed late');
  });

  it('refuses a run that another keeper works, and a worktree that another run works in', async () => {
    const stage = await makeStage();
    stage.keep();
    await settled();
    const second = stage.keep({ holder: holder('k2') });
    await settled();
    expect(faultOf(second.ended)).toBe('busy');
    const other = await makeStage();
    await other.store.acquire('workspace:/work', holder('somebody'));
    const kept = other.keep();
    await settled();
    expect(faultOf(kept.ended)).toBe('busy');
    // The run's own lease was given back.
    expect(await other.store.acquire(`run:${runId}`, holder('k3'))).toHaveProperty('got');
  });

  it('stops at once when another process has taken the run over', async () => {
    const stage = await makeStage();
    const kept = stage.keep();
    const turn = await atWork(stage);
    stage.store.markDead(holder('k1'));
    stage.keep({ holder: holder('k2') });
    await settled();
    const written = (await stage.entries()).length;
    await stage.say({ type: 'turn-ended', session: 's1', turn, status: 'completed' });
    await pass(stage, minuteMs);
    expect(faultOf(kept.ended)).toBe('stale-epoch');
    expect((await stage.entries()).slice(0, written)).toHaveLength(written);
  });

  it('notices by its heartbeat that it lost the run', async () => {
    const stage = await makeStage();
    const kept = stage.keep();
    await atWork(stage);
    stage.store.markDead(holder('k1'));
    await stage.store.acquire(`run:${runId}`, holder('k2'));
    await pass(stage, minuteMs);
    expect(faultOf(kept.ended)).toBe('stale-epoch');
    expect(stage.calls).toContain('close');
  });

  it('survives heartbeats that a disk refuses for a while', async () => {
    const stage = await makeStage();
    let isFull = true;
    const store = {
      ...stage.store,
      renew: (lease: Parameters<typeof stage.store.renew>[0]) =>
        isFull ? Promise.reject(new StoreError('disk-full', 'full', 'make room')) : stage.store.renew(lease),
    };
    const kept = stage.keep({ store });
    await atWork(stage);
    await pass(stage, 10 * minuteMs);
    expect(kept.ended).toBe('no');
    isFull = false;
    await pass(stage, 10 * minuteMs);
    expect(kept.ended).toBe('no');
    isFull = true;
    await pass(stage, 16 * minuteMs);
    expect(faultOf(kept.ended)).toBe('stale-epoch');
  });

  it('says whose run there is not', async () => {
    const stage = await makeStage();
    await expect(
      import('../../src/app/supervise.ts').then(({ supervise }) => supervise(stage.deps, { run: 'nobody' })),
    ).rejects.toMatchObject({ fault: 'unknown-run' });
  });

  it('stops its run, and nothing else, when a promise of our own is broken', async () => {
    const stage = await makeStage();
    const ingest: typeof stage.deps.ingest = (event, body, cause) => {
      if (event.type === 'keeper-started') throw new BrokenInvariant('a bug');
      return stage.deps.ingest(event, body, cause);
    };
    const kept = stage.keep({ ingest });
    await settled();
    expect(kept.ended).toBeInstanceOf(BrokenInvariant);
    expect(await stage.store.acquire(`run:${runId}`, holder('k2'))).toHaveProperty('got');
  });
});

describe('a disk that is full', () => {
  it('makes the run stand still, tell why, and go on when there is room', async () => {
    const stage = await makeStage();
    let isFull = false;
    const append: typeof stage.store.append = (...args) =>
      isFull
        ? Promise.reject(new StoreError('disk-full', 'the disk is full', 'make room'))
        : stage.store.append(...args);
    stage.keep({ store: { ...stage.store, append } });
    const turn = await atWork(stage);
    isFull = true;
    await stage.say({ type: 'turn-ended', session: 's1', turn, status: 'completed' });
    await pass(stage, minuteMs);
    expect((await stage.view()).state).toBe('running');
    expect(stage.troubles[0]).toContain('make room');
    isFull = false;
    await pass(stage, minuteMs);
    expect((await stage.entries()).filter((e) => e.event.type === 'turn-ended')).toHaveLength(1);
    expect((await stage.view()).turns).toBe(1);
  });

  it('lets go after ten minutes, and nothing is lost', async () => {
    const stage = await makeStage();
    const append = () => Promise.reject(new StoreError('disk-full', 'the disk is full', 'make room'));
    const kept = stage.keep({ store: { ...stage.store, append } });
    await pass(stage, 9 * minuteMs);
    expect(kept.ended).toBe('no');
    await pass(stage, 2 * minuteMs);
    expect(faultOf(kept.ended)).toBe('disk-full');
    expect(await stage.entries()).toHaveLength(1);
  });

  it('does not keep it from letting go', async () => {
    const stage = await makeStage();
    const append = () => Promise.reject(new StoreError('disk-full', 'the disk is full', 'make room'));
    const release = new AbortController();
    const kept = stage.keep({ store: { ...stage.store, append } }, release.signal);
    await pass(stage, minuteMs);
    release.abort();
    await settled();
    expect(faultOf(kept.ended)).toBe('disk-full');
  });
});

describe('what happened while nobody kept the run', () => {
  it('is heard in the order in which it happened', async () => {
    const stage = await makeStage();
    const release = new AbortController();
    const kept = stage.keep({}, release.signal);
    const turn = await atWork(stage);
    const action = { kind: 'command' as const, rendered: { text: 'x' }, digest: 'a'.repeat(64) };
    await stage.say({ type: 'approval-asked', session: 's1', turn, request: 'q1', action });
    const gate = (await stage.view()).gates[0]?.id ?? '';
    release.abort();
    await kept.result;
    const early = await stage.post({ type: 'steer-given', text: { text: 'early' }, by });
    stage.clock.advance(40 * minuteMs);
    const late = await stage.post({ type: 'gate-answered', gate, answer: 'approve', by });
    stage.keep({ holder: holder('k2') });
    await settled();
    const stamped = (await stage.entries())
      .slice(-30)
      .filter((e) => e.cause !== undefined || e.event.type === 'timer-fired');
    expect(stamped.map((e) => e.cause ?? e.event.type)).toEqual([early, 'timer-fired', late]);
    expect(stamped.at(-1)?.late).toBe(true);
  });
});

describe('a snapshot', () => {
  it('is written every so many entries, also over many short keepers, and continues the run', async () => {
    const stage = await makeStage({ limits: { turnsMax: 1_000, noProgressTurns: 1_000 } });
    for (let n = 0; (await stage.entries()).length < snapshotEntries + 20; n++) {
      const release = new AbortController();
      const kept = stage.keep({ holder: holder(`k${n}`) }, release.signal);
      await settled();
      for (let m = 0; m < 20; m++)
        await stage.say({ type: 'usage-reported', session: 's1', usage: { totalTokens: n * 100 + m } });
      release.abort();
      await kept.result;
    }
    const snapshot = await stage.store.snapshot(runId);
    expect(snapshot?.seq).toBeGreaterThanOrEqual(snapshotEntries);
    const opened = await reopen(stage.store, runId);
    const folded = (await stage.entries()).reduce<Run | null>(remember, null);
    expect(opened?.run).toEqual(folded);
    expect(opened?.sinceSnapshot).toBe((folded?.seq ?? 0) - (snapshot?.seq ?? 0));
  });
});

describe('silence', () => {
  const silenceMs = 30 * minuteMs;
  const silences = async (stage: Stage) =>
    (await stage.entries()).filter((e) => e.event.type === 'turn-silent');

  it('of half an hour ends a turn', async () => {
    const stage = await makeStage();
    stage.keep();
    await atWork(stage);
    await pass(stage, silenceMs - 1);
    expect(await silences(stage)).toEqual([]);
    await pass(stage, 2);
    expect(await silences(stage)).toHaveLength(1);
    expect(stage.calls.some((c) => c.startsWith('interrupt'))).toBe(true);
  });

  it('is broken by anything the agent says, also by what is only shown', async () => {
    const stage = await makeStage();
    stage.keep();
    const turn = await atWork(stage);
    await pass(stage, silenceMs - 1_000);
    stage.listener.onLive({ session: 's1', kind: 'output', text: '.' });
    await pass(stage, silenceMs - 1_000);
    await stage.say({ type: 'compaction-seen', session: 's1', turn });
    await pass(stage, silenceMs - 1_000);
    expect(await silences(stage)).toEqual([]);
  });

  it('is none while a child process is at work', async () => {
    const stage = await makeStage();
    let isWorking = true;
    stage.acting = { working: async () => isWorking };
    stage.keep();
    await atWork(stage);
    await pass(stage, 2 * silenceMs);
    expect(await silences(stage)).toEqual([]);
    isWorking = false;
    await pass(stage, 2 * silenceMs);
    expect(await silences(stage)).toHaveLength(1);
  });

  it('is silence where the agent cannot even say whether it works', async () => {
    const stage = await makeStage();
    stage.acting = { working: () => Promise.reject(new Error('no')) };
    stage.keep();
    await atWork(stage);
    await pass(stage, silenceMs + 1);
    expect(await silences(stage)).toHaveLength(1);
  });

  it('is none while a person is asked, and begins anew with the answer', async () => {
    const stage = await makeStage({ gates: { whenUnanswered: 'wait' } });
    stage.keep();
    const turn = await atWork(stage);
    const action = { kind: 'command' as const, rendered: { text: 'x' }, digest: 'a'.repeat(64) };
    await stage.say({ type: 'approval-asked', session: 's1', turn, request: 'q1', action });
    await pass(stage, 5 * silenceMs);
    const gate = (await stage.view()).gates[0]?.id ?? '';
    await stage.post({ type: 'gate-answered', gate, answer: 'approve', by });
    expect(stage.calls).toContain('approve q1');
    expect(await silences(stage)).toEqual([]);
    await pass(stage, 2 * silenceMs);
    expect(await silences(stage)).toHaveLength(1);
  });

  it('does not count a sleep of the machine', async () => {
    const stage = await makeStage();
    let slept: (how: { sleptMs: number; countedMs: number }) => void = () => undefined;
    stage.keep({
      watchSleep: (tell) => {
        slept = tell;
        return () => undefined;
      },
    });
    await atWork(stage);
    await pass(stage, silenceMs - 1_000);
    stage.clock.sleep(10 * silenceMs, 10 * silenceMs);
    slept({ sleptMs: 10 * silenceMs, countedMs: 10 * silenceMs });
    await pass(stage, 900);
    expect(await silences(stage)).toEqual([]);
    await pass(stage, minuteMs);
    expect(await silences(stage)).toHaveLength(1);
  });
});
