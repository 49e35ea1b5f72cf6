const unitMs: Record<string, number> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds of a duration as written (`1h30m`, or a number that already counts them), rounded; undefined when it is none. */
export function durationMs(written: string | number): number | undefined {
  if (typeof written === 'number') return written;
  if (!/^(?:\d+(?:\.\d+)?(?:ms|s|m|h|d))+$/.test(written)) return undefined;
  let total = 0;
  for (const [, count, unit] of written.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)) {
    total += Number(count) * (unitMs[unit ?? ''] ?? Number.NaN);
  }
  const ms = Math.round(total);
  return ms >= 1 && Number.isSafeInteger(ms) ? ms : undefined;
}

/** A duration as a person would write it: 5400000 is `1h30m`. */
export function durationWords(ms: number): string {
  const parts: string[] = [];
  let rest = Math.round(ms);
  for (const [unit, size] of Object.entries(unitMs).reverse()) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) parts.push(`${count}${unit}`);
  }
  return parts.join('') || '0ms';
}

/**
 * Wall time in ms of a moment as written. A clock time means its next occurrence on this machine's clock, also across
 * a change to or from summer time; a date without zone is local. Undefined when there is no such moment.
 */
export function momentAt(written: string, nowAt: number): number | undefined {
  const clock = /^(\d{1,2}):(\d\d)$/.exec(written);
  if (clock) return nextClockTime(Number(clock[1]), Number(clock[2]), nowAt);
  const date = /^(\d{4})-(\d\d)-(\d\d)[T ](.+)$/.exec(written);
  if (!date) return undefined;
  const [, year, month, day, time] = date;
  // Date rolls February 30 over into March: such a day does not exist, and the person meant another.
  const days = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  if (Number(month) < 1 || Number(month) > 12 || Number(day) < 1 || Number(day) > days) return undefined;
  const at = Date.parse(`${year}-${month}-${day}T${time}`);
  return Number.isNaN(at) ? undefined : at;
}

function nextClockTime(hours: number, minutes: number, nowAt: number): number | undefined {
  if (hours > 23 || minutes > 59) return undefined;
  const now = new Date(nowAt);
  const onDay = (day: number) =>
    new Date(now.getFullYear(), now.getMonth(), now.getDate() + day, hours, minutes).getTime();
  return onDay(0) > nowAt ? onDay(0) : onDay(1);
}
