export const bandKinds = [
  'working',
  'checking',
  'deciding',
  'waiting-person',
  'waiting-world',
  'paused',
  'asleep',
  'unkept',
] as const;
/** `unkept`: no process held the run, so nothing could happen. */
export type BandKind = (typeof bandKinds)[number];

/** A stretch of wall time and what it went into. */
export interface Band {
  readonly kind: BandKind;
  readonly from: number;
  readonly to: number;
}

/** One turn, or several merged where there are too many to draw. */
export interface Point {
  readonly fromTurn: number;
  readonly toTurn: number;
  readonly at: number;
  readonly tokens: number | null;
  readonly money: number | null;
  readonly durationMs: number;
  /** Turns among them that left a result. */
  readonly changed: number;
  readonly failed: number;
  readonly plan: { readonly done: number; readonly total: number } | null;
}

const add = (a: number | null, b: number | null): number | null => (a === null ? b : b === null ? a : a + b);

/** Points to draw. Beyond the bound neighbours are merged in pairs, so each point always stands for as many turns. */
export function mergedPoints(pointsMax: number): { add(point: Point): void; end(): readonly Point[] } {
  let points: Point[] = [];
  let width = 1;
  let filling = 0;
  return {
    add(point) {
      const last = points.at(-1);
      if (filling > 0 && last !== undefined) points[points.length - 1] = joined(last, point);
      else points.push(point);
      filling = (filling + 1) % width;
      if (points.length < pointsMax || filling > 0) return;
      points = pairs(points, joined);
      width *= 2;
    },
    end: () => points,
  };
}

const joined = (a: Point, b: Point): Point => ({
  fromTurn: a.fromTurn,
  toTurn: b.toTurn,
  at: b.at,
  plan: b.plan ?? a.plan,
  tokens: add(a.tokens, b.tokens),
  money: add(a.money, b.money),
  durationMs: a.durationMs + b.durationMs,
  changed: a.changed + b.changed,
  failed: a.failed + b.failed,
});

/** Bands to draw. Beyond the bound each pair becomes one band of the kind that took longer. */
export function mergedBands(bandsMax: number): { add(band: Band): void; end(): readonly Band[] } {
  let bands: Band[] = [];
  return {
    add(band) {
      const last = bands.at(-1);
      if (band.to <= band.from) return;
      if (last?.kind === band.kind && last.to === band.from)
        bands[bands.length - 1] = { ...last, to: band.to };
      else bands.push(band);
      if (bands.length > bandsMax) bands = pairs(bands, longer);
    },
    end: () => bands,
  };
}

const longer = (a: Band, b: Band): Band => ({
  kind: b.to - b.from > a.to - a.from ? b.kind : a.kind,
  from: a.from,
  to: b.to,
});

function pairs<T>(list: readonly T[], join: (a: T, b: T) => T): T[] {
  const out: T[] = [];
  for (let i = 0; i < list.length; i += 2) {
    const [a, b] = [list[i] as T, list[i + 1]];
    out.push(b === undefined ? a : join(a, b));
  }
  return out;
}
