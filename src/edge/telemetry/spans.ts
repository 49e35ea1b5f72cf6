import { createHash } from 'node:crypto';
import type { CheckResult, Entry } from '../../contract/index.ts';

/** The kind of the value is its name: `stringValue`, `intValue`, `doubleValue` or `boolValue`. */
interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, string | number | boolean>>;
}

interface SpanEvent {
  readonly timeUnixNano: string;
  readonly name: string;
  readonly attributes: readonly Attribute[];
}

/** A span in the JSON form of OTLP: ids in hex, times in nanoseconds as text. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: 1;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly Attribute[];
  readonly events?: readonly SpanEvent[];
  readonly droppedEventsCount?: number;
  /** 0 unset, 1 ok, 2 error. */
  readonly status: { readonly code: 0 | 1 | 2; readonly message?: string };
}

/** As many events as OpenTelemetry keeps by default. */
const eventsMax = 128;
const openTurnsMax = 16;

type Value = string | number | boolean | null | undefined;
type Values = Readonly<Record<string, Value>>;

/** Attributes without the ones nobody knows. Whole numbers stay whole. */
export function attributesOf(values: Values): Attribute[] {
  return Object.entries(values).flatMap(([key, value]): Attribute[] => {
    if (value === null || value === undefined) return [];
    if (typeof value === 'boolean') return [{ key, value: { boolValue: value } }];
    if (typeof value === 'string') return [{ key, value: { stringValue: value } }];
    return [{ key, value: Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value } }];
  });
}

const idOf = (text: string, hexDigits: number): string =>
  createHash('sha256').update(text).digest('hex').slice(0, hexDigits);
/** A double cannot count nanoseconds since 1970: microseconds are counted and written as nanoseconds. */
const nanos = (at: number): string => `${Math.round(at * 1_000)}000`;

interface OpenTurn {
  readonly dispatch: string;
  readonly startedAt: number;
  readonly number: number | undefined;
  turn: string | null;
  items: number;
}

/** One keeper's stay with a run: what it heard so far and has not told yet. */
interface Stay {
  readonly run: string;
  readonly fromSeq: number;
  readonly startedAt: number;
  readonly turns: Map<string, OpenTurn>;
  readonly events: SpanEvent[];
  lastAt: number;
  agent?: string;
  state?: string;
  cause?: string;
  rule?: string;
  tokens?: number;
  turnsDone?: number;
  droppedEvents: number;
}

/** Turns entries into spans: one for this stay with the run, and inside it turns, checks and decisions. No text of anybody's. */
export interface Spans {
  /** The spans that ended with this entry. */
  onEvent(entry: Entry): readonly Span[];
  /** The spans that are still open, ended here. */
  end(): readonly Span[];
}

export function makeSpans(): Spans {
  let stay: Stay | null = null;
  return {
    onEvent(entry) {
      stay ??= newStay(entry);
      stay.lastAt = Math.max(stay.lastAt, entry.at);
      const spans = entry.late === true ? [] : heard(stay, entry);
      noteDecision(stay, entry);
      noteTurns(stay, entry);
      return spans;
    },
    end() {
      if (stay === null) return [];
      const ending = stay;
      stay = null;
      const left = [...ending.turns.values()].map((open) =>
        turnSpan(ending, open, ending.lastAt, 'unfinished'),
      );
      return [...left, rootSpan(ending)];
    },
  };
}

const newStay = ({ run, seq, at, event }: Entry): Stay => ({
  run,
  fromSeq: seq,
  startedAt: at,
  lastAt: at,
  turns: new Map(),
  events: [],
  droppedEvents: 0,
  agent: event.type === 'run-created' ? event.agent.name : undefined,
});

const rootId = ({ run, fromSeq }: Stay): string => idOf(`${run}/stay/${fromSeq}`, 16);

function heard(stay: Stay, entry: Entry): Span[] {
  const { event, at } = entry;
  switch (event.type) {
    case 'usage-reported':
      if (event.usage.totalTokens !== undefined) stay.tokens = event.usage.totalTokens;
      return [];
    case 'turn-started': {
      const open = openTurn(stay, event.turn, event.dispatch);
      if (open !== undefined) open.turn = event.turn;
      return [];
    }
    case 'item-ended': {
      const open = openTurn(stay, event.turn);
      if (open !== undefined) open.items += 1;
      return [];
    }
    case 'turn-ended': {
      const open = openTurn(stay, event.turn, event.dispatch);
      return open === undefined ? [] : [turnSpan(stay, open, at, event.status, event.failure?.kind)];
    }
    case 'session-ended':
      return [...stay.turns.values()].map((open) =>
        turnSpan(stay, open, at, 'failed', event.failure?.kind ?? 'crashed'),
      );
    case 'effect-ended':
      return event.outcome.of === 'checks-run' ? checkSpans(stay, event.outcome.results, entry) : [];
    default:
      return [];
  }
}

const openTurn = ({ turns }: Stay, turn: string, dispatch?: string): OpenTurn | undefined =>
  (dispatch === undefined ? undefined : turns.get(dispatch)) ??
  [...turns.values()].find((open) => open.turn === turn);

function noteDecision(stay: Stay, { decision, at }: Entry): void {
  if (decision === undefined) return;
  const { verdict, rule, to, confidence, cause, summary } = decision;
  Object.assign(stay, { state: to, cause, rule, turnsDone: summary.turn });
  if (stay.events.length >= eventsMax) {
    stay.droppedEvents += 1;
    return;
  }
  const attributes = attributesOf({
    'tireless.verdict': verdict,
    'tireless.rule': rule,
    'tireless.to': to,
    'tireless.confidence': confidence,
    'tireless.cause': cause,
  });
  stay.events.push({ timeUnixNano: nanos(at), name: 'decision', attributes });
}

function noteTurns({ turns, turnsDone }: Stay, { effects, at }: Entry): void {
  for (const effect of effects ?? []) {
    if (
      (effect.type !== 'turn-start' && effect.type !== 'review-start') ||
      turns.has(effect.dispatch) ||
      turns.size >= openTurnsMax
    )
      continue;
    const number = turnsDone === undefined ? undefined : turnsDone + 1;
    turns.set(effect.dispatch, { dispatch: effect.dispatch, startedAt: at, number, turn: null, items: 0 });
  }
}

interface Part {
  readonly name: string;
  /** What tells it from every other part of the run; the same after a restart. */
  readonly key: string;
  readonly from: number;
  readonly to: number;
  readonly values: Values;
  readonly status: Span['status'];
}

const inside = (stay: Stay, { name, key, from, to, values, status }: Part): Span => ({
  traceId: idOf(stay.run, 32),
  spanId: idOf(`${stay.run}/${key}`, 16),
  parentSpanId: rootId(stay),
  name,
  kind: 1,
  startTimeUnixNano: nanos(from),
  endTimeUnixNano: nanos(Math.max(from, to)),
  attributes: attributesOf({ 'tireless.run': stay.run, ...values }),
  status,
});

function turnSpan(stay: Stay, open: OpenTurn, to: number, outcome: string, failure?: string): Span {
  stay.turns.delete(open.dispatch);
  const code = outcome === 'completed' ? 1 : outcome === 'failed' ? 2 : 0;
  return inside(stay, {
    name: 'turn',
    key: open.dispatch,
    from: open.startedAt,
    to,
    values: {
      'tireless.turn': open.number,
      'tireless.items': open.items,
      'tireless.outcome': outcome,
      'tireless.failure': failure,
      'tireless.tokens_total': stay.tokens,
    },
    status: { code, message: failure },
  });
}

/** Checks run one after the other, and the entry comes when the last has ended. */
function checkSpans(stay: Stay, results: readonly CheckResult[], { seq, at }: Entry): Span[] {
  let to = at;
  return [...results].reverse().map((result, i) => {
    const from = to - result.durationMs;
    const span = inside(stay, {
      name: 'check',
      key: `${seq}/check/${i}`,
      from,
      to,
      values: {
        'tireless.check': result.name,
        'tireless.outcome': result.outcome,
        'process.exit.code': result.exitCode,
      },
      status: { code: result.outcome === 'passed' ? 1 : 2 },
    });
    to = from;
    return span;
  });
}

function rootSpan(stay: Stay): Span {
  const { parentSpanId: _none, ...root } = inside(stay, {
    name: 'run',
    key: '',
    from: stay.startedAt,
    to: stay.lastAt,
    values: {
      'tireless.agent': stay.agent,
      'tireless.state': stay.state,
      'tireless.cause': stay.cause,
      'tireless.rule': stay.rule,
      'tireless.tokens_total': stay.tokens,
    },
    status: { code: stay.state === 'failed' ? 2 : stay.state === 'done' ? 1 : 0 },
  });
  const dropped = stay.droppedEvents === 0 ? {} : { droppedEventsCount: stay.droppedEvents };
  return { ...root, spanId: rootId(stay), events: stay.events, ...dropped };
}
