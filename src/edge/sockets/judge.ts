import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { type AgentAnswer, type AgentEvent, actionSchema, hookRequestPrefix } from '../../contract/index.ts';
import type { Caller } from './serve.ts';

const askedSchema = z.strictObject({
  action: actionSchema.omit({ digest: true }),
  deadlineMs: z.number().int().min(1).max(86_400_000),
});

/** What a hook or plugin may do with the action it asked about. */
export interface HookVerdict {
  readonly verdict: 'allow' | 'deny';
  readonly because: string;
}

/** Where in the run an action is about to happen. */
export interface Place {
  readonly session: string;
  readonly turn: string;
}

export interface HookJudge {
  /** The verdict on an action, or a denial when the deadline is over: the caller's host may let it through otherwise. */
  judge(params: unknown, caller: Pick<Caller, 'signal'>): Promise<HookVerdict>;
  /** Gives an answer to whoever waits for it. False when nobody does: an approval then waits for the same action. */
  deliver(request: string, answer: AgentAnswer): boolean;
}

/** Judges actions that hooks and plugins of a run ask about, through the run itself. */
export function makeHookJudge(
  place: () => Promise<Place | null>,
  put: (event: AgentEvent) => void,
): HookJudge {
  const waiting = new Map<string, (verdict: HookVerdict) => void>();
  return {
    async judge(params, { signal }) {
      const asked = askedSchema.safeParse(params);
      if (!asked.success) return deny(`the request cannot be read: ${z.prettifyError(asked.error)}`);
      const at = await place();
      if (at === null) return deny('no turn of this run is under way');
      const request = `${hookRequestPrefix}${randomBytes(8).toString('hex')}`;
      const { action, deadlineMs } = asked.data;
      const { promise, resolve } = Promise.withResolvers<HookVerdict>();
      const late = setTimeout(
        () => resolve(deny('nobody answered before the deadline; the question stays open, ask again later')),
        deadlineMs,
      );
      const gone = (): void => resolve(deny('cancelled'));
      signal.addEventListener('abort', gone, { once: true });
      waiting.set(request, resolve);
      put({ type: 'approval-asked', ...at, request, action: { ...action, digest: digestOf(action) } });
      try {
        return await promise;
      } finally {
        clearTimeout(late);
        waiting.delete(request);
        signal.removeEventListener('abort', gone);
      }
    },
    deliver(request, { answer, because }) {
      const answered = waiting.get(request);
      answered?.({ verdict: answer === 'approve' ? 'allow' : 'deny', because });
      return answered !== undefined;
    },
  };
}

const deny = (because: string): HookVerdict => ({ verdict: 'deny', because });

const digestOf = (action: unknown): string =>
  createHash('sha256').update(JSON.stringify(action)).digest('hex');
