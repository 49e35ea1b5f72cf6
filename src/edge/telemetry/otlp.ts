import { setTimeout as rest } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { Entry } from '../../contract/index.ts';
import type { Env } from '../home.ts';
import { type TelemetrySettings, telemetrySettings } from './settings.ts';
import { attributesOf, makeSpans, type Span } from './spans.ts';

/** Hears what a keeper writes; sends it where the person's variables say. Never slows, stops or fails a run. */
export type Telemetry = ((entry: Entry) => void) & {
  /** Sends what is left, for a short while; resolves in any case. */
  close(): Promise<void>;
};

const queueSpansMax = 2_048;
const batchSpansMax = 512;
const flushMs = 5_000;
const closeMs = 3_000;
const triesMax = 3;
const retryMs = 1_000;
/** Answers that ask for another try, by the protocol. */
const retryable: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** Null when nobody asked for telemetry. */
export function makeTelemetry(env: Env): Telemetry | null {
  const settings = telemetrySettings(env);
  if (settings === null) return null;
  const spans = makeSpans();
  const sender = makeSender(settings);
  const onEvent = (entry: Entry): void => sender.put(spans.onEvent(entry));
  return Object.assign(onEvent, {
    close: async (): Promise<void> => {
      sender.put(spans.end());
      await sender.close();
    },
  });
}

interface Sender {
  put(spans: readonly Span[]): void;
  close(): Promise<void>;
}

/** One batch at a time, from a queue that drops its oldest when a collector is too slow. */
function makeSender(settings: TelemetrySettings): Sender {
  const queue: Span[] = [];
  const ending = new AbortController();
  let sending: Promise<void> | null = null;
  let timer: NodeJS.Timeout | null = null;
  const drain = async (): Promise<void> => {
    while (queue.length > 0 && !ending.signal.aborted)
      await send(settings, queue.splice(0, batchSpansMax), ending.signal);
  };
  const flush = (): Promise<void> => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    sending ??= drain().finally(() => {
      sending = null;
    });
    return sending;
  };
  return {
    put(spans) {
      queue.push(...spans);
      if (queue.length > queueSpansMax) queue.splice(0, queue.length - queueSpansMax);
      if (queue.length >= batchSpansMax) void flush();
      else if (queue.length > 0 && timer === null) timer = setTimeout(() => void flush(), flushMs).unref();
    },
    async close() {
      const late = setTimeout(() => ending.abort(), closeMs);
      // What was put while a batch was on its way needs another round.
      while (queue.length > 0 && !ending.signal.aborted) await flush();
      await sending;
      clearTimeout(late);
    },
  };
}

const gzipped = { 'content-encoding': 'gzip' };

/** Sends one batch, a few times if the collector asks for it. A batch that is not taken is lost, and nothing else. */
async function send(settings: TelemetrySettings, spans: readonly Span[], ending: AbortSignal): Promise<void> {
  const { url, headers, timeoutMs, isCompressed } = settings;
  const json = JSON.stringify(requestOf(settings, spans));
  for (let tries = 1; tries <= triesMax && !ending.aborted; tries++) {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', ...(isCompressed && gzipped) },
      body: isCompressed ? gzipSync(json) : json,
      redirect: 'error',
      signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), ending]),
    }).catch(() => null);
    await answer?.body?.cancel().catch(() => undefined); // its words are of no use to us
    if (answer !== null && !retryable.has(answer.status)) return;
    if (tries < triesMax)
      await rest(retryMs * 2 ** (tries - 1), null, { signal: ending, ref: false }).catch(() => null);
  }
}

const requestOf = ({ resource }: TelemetrySettings, spans: readonly Span[]): object => ({
  resourceSpans: [
    {
      resource: { attributes: attributesOf(resource) },
      scopeSpans: [{ scope: { name: 'tireless' }, spans }],
    },
  ],
});
