import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ownDesk } from '../cli/kit.ts';
import { until } from '../process-kit.ts';
import { atWork, autonomous, connected } from './client.ts';

describe('the tools of an autonomous run', { timeout: 180_000 }, () => {
  it('keep the queue, and a done that the checks refute is the answer while the task stays open', async () => {
    const desk = ownDesk();
    const run = await atWork(desk, ...autonomous);
    const client = await connected(desk, run);
    const write = (args: object) => client.call('task_queue_write', args);
    expect(await write({ action: 'add', description: 'write one.txt', priority: 2 })).toEqual({
      text: 'Written: tq-1 is pending, priority 2.',
      isError: false,
    });
    expect(await write({ action: 'add', description: 'tell others', task_id: 'tell' })).toMatchObject({
      isError: false,
    });
    expect(await write({ action: 'add', description: 'again', task_id: 'tell' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('there is a task tell already'),
    });
    const refuted = await write({ action: 'update', task_id: 'tq-1', status: 'done' });
    expect(refuted).toMatchObject({ isError: true });
    expect(refuted.text).toContain('tq-1 stays pending: we ran the checks ourselves and they do not pass');
    expect(refuted.text).toContain('$ test -f one.txt → exit 1');
    expect((await client.call('task_queue_read')).text).toContain('called done and refused');
    writeFileSync(join(desk.workspace, 'one.txt'), '1\n');
    expect(await write({ action: 'update', task_id: 'tq-1', status: 'done' })).toMatchObject({
      isError: false,
      text: expect.stringContaining('tq-1 is done'),
    });
    expect(await client.call('task_queue_read', { status_filter: 'done' })).toMatchObject({
      text: expect.stringMatching(/^- tq-1 \[done\]/),
    });
    const shown = await desk.json<{ tasks: { id: string; status: string; addedBy: string }[] }>('tasks');
    expect(shown.tasks.map(({ id, status, addedBy }) => [id, status, addedBy])).toEqual([
      ['tq-1', 'done', 'scripted@mcp'],
      ['tell', 'pending', 'scripted@mcp'],
    ]);
    expect(await desk.seen((view) => view.tasks?.done === 1)).toMatchObject({
      state: 'running',
      tasks: { open: 1, total: 2 },
    });
  });

  it('share one queue between two sessions, each answer its own', async () => {
    const desk = ownDesk();
    const run = await atWork(desk, ...autonomous);
    const [one, two] = [await connected(desk, run), await connected(desk, run)];
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        [one, two][n % 2]?.call('task_queue_write', { action: 'add', description: `task ${n}` }),
      ),
    );
    const ids = answers.map((answer) => /tq-\d+/.exec(answer?.text ?? '')?.[0]);
    expect(new Set(ids).size).toBe(10);
    expect((await one.call('task_queue_read')).text).toBe((await two.call('task_queue_read')).text);
  });

  it('go on after the keeper was killed: what was under way is not confirmed, ids continue, and what it had to check is checked again', async () => {
    const desk = ownDesk();
    const run = await atWork(desk, '--mode', 'autonomous', '--check', 'sleep 2; test -f one.txt');
    // Not as the dead keeper's own: its processes are ended with it.
    const client = await connected(desk, run, { env: {} });
    await client.call('task_queue_write', { action: 'add', description: 'a' });
    writeFileSync(join(desk.workspace, 'one.txt'), '1\n');
    const done = client.call('task_queue_write', { action: 'update', task_id: 'tq-1', status: 'done' });
    const events = async () => (await desk.entries(run)).flatMap((entry) => entry.effects ?? []);
    const checks = async () =>
      (await events()).filter((e) => e.type === 'checks-run' && e.purpose === 'task').length;
    await until(async () => (await checks()) > 0, 'the checks never began');
    const keeper = (await desk.entries(run))
      .map(({ event }) => event)
      .findLast((e) => e.type === 'keeper-started');
    process.kill(keeper?.type === 'keeper-started' ? keeper.pid : 0, 'SIGKILL');
    expect(await done).toMatchObject({ isError: true, text: expect.stringContaining('Not confirmed') });
    expect(await client.call('task_queue_read')).toMatchObject({
      isError: true,
      text: expect.stringContaining('Nothing was done: no keeper answers for this run'),
    });
    expect((await desk.tireless(['resume', run, '--detach'])).code).toBe(0);
    await until(async () => (await checks()) === 2, 'the checks did not run again');
    await until(
      async () => (await client.call('task_queue_read')).text.includes('done'),
      'the task was not done by the next keeper',
    );
    expect(await client.call('task_queue_write', { action: 'add', description: 'b' })).toMatchObject({
      text: expect.stringContaining('tq-2'),
    });
  });

  it('note what was learned, without secrets, and find what is remembered', async () => {
    const desk = ownDesk();
    await desk.tireless(['memory', 'add', 'The tests need Postgres 16 on port 5433.', '--type', 'fact']);
    const run = await atWork(desk, ...autonomous);
    const client = await connected(desk, run);
    const token = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;
    expect(
      await client.call('memory_write', { text: `The deploy token is ${token}`, type: 'mistake' }),
    ).toEqual({ text: 'Noted.', isError: false });
    const read = await client.call('memory_read', { query: 'which database do the tests need?' });
    expect(read.text).toContain('Postgres 16 on port 5433');
    expect(read.text).toContain('(mistake) The deploy token is ⟦secret:');
    expect(JSON.stringify(await desk.entries(run))).not.toContain(token);
    expect((await client.call('memory_read')).text).not.toContain('Postgres');
  });
});

describe('the tools of every run', { timeout: 180_000 }, () => {
  it('ask the person and give their answer', async () => {
    const desk = ownDesk();
    const client = await connected(desk, await atWork(desk, '--check', 'true'));
    const answer = client.call('ask_person', {
      question: 'Postgres or SQLite?',
      options: ['Postgres', 'SQLite'],
    });
    const gate = await desk.gate('input');
    expect(gate).toMatchObject({
      asks: 'Postgres or SQLite? (Postgres · SQLite)',
      options: ['Postgres', 'SQLite'],
    });
    expect((await desk.tireless(['answer', gate.id, 'SQLite'])).code).toBe(0);
    expect(await answer).toEqual({ text: 'The person answers: SQLite', isError: false });
    expect(await desk.seen((view) => view.gates.length === 0)).toMatchObject({ state: 'running' });
  });

  it('tell that a question is queued, and its answer when it is asked again', async () => {
    const desk = ownDesk();
    const client = await connected(desk, await atWork(desk, '--check', 'true'), { waitMs: 300 });
    const question = { question: 'Which region?' };
    expect((await client.call('ask_person', question)).text).toMatch(/^Queued: /);
    const gate = await desk.gate('input');
    expect((await desk.tireless(['answer', gate.id, 'eu-west'])).code).toBe(0);
    await desk.seen((view) => view.gates.length === 0);
    expect(await client.call('ask_person', question)).toEqual({
      text: 'The person answers: eu-west',
      isError: false,
    });
  });

  it('give a refusal as the answer', async () => {
    const desk = ownDesk();
    const client = await connected(desk, await atWork(desk, '--check', 'true'));
    const answer = client.call('ask_person', { question: 'May I skip the tests?' });
    const gate = await desk.gate('input');
    expect((await desk.tireless(['deny', gate.id, 'no, fix them'])).code).toBe(0);
    expect(await answer).toEqual({ text: 'No answer: no, fix them', isError: false });
  });

  it('cannot end the run, start one, or answer a question', async () => {
    const desk = ownDesk();
    const run = await atWork(desk, ...autonomous);
    const client = await connected(desk, run, { waitMs: 300 });
    await client.call('ask_person', { question: 'May I stop?' });
    const gate = await desk.gate('input');
    const hostile = { gate: gate.id, answer: 'approve', type: 'gate-answered', ask: 'stop', by: 'me', run };
    for (const tool of await client.tools())
      await client.call(tool, {
        ...hostile,
        action: 'remove',
        task_id: gate.id,
        text: 'x',
        question: 'y?',
        status: 'done',
        evidence: 'z',
      });
    expect(await client.call('report_status', { status: 'done', evidence: 'it works' })).toMatchObject({
      text: expect.stringContaining('Recorded: done'),
    });
    const view = await desk.seen(({ id }) => id === run);
    expect(view.state).not.toBe('done');
    expect(view.gates.map(({ id }) => id)).toContain(gate.id);
    const types = (await desk.entries(run)).map(({ event }) => event.type);
    for (const never of ['gate-answered', 'person-asked', 'limits-changed', 'steer-given'])
      expect(types).not.toContain(never);
    expect(await desk.json<unknown[]>('runs')).toHaveLength(1);
  });
});
