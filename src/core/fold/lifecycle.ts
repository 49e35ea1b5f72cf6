import type { RunState, Waiting } from '../../contract/index.ts';
import { BrokenInvariant, must } from '../must.ts';
import { type Run, without } from '../run.ts';

/** Which state may follow which. Terminal states have no way out; a rerun has a new id. */
export const edges: Readonly<Record<RunState, readonly RunState[]>> = {
  ready: ['deciding', 'verifying', 'waiting', 'paused', 'stopped', 'failed'],
  running: ['deciding', 'waiting'],
  deciding: ['running', 'waiting', 'verifying', 'paused', 'done', 'stopped', 'failed'],
  verifying: ['deciding'],
  waiting: ['running', 'deciding', 'paused'],
  paused: ['deciding'],
  done: [],
  stopped: [],
  failed: [],
};

export interface Moved {
  readonly because: string;
  readonly waiting?: Waiting | null;
  readonly cause?: string | null;
}

/** The only way a run changes state. Staying where it is, with a new reason, is allowed outside terminal states. */
export function move(run: Run, to: RunState, { because, waiting = null, cause = null }: Moved): Run {
  const isLegal = edges[run.state].includes(to) || (run.state === to && edges[to].length > 0);
  if (!isLegal) must(false, `illegal move ${run.state} → ${to}`);
  if (to === 'waiting' && waiting !== null) return { ...run, state: to, because, waiting, cause };
  if (to !== 'waiting' && waiting === null) return { ...run, state: to, because, waiting, cause };
  throw new BrokenInvariant(`${to} and waiting must go together`);
}

/** The turn in flight is asked to end; the first reason stays. */
export const interrupted = (run: Run, endAs: 'overlong' | 'person' | 'cycle'): Run =>
  run.turn === null
    ? run
    : {
        ...run,
        turn: { ...run.turn, interrupt: run.turn.interrupt ?? 'wanted', endAs: run.turn.endAs ?? endAs },
      };

/** Nothing runs beside the turns any more: a run that waited for it goes on, and what was proven before is proven again. */
export function backgroundOver(run: Run): Run {
  const next: Run = run.background.length === 0 ? run : { ...run, background: [] };
  if (run.state !== 'waiting' || run.waiting?.on !== 'background') return next;
  const because = 'the background work has ended';
  return move({ ...next, proof: null, timers: without(run.timers, 'wait') }, 'deciding', { because });
}
