import { jsonLines } from '../shared/frames.ts';
import { type ChildOptions, type Exit, type StartedChild, startChild } from '../shared/process.ts';
import { ignoreBrokenPipe } from './connection.ts';
import { type Line, type Multiplexer, makeMultiplexer } from './multiplexer.ts';

/** How long the turns of a closing session may take to end before the whole server is ended. */
const quietMs = 5_000;
const lookMs = 20;
const looksPerTry = 25;

export type StartChild = typeof startChild;

interface Host {
  readonly child: StartedChild;
  readonly multiplexer: Multiplexer;
  readonly lines: Map<Line, (exit: Exit) => void>;
  /** No new sessions are accepted. */
  isOver: boolean;
  readonly over: () => void;
}

/**
 * One app-server for several sessions: pass `start` to each agent. The process starts with the first session, in the
 * folder and with the environment given here, and ends with the last. A closing session ends its turns and the commands
 * they left; if they do not end, the server is ended, and the other sessions see it exit.
 */
export function codexServer(options: Omit<ChildOptions, 'command'> & { command?: ChildOptions['command'] }): {
  readonly start: StartChild;
} {
  let host: Promise<Host> | null = null;
  const begin = async (recorded: (pid: number) => Promise<void>): Promise<Host> => {
    const command = [...(options.command ?? (['codex'] as const)), 'app-server'] as const;
    const child = await startChild({ ...options, command: command as ChildOptions['command'] }, recorded);
    return serve(child, () => {
      host = null;
    });
  };
  const start: StartChild = async (_alone, recorded) => {
    const isFirst = host === null;
    host ??= begin(recorded).catch((error: unknown) => {
      host = null;
      throw error;
    });
    const shared = await host;
    if (!isFirst) await recorded(shared.child.pid);
    return shared.isOver ? start(_alone, recorded) : sessionOf(shared);
  };
  return { start };
}

function serve(child: StartedChild, over: () => void): Host {
  const { stdin, stdout, stderr } = child.streams;
  const multiplexer = makeMultiplexer((message) => {
    if (stdin.writable) stdin.write(`${JSON.stringify(message)}\n`);
  });
  const host: Host = { child, multiplexer, lines: new Map(), isOver: false, over };
  const framer = jsonLines();
  stdout.on('data', (bytes: Buffer) => {
    for (const frame of framer.push(bytes))
      if ('value' in frame) multiplexer.onEvent(frame.value);
      else for (const { stdout: out } of host.lines.keys()) out.write(`${frame.unreadable}\n`);
  });
  stdout.once('end', () => {
    for (const line of host.lines.keys()) line.stdout.end();
  });
  stderr.on('data', (bytes: Buffer) => {
    for (const line of host.lines.keys()) line.stderr.write(bytes);
  });
  ignoreBrokenPipe(stdin);
  void child.exited.then((exit) => {
    host.isOver = true;
    over();
    for (const onExit of host.lines.values()) onExit(exit);
  });
  return host;
}

/** One session's view of the server: it looks like a process of its own. */
function sessionOf(host: Host): StartedChild {
  const { child, multiplexer, lines } = host;
  const line = multiplexer.join();
  const exited = new Promise<Exit>((resolve) => lines.set(line, resolve));
  const leave = (): void => {
    multiplexer.leave(line);
    lines.get(line)?.({ code: 0, signal: null });
    lines.delete(line);
    line.stdout.end();
  };
  return {
    pid: child.pid,
    streams: line as unknown as StartedChild['streams'],
    exited,
    async end(graceMs) {
      if (!lines.has(line)) return [];
      if (lines.size === 1 && !host.isOver) {
        host.isOver = true;
        host.over();
      }
      if (host.isOver) return child.end(graceMs);
      const isQuiet = await quieten(multiplexer, line);
      leave();
      // Sessions that closed at the same time each saw another one still open.
      if (lines.size === 0 && !host.isOver) {
        host.isOver = true;
        host.over();
      } else if (isQuiet) return [];
      return child.end(graceMs);
    },
  };
}

/** Ends the turns of a line and what they left in the background. False when they did not end in time. */
async function quieten(multiplexer: Multiplexer, line: Line): Promise<boolean> {
  const until = performance.now() + quietMs;
  // Refused before the turn has begun, and a second one may never be answered: do not wait for the answer.
  for (let looks = 0; multiplexer.running(line).length > 0; looks++) {
    if (performance.now() > until) return false;
    if (looks % looksPerTry === 0)
      for (const running of multiplexer.running(line)) void multiplexer.ask('turn/interrupt', running);
    await new Promise((resolve) => setTimeout(resolve, lookMs));
  }
  const left = new Promise((resolve) => setTimeout(resolve, quietMs).unref());
  for (const threadId of multiplexer.threads(line)) {
    await Promise.race([multiplexer.ask('thread/backgroundTerminals/clean', { threadId }), left]);
    await Promise.race([multiplexer.ask('thread/unsubscribe', { threadId }), left]);
  }
  return true;
}
