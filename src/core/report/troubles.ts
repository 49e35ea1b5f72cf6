import type { Entry } from '../../contract/index.ts';
import { cut, tallied } from './excerpt.ts';
import { pick } from './public.ts';
import { reportBounds as max } from './report-bounds.ts';
import type { Seen, Watch } from './seen.ts';

export interface Troubles {
  readonly failures: readonly {
    readonly kind: string;
    readonly times: number;
    readonly lastAt: number;
    readonly lastMessage: string;
  }[];
  readonly retriedErrors: number;
  readonly compactions: number;
  readonly lostSessions: number;
  readonly keepers: number;
  /** Turns that were in doubt after a crash of ours. */
  readonly recoveries: number;
  readonly sleeps: { readonly times: number; readonly ms: number };
  readonly foreignTurns: number;
  /** Heard too late to change anything, by event; our own shutdowns are not counted. */
  readonly late: readonly { readonly name: string; readonly times: number }[];
  readonly unreadable: { readonly times: number; readonly samples: readonly string[] };
}

type TroublesSeen = Omit<Troubles, 'foreignTurns'>;
type Failures = Map<string, { times: number; lastAt: number; lastMessage: string }>;

/** Counts what went wrong around the work: failures, crashes, sleeps, and what nobody could read. */
export function watchTroubles(): Watch<TroublesSeen> {
  const failures: Failures = new Map();
  const late = tallied(max.rulesMax);
  const samples: string[] = [];
  const counts = { retriedErrors: 0, compactions: 0, lostSessions: 0, keepers: 0, recoveries: 0 };
  const sleeps = { times: 0, ms: 0 };
  let unreadable = 0;

  const stamped = ({ before, entry: { event } }: Seen): void => {
    switch (event.type) {
      case 'keeper-started':
        counts.keepers += 1;
        if (before?.turn != null || before?.steering != null) counts.recoveries += 1;
        break;
      case 'error-seen':
        if (event.willRetry) counts.retriedErrors += 1;
        break;
      case 'compaction-seen':
        counts.compactions += 1;
        break;
      case 'session-ended':
        counts.lostSessions += 1;
        break;
      case 'sleep-detected':
        sleeps.times += 1;
        sleeps.ms += event.sleptMs;
        break;
      case 'unreadable':
        unreadable += 1;
        if (samples.length < max.samplesMax)
          samples.push(cut(`${event.source}: ${event.because}`, max.labelCharsMax));
        break;
    }
  };
  return {
    see(seen) {
      const { before, run, entry } = seen;
      if (entry.late === true) {
        if (!isShutdown(entry)) late.add(entry.event.type);
        return;
      }
      stamped(seen);
      if (run.last !== before?.last && isNewEnd(seen)) noteFailure(failures, seen);
    },
    end: () => ({
      failures: [...failures].map(([kind, one]) => ({ kind, ...one })).sort((a, b) => b.times - a.times),
      ...counts,
      sleeps,
      late: late.end(),
      unreadable: { times: unreadable, samples },
    }),
  };
}

/** What our own shutdown leaves behind after the end. */
const isShutdown = ({ event }: Entry): boolean =>
  event.type === 'keeper-ended' ||
  (event.type === 'effect-ended' && ['notify', 'session-close', 'gate-open'].includes(event.outcome.of));

/** A turn, or the attempt at one, ended here. A wait that was served also touches `last`, and ends nothing. */
const isNewEnd = ({ before, run }: Seen): boolean =>
  (before?.turn != null && run.turn === null) || (before?.launch != null && run.launch === null);

function noteFailure(failures: Failures, { run }: Seen): void {
  const failure = run.last?.status === 'failed' ? run.last.failure : null;
  if (failure === null || failure === undefined) return;
  const lastMessage = cut(failure.message, max.labelCharsMax);
  failures.set(failure.kind, {
    times: (failures.get(failure.kind)?.times ?? 0) + 1,
    lastAt: run.at,
    lastMessage,
  });
}

export const publicTroubles = (troubles: Troubles): Troubles => ({
  failures: troubles.failures.map((one) => ({ ...pick(one, 'kind', 'times', 'lastAt'), lastMessage: '' })),
  ...pick(troubles, 'retriedErrors', 'compactions', 'lostSessions', 'keepers', 'recoveries', 'sleeps'),
  ...pick(troubles, 'foreignTurns', 'late'),
  unreadable: { times: troubles.unreadable.times, samples: [] },
});
