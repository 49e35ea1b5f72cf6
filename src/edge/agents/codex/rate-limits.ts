import { AgentFailure } from '../../../contract/index.ts';
import { RpcRefusal } from './connection.ts';
import type { Meaning } from './meaning.ts';
import type { RateLimits } from './native.ts';
import type { CodexState } from './state.ts';
import type { Wire } from './wire.ts';

/** The account's limits as the server reports them. A reached limit is reported when it changes. */
export function limitsReported(state: CodexState, reported: RateLimits, session: string): Meaning {
  const limits = mergeLimits(state.limits, reported);
  const because = limitReached(limits);
  const resetAt = resetOf(limits) ?? null;
  const limitTold = because === undefined ? null : `${because} ${resetAt}`;
  const next: CodexState = { ...state, limits, limitTold };
  if (because === undefined || limitTold === state.limitTold) return { state: next };
  return {
    state: next,
    events: [{ event: { type: 'limit-seen', session, resetAt, because: because.slice(0, 500) } }],
  };
}

/**
 * Asks the account when an exhausted limit resets; the answer is translated like any other frame. Without an account (an
 * API key has none) the run has to probe.
 */
export async function askLimits(wire: Wire): Promise<void> {
  try {
    await wire.connection.request('account/rateLimits/read', {}, wire.waits.requestMs);
  } catch (error) {
    if (!(error instanceof RpcRefusal) && !(error instanceof AgentFailure)) throw error;
  }
}

/** When all exhausted limits have reset, in ms; undefined when none is exhausted or it is unknown. */
export function resetOf(limits: RateLimits | null): number | undefined {
  const resets = exhaustedWindows(limits).map((window) => window.resetsAt ?? Number.NaN);
  if (limits?.spendControlReached && limits.individualLimit?.resetsAt)
    resets.push(limits.individualLimit.resetsAt);
  const latest = Math.max(...resets);
  return resets.length > 0 && Number.isFinite(latest) ? latest * 1_000 : undefined;
}

/** Why the account is blocked, or undefined if it is not. */
function limitReached(limits: RateLimits): string | undefined {
  if (limits.rateLimitReachedType) return limits.rateLimitReachedType;
  if (limits.spendControlReached) return 'spend control reached';
  if (limits.credits?.hasCredits || limits.credits?.unlimited) return undefined;
  return exhaustedWindows(limits).length > 0 ? `${limits.limitName ?? 'usage'} limit is used up` : undefined;
}

function exhaustedWindows(limits: RateLimits | null) {
  return [limits?.primary, limits?.secondary].filter(
    (window) => window != null && (window.usedPercent ?? 0) >= 100,
  ) as { resetsAt?: number | null }[];
}

/**
 * An update is sparse: what it leaves out keeps its last value. "Reached" counts only together with the windows it
 * belongs to, or it would stay reached for ever.
 */
function mergeLimits(before: RateLimits | null, update: RateLimits): RateLimits {
  const reported = Object.fromEntries(Object.entries(update).filter(([, value]) => value != null));
  const hasWindows = update.primary != null || update.secondary != null;
  const stale = hasWindows ? { rateLimitReachedType: null, spendControlReached: null } : {};
  return { ...before, ...stale, ...reported };
}
