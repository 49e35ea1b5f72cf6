import { AgentFailure } from '../../../contract/index.ts';
import { RpcRefusal } from './connection.ts';
import { unreadable } from './meaning.ts';
import { type CodexState, rowOf } from './state.ts';
import type { Wire } from './wire.ts';

/** How long an acknowledged turn may take to begin: until then an interrupt is refused and the turn runs on. */
const beginMs = 5_000;

/**
 * Ends a running turn and resolves once the server reported its end. This must be a loop: the server refuses an
 * interrupt that comes before the turn has begun, and may never answer a second one.
 */
export async function interruptTurn(wire: Wire, threadId: string, turn: string): Promise<void> {
  const runs = (state: CodexState) => state.active?.turn === turn;
  const isOver = (state: CodexState) => !runs(state) && rowOf(state.dispatches, turn) === undefined;
  if (isOver(wire.state())) return;
  await wire.until((state) => runs(state) || isOver(state), beginMs);

  const deadline = performance.now() + wire.waits.interruptTotalMs;
  let refusal = 'no answer';
  while (!isOver(wire.state()) && performance.now() < deadline) {
    const turnId = wire.state().active?.native ?? turn;
    const tried = wire.connection
      .request('turn/interrupt', { threadId, turnId }, wire.waits.interruptTryMs)
      .then(() => 'no end followed')
      .catch((error: unknown) => {
        // Refused or unanswered: the loop tries again. A dead process ends the loop.
        if (error instanceof RpcRefusal) return error.message;
        if (error instanceof AgentFailure && error.failure.kind === 'silent') return error.message;
        throw error;
      });
    const ended = wire.until(isOver, wire.waits.interruptTryMs);
    await Promise.race([ended, tried.then((why) => (refusal = why))]);
    if (await ended) break;
  }
  if (!isOver(wire.state())) {
    throw new AgentFailure({
      kind: 'silent',
      message: `Codex did not end the turn: ${refusal}`.slice(0, 2_000),
    });
  }
  await endCommands(wire, threadId);
}

/** An interrupt leaves the interrupted command running in the background: a person expects it to end. */
async function endCommands(wire: Wire, threadId: string): Promise<void> {
  try {
    await wire.connection.request(
      'thread/backgroundTerminals/clean',
      { threadId },
      wire.waits.interruptTryMs,
    );
  } catch (error) {
    const because = `commands of the interrupted turn may still run: ${(error as Error).message}`;
    for (const { event, body } of unreadable(because, '').events ?? []) wire.onEvent(event, body);
  }
}
