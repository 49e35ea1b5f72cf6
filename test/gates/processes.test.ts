import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { GateView } from '../../src/contract/index.ts';
import { withStore } from '../cli/kit.ts';
import { until } from '../process-kit.ts';
import { branches, deskWithRemote, keeperOf, oneTurn, program, proof, started, webhook } from './desk.ts';

const push = (name: string) => ({ run: `git push --quiet origin work:${name}` });
const timeout = 120_000;

describe('a question of a real agent', { timeout }, () => {
  it('outlives kill -9 of everything; an approval given meanwhile is used once, for that action alone', async () => {
    const { url, notes } = await webhook();
    const desk = deskWithRemote({ notifications: { desktop: false, webhook: url } });
    const run = await started(desk, oneTurn(push('a')));
    const gate = await desk.gate('approval');
    await until(() => existsSync(join(desk.home, 'runs', run, 'notified')), 'nobody was told');
    process.kill(await keeperOf(desk, run), 'SIGKILL');
    expect(await desk.json<GateView[]>('inbox')).toMatchObject([{ run, id: gate.id, rule: 'git-push' }]);
    expect(await desk.tireless(['approve', gate.id])).toMatchObject({ code: 0 });
    expect(branches(desk.remote)).toEqual([]);
    const resumed = await desk.tireless(['resume', '--foreground']);
    expect(resumed, resumed.stdout + resumed.stderr).toMatchObject({ code: 0 });
    expect(branches(desk.remote)).toEqual(['a']);
    const effects = (await desk.entries(run)).flatMap((entry) => entry.effects ?? []);
    expect(effects.filter((e) => e.type === 'request-answer' && e.gate === gate.id)).toHaveLength(1);
    expect(notes.filter((note) => note.key === `${run}/${gate.id}`)).toHaveLength(1);
  });

  it('hears an answer from another process within 100 ms, in the median', async () => {
    const desk = deskWithRemote();
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'];
    const run = await started(desk, oneTurn(...names.map(push)));
    const tookMs: number[] = [];
    await withStore(desk.home, async (store) => {
      for (const _name of names) {
        const { id, digest } = await desk.gate('approval');
        const since = performance.now();
        await store.post(run, { type: 'gate-answered', gate: id, answer: 'approve', digest, by: 'test' });
        await until(async () => !(await store.view(run))?.gates.some((gate) => gate.id === id), 'unheard');
        tookMs.push(performance.now() - since);
      }
    });
    await desk.seen(({ state }) => state === 'done');
    expect(branches(desk.remote)).toEqual(names);
    const median = tookMs.sort((a, b) => a - b)[Math.floor(tookMs.length / 2)] ?? 0;
    console.log(`answers heard after ${tookMs.map((ms) => ms.toFixed(0)).join(' ')} ms`);
    expect(median).toBeLessThan(100);
  });

  it('cannot be answered from inside, whatever the agent does to its environment', async () => {
    const desk = deskWithRemote();
    const answer = (n: number, how: string) => ({
      run: `${how} ${process.execPath} ${program} approve > said-${n}.txt 2>&1; echo "exit $?" >> said-${n}.txt`,
    });
    const inside = oneTurn(answer(1, ''), answer(2, 'env -u TIRELESS_RUN'), answer(3, 'env TIRELESS_RUN='));
    const ended = await desk.tireless([...desk.run({ ...inside, asks: false }, '--foreground'), ...proof]);
    expect(ended.code, ended.stdout + ended.stderr).toBe(0);
    for (const n of [1, 2, 3]) {
      const said = readFileSync(join(desk.workspace, `said-${n}.txt`), 'utf8');
      expect(said).toContain('tireless approve is for people');
      expect(said).toContain('exit 2');
    }
  });
});

describe('an unanswered question of a real agent', { timeout }, () => {
  it('is denied after its time; approving it when the run is over says so and changes nothing', async () => {
    const desk = deskWithRemote({ gates: { timeoutMs: 300 } });
    const run = await started(desk, oneTurn(push('a')));
    await desk.seen(({ state }) => state === 'done');
    const opened = (await desk.entries(run))
      .flatMap((e) => e.effects ?? [])
      .find((e) => e.type === 'gate-open');
    const gate = opened?.type === 'gate-open' ? opened.gate : '';
    const { code, stderr } = await desk.tireless(['approve', gate]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`No open question "${gate}"`)]);
    expect(branches(desk.remote)).toEqual([]);
  });

  it('can be approved late: one command tells the agent, allows exactly that once, and lets the paused run go on', async () => {
    const desk = deskWithRemote({ gates: { timeoutMs: 200 }, limits: { expiriesMax: 1 } });
    const once = oneTurn(push('a'));
    const first = once.turns.map((turn) => ({ ...turn, message: 'Denied, so I stop here.' }));
    const script = { ...once, turns: [...first, ...once.turns] };
    const ended = await desk.tireless([...desk.run(script, '--foreground'), ...proof]);
    expect(ended.code, ended.stdout + ended.stderr).toBe(10);
    const { unanswered, id } = await desk.seen(({ state }) => state === 'paused');
    const gate = unanswered?.[0]?.id ?? 'none';
    const report = await desk.tireless(['report', id]);
    expect(report.stdout).toContain(`tireless approve ${id}:${gate}`);
    expect(branches(desk.remote)).toEqual([]);

    const { code, stdout, stderr } = await desk.tireless(['approve', gate]);
    expect([code, stdout, stderr]).toEqual([0, expect.stringContaining('The question had expired'), '']);
    await desk.seen(({ state }) => state === 'done');
    expect(branches(desk.remote)).toEqual(['a']);
    const answers = (await desk.entries(id))
      .flatMap((e) => e.effects ?? [])
      .filter((e) => e.type === 'request-answer' && e.gate === gate);
    expect(answers).toMatchObject([
      { answer: 'deny', rule: 'gate-expired' },
      { answer: 'approve', rule: 'person', because: expect.stringContaining('after its time was over') },
    ]);
  });

  it('can be approved late although nobody keeps the run, and is shown whole', async () => {
    const desk = deskWithRemote({ gates: { timeoutMs: 1_500 } });
    const run = await started(
      desk,
      oneTurn({ run: `${push('a').run} # ${'long '.repeat(2_000)}to the end` }),
    );
    const gate = await desk.gate('approval');
    process.kill(await keeperOf(desk, run), 'SIGKILL');
    await until(() => Date.now() > (gate.expiresAt ?? 0), 'time stands still');
    const { code, stdout } = await desk.tireless(['approve', gate.id]);
    expect([code, stdout]).toEqual([0, expect.stringContaining('to the end')]);
    await desk.seen(({ state }) => state === 'done');
    expect(branches(desk.remote)).toEqual(['a']);
  });

  it('pauses the run with exit 10 when it is the third in a row', async () => {
    const desk = deskWithRemote({ gates: { timeoutMs: 200 } });
    const script = oneTurn(push('a'), push('b'), push('c'));
    const turns = script.turns.map((turn) => ({ ...turn, message: 'More to do.' }));
    const ended = await desk.tireless([...desk.run({ ...script, turns }, '--foreground'), ...proof]);
    expect(ended.code, ended.stdout + ended.stderr).toBe(10);
    expect(await desk.seen(() => true)).toMatchObject({ state: 'paused', cause: 'unanswered' });
  });

  it('stops the run where that is the policy', async () => {
    const desk = deskWithRemote({ gates: { timeoutMs: 200, whenUnanswered: 'stop' } });
    const ended = await desk.tireless([...desk.run(oneTurn(push('a')), '--foreground'), ...proof]);
    expect(ended.code, ended.stdout + ended.stderr).toBe(130);
    expect(await desk.seen(() => true)).toMatchObject({ state: 'stopped', cause: 'unanswered' });
    expect(branches(desk.remote)).toEqual([]);
  });
});
