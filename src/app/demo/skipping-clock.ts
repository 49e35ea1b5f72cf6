import type { Clock } from '../../contract/index.ts';
import { makeClock } from '../../edge/clock.ts';

export interface SkippingClock extends Clock {
  /** Moves wall and monotonic time ahead; what comes due by that rings at once. */
  skip(ms: number): void;
}

/** Real time plus what was skipped, so that an hour's wait can be shown in a second. `aheadMs`: skipped already. */
export function makeSkippingClock(aheadMs = 0): SkippingClock {
  const waking = new Map<NodeJS.Timeout, () => void>();
  let skippedMs = Math.max(0, Math.round(aheadMs));
  const clock = makeClock({
    wall: () => Date.now() + skippedMs,
    monoNs: () => process.hrtime.bigint() + BigInt(skippedMs) * 1_000_000n,
    wakeAfter(ms, wake) {
      const timer = setTimeout(() => {
        waking.delete(timer);
        wake();
      }, ms);
      waking.set(timer, wake);
      return () => {
        clearTimeout(timer);
        waking.delete(timer);
      };
    },
  });
  return {
    ...clock,
    skip(ms) {
      skippedMs += Math.max(0, Math.round(ms));
      // Each looks at the clock again, and waits on when its time has not come.
      for (const [timer, wake] of [...waking]) {
        clearTimeout(timer);
        if (waking.delete(timer)) wake();
      }
    },
  };
}
