import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { closingLine } from '../../src/core/index.ts';
import { makeProject, ownDesk, program } from '../cli/kit.ts';
import { atWork, autonomous, connected, socketOf, startServer } from './client.ts';

const everywhere = ['ask_person', 'report_status'];
const onlyAutonomous = ['memory_read', 'memory_write', 'task_queue_read', 'task_queue_write'];

describe('the MCP server', { timeout: 180_000 }, () => {
  it('negotiates old and new protocols, lists its tools by mode, and refuses what it does not know', async () => {
    const desk = ownDesk();
    const run = await atWork(desk, ...autonomous);
    for (const version of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']) {
      const client = startServer(desk, ['--run', run, '--wait-ms', '1000'], socketOf(desk, run));
      const { result } = await client.request('initialize', {
        protocolVersion: version,
        capabilities: {},
        clientInfo: { name: 'test', version: '1' },
      });
      expect(result).toMatchObject({ protocolVersion: version, serverInfo: { name: 'tireless' } });
      client.server.stdin.end();
      expect(await client.ended).toMatchObject({ code: 0, stderr: '' });
    }
    const unheardOf = startServer(desk, ['--run', run, '--wait-ms', '1000'], socketOf(desk, run));
    const { result: offer } = await unheardOf.request('initialize', {
      protocolVersion: '2099-01-01',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    });
    expect(offer?.protocolVersion).toBe('2025-11-25');
    const modern = startServer(desk, ['--run', run, '--wait-ms', '1000'], socketOf(desk, run));
    const meta = (name: string): string => `io.modelcontextprotocol/${name}`;
    const listed = await modern.request('tools/list', {
      _meta: {
        [meta('protocolVersion')]: '2026-07-28',
        [meta('clientInfo')]: { name: 'test', version: '1' },
        [meta('clientCapabilities')]: {},
      },
    });
    expect(listed.result?.tools).toHaveLength(6);
    const client = await connected(desk, run);
    expect((await client.tools()).sort()).toEqual([...everywhere, ...onlyAutonomous].sort());
    expect(await client.call('end_run')).toMatchObject({
      isError: true,
      text: expect.stringContaining('end_run'),
    });
    expect((await client.request('nonsense/method')).error).toMatchObject({ code: -32_601 });
    client.raw('this is not JSON');
    client.raw('{"jsonrpc":"2.0"}');
    expect(await client.call('task_queue_read')).toEqual({ text: 'No tasks yet.', isError: false });
  });

  it('answers bad arguments in words and goes on', async () => {
    const desk = ownDesk();
    const client = await connected(desk, await atWork(desk, ...autonomous));
    const bad: [string, unknown][] = [
      ['task_queue_write', { action: 'explode' }],
      ['task_queue_write', { action: 'add' }],
      ['task_queue_write', { action: 'add', description: '   ' }],
      ['task_queue_write', { action: 'add', description: 'x'.repeat(3_000) }],
      ['task_queue_write', { action: 'add', description: 'a', priority: -1 }],
      ['task_queue_write', { action: 'update', task_id: 'tq-9', status: 'blocked' }],
      ['task_queue_write', { action: 'update', task_id: 'tq-9', status: 'finished' }],
      ['task_queue_write', { action: 'remove' }],
      ['task_queue_read', { status_filter: 'open' }],
      ['memory_write', { text: '' }],
      ['memory_write', { text: 'a', type: 'rumour' }],
      ['memory_read', { limit: 0 }],
      ['ask_person', {}],
      ['ask_person', { question: 7 }],
      ['report_status', { status: 'perfect', evidence: 'x' }],
    ];
    for (const [tool, args] of bad) {
      const answer = await client.call(tool, args);
      expect(answer, `${tool} ${JSON.stringify(args).slice(0, 80)}`).toMatchObject({ isError: true });
      expect(answer.text).not.toBe('');
    }
    expect(await client.call('task_queue_read')).toEqual({ text: 'No tasks yet.', isError: false });
  });

  it('has neither tasks nor memory in a run of one cycle', async () => {
    const desk = ownDesk();
    const client = await connected(desk, await atWork(desk, '--check', 'true'));
    expect((await client.tools()).sort()).toEqual(everywhere);
    for (const tool of onlyAutonomous)
      expect(await client.call(tool, { action: 'add', description: 'a', text: 'a' })).toMatchObject({
        isError: true,
      });
  });

  it('speaks for one run only, and says why it does not start', async () => {
    const desk = ownDesk();
    const run = await atWork(desk, ...autonomous);
    const refusals: [string[], Record<string, string>, string][] = [
      [[], {}, 'needs the run it acts for'],
      [['--run', run, '--wait-ms', '1000'], {}, 'was given no way to the keeper'],
      [
        ['--run', run, '--wait-ms', '1000'],
        { TIRELESS_SOCKET: join(desk.folder, 'none'), TIRELESS_TOKEN: 'x' },
        'no keeper answers for this run',
      ],
      [
        ['--run', run, '--wait-ms', '1000'],
        { TIRELESS_RUN: 'another' },
        'belongs to the supervised run another',
      ],
      [['--run', run, '--wait-ms', 'soon'], {}, 'a whole number of ms'],
    ];
    for (const [args, env, why] of refusals) {
      const ended = await startServer(desk, args, env).ended;
      expect(ended, why).toMatchObject({ code: 2, stderr: expect.stringContaining(why) });
    }
  });

  it('is refused to the agent of another run, whatever that puts into the environment', async () => {
    const desk = ownDesk();
    const run = await atWork(desk, ...autonomous);
    const elsewhere = join(desk.folder, 'elsewhere');
    makeProject(elsewhere);
    const attempt = `env -u TIRELESS_RUN ${process.execPath} ${program} mcp --run ${run} --wait-ms 1000 < /dev/null`;
    const script = { asks: false, paceMs: 0, turns: [{ steps: [{ run: attempt }], message: closingLine }] };
    const other = await desk.tireless([...desk.run(script, '--check', 'true'), '--foreground'], {
      cwd: elsewhere,
    });
    expect(other, other.stdout + other.stderr).toMatchObject({ code: 0 });
    const [newest] = await desk.json<{ id: string }[]>('runs');
    const item = (await desk.entries(newest?.id ?? '')).find(
      ({ event }) => event.type === 'item-ended' && event.kind === 'command',
    );
    expect(item?.event).toMatchObject({ outcome: 'failed', exitCode: 2 });
  });

  it('records nothing in a run that is over', async () => {
    const desk = ownDesk();
    const run = await atWork(desk, ...autonomous);
    const client = await connected(desk, run);
    expect(await client.call('task_queue_write', { action: 'add', description: 'a' })).toMatchObject({
      isError: false,
    });
    await desk.tireless(['stop', run, '--now']);
    await desk.seen((view) => view.state === 'stopped');
    const calls: [string, unknown][] = [
      ['task_queue_write', { action: 'add', description: 'b' }],
      ['memory_write', { text: 'b' }],
      ['ask_person', { question: 'b?' }],
      ['report_status', { status: 'done', evidence: 'b' }],
    ];
    for (const [tool, args] of calls)
      expect(await client.call(tool, args), tool).toMatchObject({
        isError: true,
        text: expect.stringMatching(
          /This run is over \(stopped|Nothing was done: no keeper answers|Not confirmed: /,
        ),
      });
    const types = (await desk.entries(run)).map(({ event }) => event.type);
    expect(types.filter((type) => type === 'task-written')).toHaveLength(1);
    for (const never of ['memory-noted', 'input-asked', 'status-reported'])
      expect(types).not.toContain(never);
  });
});
