import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type AgentEvent,
  AgentFailure,
  type EventOf,
  type Failure,
  ModelFailure,
  type Usage,
} from '../../../contract/index.ts';
import { type Asked, type Model, modelNameOf, type Said } from '../../models/model.ts';
import type { ModelSite } from '../kind.ts';
import { startChild } from '../shared/process.ts';
import { RpcRefusal } from './connection.ts';
import { listen } from './drive.ts';
import { hello } from './open.ts';
import { defaultWaits } from './options.ts';
import type { Wire } from './wire.ts';

interface CodexModelOptions extends Omit<ModelSite, 'setup'> {
  readonly command: readonly [string, ...string[]];
}

const waits = { ...defaultWaits, graceMs: 500 };

/**
 * Codex as a decision model, with the person's own login: one turn on an ephemeral thread, in an empty folder,
 * read-only. Its process ends with the answer, or when aborted.
 */
export function codexModel(written: string, options: CodexModelOptions): Model {
  return {
    name: written,
    async answer(asked, signal) {
      const folder = await mkdtemp(join(tmpdir(), 'tireless-advice-'));
      try {
        return await answerIn(folder, written, asked, options, signal);
      } finally {
        await rm(folder, { recursive: true, force: true, maxRetries: 3 });
      }
    },
  };
}

async function answerIn(
  cwd: string,
  written: string,
  asked: Asked,
  options: CodexModelOptions,
  signal: AbortSignal,
): Promise<Said> {
  const [program, ...args] = options.command;
  const child = await startChild(
    { command: [program, ...args, 'app-server'], cwd, env: { ...options.env, TIRELESS_RUN: options.run } },
    options.childStarted,
  ).catch((error: Error) => {
    throw new ModelFailure({
      kind: 'setup',
      message: `${written}: ${program} does not start: ${error.message}`,
    });
  });
  const listener = makeListener();
  const wire = listen(
    child,
    { onEvent: listener.onEvent, onLive: () => undefined, onChildStarted: async () => {} },
    waits,
    null,
  );
  const end = (): void => void child.end(0);
  signal.addEventListener('abort', end, { once: true });
  try {
    const gone = wire.connection.gone.then((failure) => Promise.reject(new ModelFailure(failure)));
    const answer = startTurn(wire, cwd, modelNameOf(written).model, asked).then(() => listener.answer);
    return await Promise.race([answer, gone]);
  } catch (error) {
    throw failureOf(error, written, listener.usage());
  } finally {
    signal.removeEventListener('abort', end);
    await child.end(waits.graceMs);
  }
}

async function startTurn(wire: Wire, cwd: string, model: string, asked: Asked): Promise<void> {
  const { connection, state } = wire;
  await hello(wire, '0');
  await connection.request(
    'thread/start',
    {
      cwd,
      ephemeral: true,
      approvalPolicy: 'never',
      sandbox: 'read-only',
      model: model || undefined,
      developerInstructions: `${asked.instructions}\nUse no tool: everything you need is in the message.`,
      config: { 'features.goals': false, 'features.unbounded_connection_retries': false },
    },
    waits.openMs,
  );
  const { session, policy } = state();
  if (session === null) throw new ModelFailure({ kind: 'setup', message: 'Codex answered without a thread' });
  if (policy?.sandbox === 'dangerFullAccess')
    throw new ModelFailure({ kind: 'setup', message: 'Codex would answer without a sandbox' });
  await connection.request(
    'turn/start',
    {
      threadId: session,
      input: [{ type: 'text', text: asked.prompt, text_elements: [] }],
      outputSchema: asked.isPlain ? undefined : asked.schema,
    },
    waits.requestMs,
  );
}

interface Listener {
  onEvent(event: AgentEvent): void;
  readonly answer: Promise<Said>;
  usage(): Usage | undefined;
}

/** Listens until the turn ends. A request instead of an answer is a failure. */
function makeListener(): Listener {
  let usage: Usage | undefined;
  const { promise, resolve, reject } = Promise.withResolvers<Said>();
  // It may settle before anybody awaits it.
  promise.catch(() => undefined);
  return {
    answer: promise,
    usage: () => usage,
    onEvent(event) {
      if (event.type === 'usage-reported') usage = event.usage;
      else if (event.type === 'turn-ended') {
        const failure = failureIn(event);
        if (failure === null) resolve({ text: event.message?.text ?? '', usage });
        else reject(new ModelFailure(failure, usage));
      } else if (event.type === 'approval-asked' || event.type === 'input-asked')
        reject(
          new ModelFailure({ kind: 'refused', message: 'Codex asked back instead of answering' }, usage),
        );
    },
  };
}

function failureIn({ status, failure }: EventOf<'turn-ended'>): Failure | null {
  if (status === 'completed') return null;
  return failure ?? { kind: 'other', message: `the turn was ${status}` };
}

function failureOf(error: unknown, written: string, usage: Usage | undefined): ModelFailure {
  if (error instanceof ModelFailure) return error;
  if (error instanceof AgentFailure) return new ModelFailure(error.failure, usage);
  const message = `${written}: ${error instanceof Error ? error.message : String(error)}`.slice(0, 2_000);
  return new ModelFailure({ kind: error instanceof RpcRefusal ? 'refused' : 'other', message }, usage);
}
