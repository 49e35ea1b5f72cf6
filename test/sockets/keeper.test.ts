import { describe, expect, it } from 'vitest';
import { findHome } from '../../src/edge/home.ts';
import { connectSocket, type SocketClient } from '../../src/edge/sockets/connect.ts';
import { findSockets, type RunSockets } from '../../src/edge/sockets/place.ts';
import { type Desk, ownDesk } from '../cli/kit.ts';
import { atWork } from '../mcp/client.ts';
import { until } from '../process-kit.ts';

const within = { withinMs: 20_000 };

function socketsOf(desk: Desk, run: string): RunSockets {
  const sockets = findSockets(findHome(desk.env), run);
  if (sockets === null) throw new Error(`run ${run} has no sockets`);
  return sockets;
}

async function open(
  desk: Desk,
  ...flags: string[]
): Promise<{ run: string; agent: SocketClient; person: SocketClient }> {
  const run = await atWork(desk, '--check', 'true', ...flags);
  const { agent, person } = socketsOf(desk, run);
  return { run, agent: await connectSocket(agent), person: await connectSocket(person) };
}

const command = (text: string, deadlineMs = 15_000) => ({
  action: { kind: 'command', rendered: { text } },
  deadlineMs,
});

describe('the sockets of a keeper', () => {
  it('tell the person how it is, and the agent nothing but tools and verdicts', async () => {
    const desk = ownDesk();
    const { run, agent, person } = await open(desk);
    expect(await person.request('presence', null, within)).toMatchObject({ state: 'running', trouble: null });
    expect(await agent.request('describe', null, within)).toMatchObject({ run, mode: 'once' });
    for (const verb of ['presence', 'live', 'wake', 'answer', 'approve', 'steer', 'stop', 'resume'])
      await expect(agent.request(verb, null, within), verb).rejects.toThrow('unknown verb');
    for (const verb of ['tool', 'judge'])
      await expect(person.request(verb, {}, within)).rejects.toThrow('unknown verb');
  });

  it('open to their own token only', async () => {
    const desk = ownDesk();
    const { run } = await open(desk);
    const { agent, person } = socketsOf(desk, run);
    await expect(connectSocket({ path: person.path, token: agent.token })).rejects.toThrow('wrong token');
    await expect(connectSocket({ path: agent.path, token: person.token })).rejects.toThrow('wrong token');
  });

  it('judge what a hook asks about: harmless allowed, the never list denied, garbage denied', async () => {
    const desk = ownDesk();
    const { agent } = await open(desk);
    const judged = (params: unknown) => agent.request('judge', params, within);
    expect(await judged(command('ls -l'))).toMatchObject({ verdict: 'allow' });
    expect(await judged(command('rm -rf /'))).toMatchObject({ verdict: 'deny' });
    expect(await judged({ action: 'rm' })).toMatchObject({ verdict: 'deny' });
  });

  it('deny at the deadline what nobody answered; approved later, the same action is allowed once', async () => {
    const desk = ownDesk();
    const { run, agent } = await open(desk);
    const push = command('git push origin feature', 300);
    expect(await agent.request('judge', push, within)).toMatchObject({
      verdict: 'deny',
      because: expect.stringContaining('before the deadline'),
    });
    await desk.tireless(['approve', (await desk.gate('approval')).id]);
    const entries = async () => (await desk.entries(run)).map(({ event }) => event);
    await until(
      async () =>
        (await entries()).some(
          (e) => e.type === 'effect-ended' && e.outcome.of === 'request-answer' && !e.outcome.ok,
        ),
      'the late approval was not noted',
    );
    expect(await agent.request('judge', command('git push origin feature'), within)).toMatchObject({
      verdict: 'allow',
    });
    expect(await agent.request('judge', push, within)).toMatchObject({ verdict: 'deny' });
  });

  it('answer no more once the keeper is killed', async () => {
    const desk = ownDesk();
    const { agent, person } = await open(desk);
    const { pid } = (await person.request('presence', null, within)) as { pid: number };
    const asked = agent.request('judge', command('git push origin feature', 60_000), within);
    process.kill(pid, 'SIGKILL');
    await expect(asked).rejects.toThrow('the connection ended');
    await person.closed;
  });
});
