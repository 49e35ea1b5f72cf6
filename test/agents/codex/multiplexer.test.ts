import { describe, expect, it } from 'vitest';
import { type Line, makeMultiplexer } from '../../../src/edge/agents/codex/multiplexer.ts';

type Message = Record<string, unknown> & { id?: number; method?: string; params?: Record<string, unknown> };

/** A multiplexer between some sessions and a server that this test plays. */
function desk(sessions: number) {
  const toServer: Message[] = [];
  const board = makeMultiplexer((message) => void toServer.push(message as Message));
  const lines = Array.from({ length: sessions }, () => board.join()) as [Line, Line, ...Line[]];
  const heardBy = new Map<Line, Message[]>(lines.map((line) => [line, []]));
  for (const line of lines)
    line.stdout.on('data', (bytes: Buffer) => {
      const told = bytes.toString('utf8').trim().split('\n');
      heardBy.get(line)?.push(...told.map((one) => JSON.parse(one) as Message));
    });
  /** Streams hand on what they got in a later turn of the loop. */
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  const say = async (line: Line, message: Message) => {
    line.stdin.write(`${JSON.stringify(message)}\n`);
    await settled();
  };
  const onEvent = async (message: Message) => {
    board.onEvent(message);
    await settled();
  };
  const opened = async (line: Line, thread: string) => {
    await say(line, { id: 1, method: 'thread/start', params: {} });
    await onEvent({ id: toServer.at(-1)?.id ?? 0, result: { thread: { id: thread } } });
  };
  return { board, lines, toServer, say, onEvent, opened, heard: (line: Line) => heardBy.get(line) ?? [] };
}

const note = (method: string, threadId: string, more = {}): Message => ({
  method,
  params: { threadId, ...more },
});

describe('one app-server for several sessions', () => {
  it('gives every request an id of its own, and every answer back under the id it was asked with', async () => {
    const { lines, toServer, say, onEvent, heard } = desk(2);
    await say(lines[0], { id: 7, method: 'model/list', params: {} });
    await say(lines[1], { id: 7, method: 'model/list', params: {} });
    const [first, second] = toServer;
    expect(first?.id).not.toBe(second?.id);
    await onEvent({ id: second?.id ?? 0, result: 'second' });
    await onEvent({ id: first?.id ?? 0, result: 'first' });
    expect(heard(lines[0])).toEqual([{ id: 7, result: 'first' }]);
    expect(heard(lines[1])).toEqual([{ id: 7, result: 'second' }]);
  });

  it('greets the server once, and gives the answer to all, also to who came before it', async () => {
    const { lines, toServer, say, onEvent, heard } = desk(3);
    await say(lines[0], { id: 1, method: 'initialize', params: {} });
    await say(lines[1], { id: 4, method: 'initialize', params: {} });
    await onEvent({ id: toServer[0]?.id ?? 0, result: 'welcome' });
    await say(lines[2] as Line, { id: 9, method: 'initialize', params: {} });
    for (const line of lines) await say(line, { method: 'initialized' });
    expect(toServer.map(({ method }) => method)).toEqual(['initialize', 'initialized']);
    expect(lines.flatMap(heard).map(({ id, result }) => [id, result])).toEqual([
      [1, 'welcome'],
      [4, 'welcome'],
      [9, 'welcome'],
    ]);
  });

  it('tells what names a thread to the session that works in it, and what names none to all', async () => {
    const { lines, onEvent, opened, heard } = desk(2);
    await opened(lines[0], 't-1');
    await opened(lines[1], 't-2');
    await onEvent(note('turn/started', 't-2', { turn: { id: 'u-2' } }));
    await onEvent({ method: 'account/rateLimits/updated', params: { rateLimits: {} } });
    expect(heard(lines[0]).map(({ method }) => method)).toEqual([undefined, 'account/rateLimits/updated']);
    expect(heard(lines[1]).map(({ method }) => method)).toEqual([
      ...[undefined, 'turn/started', 'account/rateLimits/updated'],
    ]);
  });

  it('gives a sub-agent’s thread to the session whose turn it came from, and a request of it too', async () => {
    const { lines, onEvent, opened, heard, board, toServer, say } = desk(2);
    await opened(lines[0], 't-1');
    await opened(lines[1], 't-2');
    await onEvent(note('turn/started', 't-2', { turn: { id: 'u-2', rootTurnId: 'u-2' } }));
    await onEvent(note('turn/started', 'child', { turn: { id: 'c-1', rootTurnId: 'u-2' } }));
    await onEvent({ id: 0, ...note('item/commandExecution/requestApproval', 'child') });
    expect(heard(lines[1]).at(-1)).toMatchObject({ id: 0, params: { threadId: 'child' } });
    expect(heard(lines[0])).toHaveLength(1);
    expect(board.running(lines[1]).map(({ threadId }) => threadId)).toEqual(['t-2', 'child']);
    await say(lines[1], { id: 0, result: { decision: 'accept' } });
    expect(toServer.at(-1)).toEqual({ id: 0, result: { decision: 'accept' } });
  });

  it('refuses a request for a thread nobody works in: it must not hang, and nobody else may answer', async () => {
    const { lines, toServer, onEvent, opened, heard, board } = desk(2);
    await opened(lines[0], 't-1');
    board.leave(lines[0]);
    await onEvent({ id: 3, ...note('item/commandExecution/requestApproval', 't-1') });
    expect(toServer.at(-1)).toMatchObject({ id: 3, error: { message: 'nobody works in the thread t-1' } });
    expect(heard(lines[1])).toEqual([]);
  });

  it('lets one session at a time work in a thread', async () => {
    const { lines, toServer, say, opened, heard, board } = desk(2);
    await opened(lines[0], 't-1');
    const resume = { id: 5, method: 'thread/resume', params: { threadId: 't-1' } };
    await say(lines[1], resume);
    expect(heard(lines[1]).at(-1)).toMatchObject({ id: 5, error: { code: -32_600 } });
    board.leave(lines[0]);
    await say(lines[1], resume);
    expect(toServer.at(-1)).toMatchObject({ method: 'thread/resume' });
  });
});
