import type { Usage } from '../../contract/index.ts';
import { bounds } from '../bounds.ts';
import type { Run } from '../run.ts';

type Bill = { readonly tokens: number | null; readonly money: number | null };

const add = (a: number | null, b: number | null): number | null => (a === null ? b : b === null ? a : a + b);
/** What a cumulative counter grew by. A counter that went back belongs to a new count: it counts whole. */
const grown = (before: number | null, now: number | null): number | null =>
  now === null ? null : before === null || now < before ? now : now - before;

/** Bills a session's cumulative usage. Repeated reports add nothing; a part never told stays unknown, not 0. */
export function bill(usage: Run['usage'], session: string, reported: Usage): Run['usage'] {
  const before: Bill = usage.bySession[session] ?? { tokens: null, money: null };
  const now: Bill = { tokens: reported.totalTokens ?? before.tokens, money: reported.money ?? before.money };
  const bySession: Record<string, Bill> = { ...usage.bySession, [session]: now };
  const oldest = Object.keys(bySession);
  if (oldest.length > bounds.sessionsMax) delete bySession[oldest[0] as string];
  return {
    tokens: add(usage.tokens, reported.totalTokens === undefined ? null : grown(before.tokens, now.tokens)),
    money: add(usage.money, reported.money === undefined ? null : grown(before.money, now.money)),
    bySession,
  };
}

/** Bills a single call, for what is not told cumulatively. */
export function billMore(usage: Run['usage'], session: string, more: Usage): Run['usage'] {
  const before = usage.bySession[session];
  return bill(usage, session, {
    totalTokens: more.totalTokens === undefined ? undefined : (before?.tokens ?? 0) + more.totalTokens,
    money: more.money === undefined ? undefined : (before?.money ?? 0) + more.money,
  });
}

/** What another turn would take: the mean of the last few, or null when nothing is known. */
export function expectedOfTurn(run: Run, part: 'tokens' | 'money' | 'activeMs'): number | null {
  const known = run.recentTurns.map((t) => t[part]).filter((n): n is number => n !== null);
  return known.length === 0 ? null : known.reduce((a, b) => a + b, 0) / known.length;
}
