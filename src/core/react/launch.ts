import type { Effect } from '../../contract/index.ts';
import type { Run } from '../run.ts';

/** Is an effect of this type under way? */
export const isUnderWay = (run: Run, type: Effect['type']): boolean =>
  run.pending.some((effect) => effect.type === type);

/** Session, slot and tree are there and nobody else is at work: the decided turn could start now. */
export const isLaunchReady = ({ launch, session, foreign, turn }: Run): boolean =>
  launch?.slot === true &&
  launch.tree &&
  session?.open === true &&
  !session.stale &&
  !session.lost &&
  foreign === null &&
  turn === null;

/** Ends the old conversation and opens a new one; a session that is still open is closed first, or renewed where it can be. */
export function openFresh(run: Run): readonly Effect[] {
  const { session } = run;
  if (run.agent.renews === true && session !== null)
    return session.open ? [{ type: 'session-renew', session: session.id }] : openSession(run);
  if (session?.open !== true) return openSession({ ...run, session: null });
  return [{ type: 'session-close', session: session.id, because: 'its cycle is over' }];
}

/** What opens the session, unless it is open, on its way, or still being closed: two processes never share one. */
export function openSession(run: Run): readonly Effect[] {
  if (run.session?.open === true || isUnderWay(run, 'session-open') || isUnderWay(run, 'session-close'))
    return [];
  const resume = run.agent.resumes ? run.session?.id : undefined;
  return [resume === undefined ? { type: 'session-open' } : { type: 'session-open', resume }];
}

/** A fresh context where one is due, once nobody else is at work in the session. */
export const renewSession = (run: Run): readonly Effect[] =>
  run.session?.open === true && run.session.stale && run.foreign === null && !isUnderWay(run, 'session-renew')
    ? [{ type: 'session-renew', session: run.session.id }]
    : [];
