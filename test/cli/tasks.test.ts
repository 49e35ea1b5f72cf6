import { describe, expect, it } from 'vitest';
import type { Task } from '../../src/contract/index.ts';
import type { Script } from '../../src/edge/agents/scripted/script.ts';
import { until } from '../process-kit.ts';
import { type Desk, ownDesk, scripts } from './kit.ts';

interface Listed {
  readonly run: string;
  readonly mode: string;
  readonly tasks: readonly (Task & { readonly checking: boolean })[];
}

const autonomous = ['--mode', 'autonomous', '--check', 'test -f one.txt'];
const tool = (name: string, args: Record<string, unknown>) => ({ tool: name, with: args });

async function started(desk: Desk, script: Script, ...flags: string[]): Promise<string> {
  const { code, stdout, stderr } = await desk.tireless([...desk.run(script, ...flags), '--detach', '--json']);
  expect([code, stderr]).toEqual([0, '']);
  return (JSON.parse(stdout) as { run: string }).run;
}

const said = async (desk: Desk, ...args: string[]): Promise<readonly [number | null, string]> => {
  const { code, stdout, stderr } = await desk.tireless(args);
  return [code, stdout + stderr];
};

describe('the queue of a run, for people', { timeout: 180_000 }, () => {
  it('is listed, added to, changed and shortened, under the name of whoever writes', async () => {
    const desk = ownDesk();
    const run = await started(desk, scripts.endless, ...autonomous);
    await desk.seen((view) => view.state === 'running');
    expect(await said(desk, 'tasks')).toEqual([0, 'No tasks yet.\n']);
    expect(await said(desk, 'tasks', 'add', 'cover', 'the empty cart', '--priority', '1')).toEqual([
      0,
      'Written: tq-1\n',
    ]);
    expect(await desk.json('tasks', 'add', 'later', '--id', 'later')).toEqual({
      heard: true,
      ok: true,
      id: 'later',
      waits: false,
    });
    expect(await said(desk, 'tasks', 'add', 'again', '--id', 'later')).toEqual([
      2,
      'Not written: there is a task later already; update it, or leave the id out.\n',
    ]);
    expect(
      await said(desk, 'tasks', 'update', 'tq-1', '--status', 'blocked', '--note', 'no key yet'),
    ).toEqual([0, 'Written: tq-1\n']);
    expect(await said(desk, 'tasks', 'remove', 'tq-9')).toEqual([
      2,
      'Not written: there is no task tq-9; task_queue_read lists them.\n',
    ]);
    expect(await said(desk, 'tasks', run)).toEqual([
      0,
      '- tq-1 [blocked] priority 1: cover the empty cart\n  note by lovelace@cli: no key yet\n- later [pending] priority 5: later\n',
    ]);
    const blocked = await desk.json<Listed>('tasks', '--status', 'blocked');
    expect(blocked).toMatchObject({
      run,
      mode: 'autonomous',
      tasks: [{ id: 'tq-1', addedBy: 'lovelace@cli', checking: false }],
    });
    expect(await said(desk, 'tasks', 'remove', 'later')).toEqual([0, 'Written: later\n']);
    expect((await desk.json<Listed>('tasks')).tasks).toHaveLength(1);
  });

  it('takes a done of the person’s for done only when the checks pass', async () => {
    const desk = ownDesk();
    await started(desk, scripts.endless, ...autonomous);
    await desk.seen((view) => view.state === 'running');
    await desk.tireless(['tasks', 'add', 'write one.txt']);
    expect(await said(desk, 'tasks', 'update', 'tq-1', '--status', 'done')).toEqual([
      0,
      'tq-1: the checks are running; it becomes done when they pass.\n',
    ]);
    const entries = async () => desk.entries((await desk.seen(() => true)).id);
    await desk.seen((view) => view.seq > 0);
    await expect
      .poll(
        async () =>
          (await entries()).filter(
            ({ event }) => event.type === 'effect-ended' && event.outcome.of === 'checks-run',
          ).length,
        { timeout: 60_000 },
      )
      .toBe(2);
    const [task] = (await desk.json<Listed>('tasks')).tasks;
    expect(task).toMatchObject({
      status: 'pending',
      changedBy: 'lovelace@cli',
      proof: { verdict: 'refused' },
    });
  });

  it('is refused where it cannot be: a run of one cycle, a run that is over, a bad word, the agent’s own shell', async () => {
    const desk = ownDesk();
    const run = await started(desk, scripts.endless, '--check', 'true');
    await desk.seen((view) => view.state === 'running');
    expect(await said(desk, 'tasks')).toEqual([
      0,
      `Run ${run} has no task queue: it has a single cycle (--mode once).\n`,
    ]);
    expect(await said(desk, 'tasks', 'add', 'x')).toEqual([
      2,
      `Run ${run} has no task queue: it has a single cycle (--mode once).\n`,
    ]);
    const inside = await desk.tireless(['tasks', 'add', 'x'], { env: { TIRELESS_RUN: run } });
    expect([inside.code, inside.stderr]).toEqual([2, expect.stringContaining('is for people')]);
    for (const bad of [
      ['update', 'tq-1', '--status', 'finished'],
      ['add', ' '],
      ['add', 'x', '--priority', 'first'],
      ['update', 'a b', '--note', 'x'],
    ])
      expect((await desk.tireless(['tasks', ...bad])).code, bad.join(' ')).toBe(2);
    await desk.tireless(['stop', '--now']);
    await desk.seen((view) => view.state === 'stopped');
    expect(await said(desk, 'tasks', 'add', 'x')).toEqual([
      2,
      `Run ${run} is stopped; its queue can no longer change.\n`,
    ]);
  });

  it('waits with its writes while the run is paused', async () => {
    const desk = ownDesk();
    const run = await started(desk, scripts.busy, ...autonomous);
    await desk.tireless(['pause']);
    await desk.seen((view) => view.state === 'paused');
    // Also the keeper that asking to pause woke up: it would hear what is said meanwhile.
    await until(
      () => desk.alive().length === 0,
      () => `still alive: ${desk.alive()}`,
    );
    expect(await said(desk, 'tasks', 'add', 'for later')).toEqual([
      0,
      `Queued for run ${run}, which reads it when it resumes: tireless resume ${run}\n`,
    ]);
    expect((await desk.json<Listed>('tasks')).tasks).toEqual([]);
    await desk.tireless(['resume', '--detach']);
    await desk.seen((view) => view.tasks?.total === 1);
  });
});

describe('an agent with our tools', { timeout: 180_000 }, () => {
  it('works its queue off to a certified end, and a new run begins with an empty one', async () => {
    const desk = ownDesk();
    const script: Script = {
      asks: false,
      paceMs: 0,
      turns: [
        {
          steps: [
            tool('task_queue_write', { action: 'add', description: 'write one.txt' }),
            tool('task_queue_write', { action: 'update', task_id: 'tq-1', status: 'done' }),
            { write: 'one.txt', text: '1\n' },
            tool('task_queue_write', { action: 'update', task_id: 'tq-1', status: 'done' }),
            tool('memory_write', { text: 'The check looks for one.txt.', type: 'fact' }),
            tool('report_status', { status: 'done', evidence: 'one.txt is there' }),
          ],
          message: 'Through.',
        },
      ],
    };
    const ended = await desk.tireless([...desk.run(script, ...autonomous), '--foreground']);
    expect(ended, ended.stdout + ended.stderr).toMatchObject({ code: 0 });
    const { run, tasks } = await desk.json<Listed>('tasks');
    expect(tasks).toMatchObject([
      { id: 'tq-1', status: 'done', addedBy: 'scripted@mcp', proof: { verdict: 'passed' } },
    ]);
    const items = (await desk.entries(run)).flatMap(({ event }) =>
      event.type === 'item-ended' && event.kind === 'tool' ? [event.outcome] : [],
    );
    expect(items).toEqual(['ok', 'failed', 'ok', 'ok', 'ok']);
    expect((await desk.tireless(['replay', run])).code).toBe(0);

    const next = await started(desk, scripts.endless, '--mode', 'autonomous', '--check', 'true');
    expect(await desk.json<Listed>('tasks', next)).toMatchObject({ run: next, tasks: [] });
  });
});
