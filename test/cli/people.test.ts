import { describe, expect, it } from 'vitest';
import { until } from '../process-kit.ts';
import { type Desk, ownDesk, proof, scripts } from './kit.ts';

/** Starts a script in the background and gives its run. */
async function started(desk: Desk, ...args: Parameters<Desk['run']>): Promise<string> {
  const { code, stdout, stderr } = await desk.tireless([...desk.run(...args), '--detach', '--json']);
  expect([code, stderr]).toEqual([0, '']);
  return (JSON.parse(stdout) as { run: string }).run;
}

const kindsOf = async (desk: Desk, run: string): Promise<string[]> =>
  (await desk.entries(run)).map(({ event }) => event.type);

describe('a run that asks', { timeout: 120_000 }, () => {
  it('waits in the inbox, hears answer, deny and approve, each once, and goes on', async () => {
    const desk = ownDesk();
    const run = await started(desk, scripts.asking, '--approvals', 'pause', ...proof);
    const question = await desk.gate('input');
    expect(await desk.json('inbox')).toMatchObject([
      { run, id: question.id, asks: 'Which number first? (1 · 2)' },
    ]);
    expect((await desk.tireless(['inbox'])).stdout).toContain(`tireless answer ${question.id} "…"`);
    const wrong = await desk.tireless(['approve', question.id]);
    expect([wrong.code, wrong.stderr]).toEqual([2, `${question.id} is a question: use answer.\n`]);
    expect(await desk.json('answer', question.id, '2')).toEqual({ run, gate: question.id, answer: 'answer' });

    const command = await desk.gate('approval');
    expect(command.asks).toBe('rm -f nothing.txt');
    const denied = await desk.tireless(['deny', `${run}:${command.id}`, 'leave it alone']);
    expect(denied).toMatchObject({ code: 0, stderr: '' });
    await desk.seen(({ gates }) => gates.length === 1 && gates[0]?.id !== command.id);
    const edit = await desk.gate('approval');
    expect(edit.asks).toContain('write one.txt');
    expect((await desk.tireless(['approve'])).stdout).toContain(`Approved ${edit.id} of ${run}`);

    const last = await desk.gate('approval').then(async (gate) => {
      const second =
        gate.id === edit.id ? await until(async () => other(desk, edit.id), 'no second edit') : gate;
      await desk.tireless(['approve', second.id]);
      return desk.seen(({ state }) => state === 'done');
    });
    expect(last.turns).toBe(2);
    const answers = (await desk.entries(run)).filter(({ event }) => event.type === 'gate-answered');
    expect(answers.map(({ event }) => event.type === 'gate-answered' && [event.answer, event.by])).toEqual([
      ['text', 'lovelace@cli'],
      ['deny', 'lovelace@cli'],
      ['approve', 'lovelace@cli'],
      ['approve', 'lovelace@cli'],
    ]);
    expect((await desk.tireless(['logs'])).stdout).toContain('denied: leave it alone');
    expect((await desk.tireless(['approve'])).stderr).toBe('Nothing is waiting for an answer.\n');
  });
});

const other = async (desk: Desk, than: string) =>
  (await desk.seen(() => true)).gates.find((gate) => gate.id !== than);

describe('a run at work', { timeout: 120_000 }, () => {
  it('pauses after its turn, is steered while paused, and goes on when resumed', async () => {
    const desk = ownDesk();
    const run = await started(desk, scripts.slow, ...proof);
    await desk.seen(({ state }) => state === 'running');
    expect((await desk.tireless(['pause'])).stdout).toBe(`${run} will pause after this turn.\n`);
    const paused = await desk.seen(({ state }) => state === 'paused');
    expect(paused).toMatchObject({ cause: 'person', turns: 1, toggle: 'paused' });
    expect(await desk.json('steer', 'keep both small')).toMatchObject({ run });
    const { code, stdout } = await desk.tireless(['resume']);
    expect(code).toBe(0);
    expect(stdout).toContain('done: every check passed');
    const entries = await desk.entries(run);
    // The keeper that winds down may hear it, or the one that resumes: it is heard once.
    const heard = entries.filter(({ event }) => event.type === 'steer-given');
    expect(heard).toMatchObject([{ event: { by: 'lovelace@cli' } }]);
    const prompts = entries.filter(({ effects }) => JSON.stringify(effects)?.includes('keep both small'));
    expect(prompts.length).toBeGreaterThan(0);
  });

  it('stops at once with --now and stays stopped', async () => {
    const desk = ownDesk();
    const run = await started(desk, scripts.endless);
    await desk.seen(({ state, seq }) => state === 'running' && seq > 6);
    expect(await desk.json('stop', '--now')).toEqual([{ run, asked: 'stop' }]);
    await desk.seen(({ state }) => state === 'stopped');
    const done = { resume: 'resumed', pause: 'paused', stop: 'stopped' };
    for (const [verb, past] of Object.entries(done)) {
      const { code, stderr } = await desk.tireless([verb]);
      expect([code, stderr]).toEqual([
        2,
        `Run ${run} is stopped. Finished runs cannot be ${past}; start a new one.\n`,
      ]);
    }
    await until(
      () => desk.alive().length === 0,
      () => `still alive: ${desk.alive()}`,
    );
    expect((await kindsOf(desk, run)).filter((kind) => kind === 'person-asked')).toHaveLength(1);
  });

  it('is stopped with every other one by stop --all, wherever it is', async () => {
    const desk = ownDesk();
    const first = await started(desk, scripts.endless);
    const second = await started(desk, scripts.endless, '--worktree');
    await desk.seen(({ state }) => state === 'running');
    const asked = await desk.tireless(['stop', '--all', '--now', '--json'], { cwd: desk.folder });
    expect(JSON.parse(asked.stdout)).toEqual([second, first].map((run) => ({ run, asked: 'stop' })));
    await until(
      async () => (await desk.json<{ state: string }[]>('runs')).every(({ state }) => state === 'stopped'),
      'not all stopped',
    );
    const none = await desk.tireless(['stop', '--all']);
    expect([none.code, none.stdout]).toEqual([0, 'No run is in progress.\n']);
  });

  it('that ended at a limit goes on with that limit raised', async () => {
    const desk = ownDesk();
    const { code } = await desk.tireless(
      desk.run(scripts.twoFiles, '--foreground', '--turns', '1', ...proof),
    );
    expect(code).toBe(11);
    expect((await desk.seen(() => true)).cause).toBe('limit:turnsMax');
    const same = await desk.tireless(['resume', '--foreground']);
    expect(same.code).toBe(11);
    const more = await desk.tireless(['resume', '--foreground', '--turns', '2']);
    expect([more.code, more.stderr]).toEqual([0, '']);
    expect(await desk.seen(() => true)).toMatchObject({ state: 'done', turns: 2, turnsMax: 2 });
  });
});

describe('a command for people', { timeout: 120_000 }, () => {
  it('is refused inside a supervised run, exit 2', async () => {
    const desk = ownDesk();
    const env = { TIRELESS_RUN: 'r1' };
    for (const args of [
      ['stop'],
      ['pause'],
      ['resume'],
      ['steer', 'x'],
      ['approve'],
      ['deny'],
      ['answer', 'g1', 'x'],
    ]) {
      const { code, stderr } = await desk.tireless(args, { env });
      expect([code, stderr]).toEqual([
        2,
        `tireless ${args[0]} is for people: this shell belongs to the supervised run r1.\n`,
      ]);
    }
  });

  it('says so when there is no run, exit 2', async () => {
    const desk = ownDesk();
    for (const args of [['resume'], ['pause'], ['stop'], ['steer', 'x'], ['logs'], ['replay'], ['export']]) {
      const { code, stderr } = await desk.tireless(args);
      expect([args[0], code, stderr]).toEqual([
        args[0],
        2,
        'No run in this folder yet. Start one with: tireless run "mission".\n',
      ]);
    }
  });
});

describe('a second run in the same folder', { timeout: 120_000 }, () => {
  it('is refused with the way out while the first works, leaves nothing, and --worktree is that way', async () => {
    const desk = ownDesk();
    const first = await started(desk, scripts.endless);
    const { pid } = await until(
      async () =>
        (await desk.entries(first))
          .map(({ event }) => event)
          .find((event) => event.type === 'keeper-started'),
      'no keeper',
    );
    const refused = await desk.tireless(desk.run(scripts.twoFiles, '--foreground'));
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(`another run is working in ${desk.workspace} (process ${pid})`);
    expect(refused.stderr).toContain('--worktree');
    expect(await desk.json<unknown[]>('runs')).toHaveLength(1);
    const beside = await desk.tireless(desk.run(scripts.twoFiles, '--foreground', '--worktree', ...proof));
    expect([beside.code, beside.stderr]).toEqual([0, '']);
    const { workspace } = await desk.seen(({ id }) => id !== first);
    expect(workspace).not.toBe(desk.workspace);
    expect(workspace.startsWith(`${desk.home}/`)).toBe(false);
  });
});
