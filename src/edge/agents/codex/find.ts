import type { FoundTurn } from '../../../contract/index.ts';
import { RpcRefusal } from './connection.ts';
import { failureOf } from './failures.ts';
import { itemSchema, type Turn, turnsPageSchema } from './native.ts';
import { messageIn } from './turns.ts';
import type { Wire } from './wire.ts';

/** Whole turns are large, and the one in doubt is among the last. */
const turnsPerPage = 10;
const pagesMax = 5;

/**
 * Did a prompt with this dispatch id reach the thread? Searches the newest turns, as the server has them on disk. Absent
 * means not among the last ones; a prompt in doubt was always the last thing we sent.
 */
export async function findDispatch(wire: Wire, threadId: string, dispatch: string): Promise<FoundTurn> {
  let cursor: string | null | undefined;
  for (let page = 0; page < pagesMax; page++) {
    const params = { threadId, limit: turnsPerPage, itemsView: 'full', cursor: cursor || undefined };
    const answer = await pageOf(wire, params);
    if (answer === 'no turn yet') return { found: 'absent' };
    const turns = turnsPageSchema.safeParse(answer);
    if (!turns.success) return { found: 'unknown' };
    const turn = turns.data.data.find((one) => isFrom(one, dispatch));
    if (turn) return foundIn(turn);
    cursor = turns.data.nextCursor;
    if (!cursor) break;
  }
  return { found: 'absent' };
}

/** A thread that never got a prompt has no list of turns, and the server refuses the request. */
async function pageOf(wire: Wire, params: object): Promise<unknown> {
  try {
    return await wire.connection.request('thread/turns/list', params, wire.waits.requestMs);
  } catch (error) {
    if (error instanceof RpcRefusal && error.message.includes('before first user message'))
      return 'no turn yet';
    throw error;
  }
}

function isFrom(turn: Turn, dispatch: string): boolean {
  return (turn.items ?? []).some((raw) => {
    const item = itemSchema.safeParse(raw);
    return item.success && item.data.type === 'userMessage' && item.data.clientId === dispatch;
  });
}

function foundIn(turn: Turn): FoundTurn {
  const text = messageIn(turn);
  const message = text === undefined ? undefined : { text };
  switch (turn.status) {
    case 'inProgress':
      return { found: 'running', turn: turn.id };
    case 'completed':
    case 'interrupted':
      return { found: 'ended', turn: turn.id, status: turn.status, message };
    case 'failed':
      return {
        found: 'ended',
        turn: turn.id,
        status: 'failed',
        failure: failureOf(turn.error, null, undefined),
        message,
      };
    default:
      return { found: 'unknown' };
  }
}
