import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { makeTelemetry } from '../../src/edge/telemetry/otlp.ts';
import { telemetrySettings } from '../../src/edge/telemetry/settings.ts';
import { makeSpans } from '../../src/edge/telemetry/spans.ts';
import { night } from '../report/night.ts';

const nanos = z.string().regex(/^\d{19}$/);
const attributes = z.array(
  z.strictObject({
    key: z.string().min(1),
    value: z.union([
      z.strictObject({ stringValue: z.string() }),
      z.strictObject({ intValue: z.string().regex(/^-?\d+$/) }),
      z.strictObject({ doubleValue: z.number() }),
      z.strictObject({ boolValue: z.boolean() }),
    ]),
  }),
);
/** A trace request in the JSON form of OTLP: ids in hex, 64-bit numbers as text, enumerations as numbers. */
const requestSchema = z.strictObject({
  resourceSpans: z.array(
    z.strictObject({
      resource: z.strictObject({ attributes }),
      scopeSpans: z.array(
        z.strictObject({
          scope: z.strictObject({ name: z.string() }),
          spans: z.array(
            z.strictObject({
              traceId: z.string().regex(/^[0-9a-f]{32}$/),
              spanId: z.string().regex(/^[0-9a-f]{16}$/),
              parentSpanId: z
                .string()
                .regex(/^[0-9a-f]{16}$/)
                .optional(),
              name: z.string().min(1),
              kind: z.literal(1),
              startTimeUnixNano: nanos,
              endTimeUnixNano: nanos,
              attributes,
              events: z
                .array(z.strictObject({ timeUnixNano: nanos, name: z.string().min(1), attributes }))
                .optional(),
              droppedEventsCount: z.number().int().optional(),
              status: z.strictObject({
                code: z.union([z.literal(0), z.literal(1), z.literal(2)]),
                message: z.string().optional(),
              }),
            }),
          ),
        }),
      ),
    }),
  ),
});

interface StampedEvent {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** A collector on loopback that answers as it is told. */
async function collector(
  answer: (nth: number, response: ServerResponse) => void = (_, r) => void r.end('{}'),
) {
  const heard: StampedEvent[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      heard.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(parts) });
      answer(heard.length, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { heard, url: `http://127.0.0.1:${port}` };
}

const spansOf = (heard: readonly StampedEvent[]) =>
  heard.flatMap(({ body }) =>
    requestSchema
      .parse(JSON.parse(body.toString()))
      .resourceSpans.flatMap((r) => r.scopeSpans.flatMap((s) => s.spans)),
  );
const attribute = (span: { attributes: z.infer<typeof attributes> }, key: string): unknown =>
  Object.values(span.attributes.find((one) => one.key === key)?.value ?? {})[0];

describe('telemetry', () => {
  it('is not there unless somebody names a collector', () => {
    expect(makeTelemetry({})).toBeNull();
    expect(makeTelemetry({ OTEL_EXPORTER_OTLP_ENDPOINT: 'not an address' })).toBeNull();
    const at = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };
    expect(makeTelemetry({ ...at, OTEL_SDK_DISABLED: 'true' })).toBeNull();
    expect(makeTelemetry({ ...at, OTEL_TRACES_EXPORTER: 'none' })).toBeNull();
    expect(makeTelemetry({ ...at, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' })).toBeNull();
  });

  it('reads the standard variables; those for traces win', () => {
    const general = {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318/base/',
      OTEL_EXPORTER_OTLP_HEADERS: 'a=1,b=x%20y,broken',
      OTEL_RESOURCE_ATTRIBUTES: 'team=night',
      OTEL_SERVICE_NAME: 'mine',
      OTEL_EXPORTER_OTLP_TIMEOUT: '250',
    };
    expect(telemetrySettings(general)).toEqual({
      url: 'http://c:4318/base/v1/traces',
      headers: { a: '1', b: 'x y' },
      timeoutMs: 250,
      isCompressed: false,
      resource: { 'service.name': 'mine', team: 'night' },
    });
    const exact = {
      ...general,
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://t/as-it-is',
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'k=v',
    };
    expect(telemetrySettings(exact)).toMatchObject({ url: 'https://t/as-it-is', headers: { k: 'v' } });
  });

  it('sends a run with its turns, checks and decisions, and not a word of anybody’s', async () => {
    const { heard, url } = await collector();
    const telemetry = makeTelemetry({
      OTEL_EXPORTER_OTLP_ENDPOINT: url,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-key=secret',
    });
    const { entries } = night();
    for (const entry of entries) telemetry?.(entry);
    await telemetry?.close();

    expect(heard[0]).toMatchObject({
      path: '/v1/traces',
      headers: { 'content-type': 'application/json', 'x-key': 'secret' },
    });
    const spans = spansOf(heard);
    const root = spans.find((span) => span.parentSpanId === undefined);
    expect(spans.map((span) => span.name).sort()).toEqual(
      [...Array(3).fill('check'), 'run', ...Array(7).fill('turn')].sort(),
    );
    expect(new Set(spans.map((span) => span.traceId)).size).toBe(1);
    expect(new Set(spans.map((span) => span.spanId)).size).toBe(spans.length);
    expect(spans.every((span) => span === root || span.parentSpanId === root?.spanId)).toBe(true);
    expect(spans.every((span) => BigInt(span.endTimeUnixNano) >= BigInt(span.startTimeUnixNano))).toBe(true);
    expect(root?.events).toHaveLength(entries.filter((entry) => entry.decision !== undefined).length);
    expect(root).toMatchObject({ status: { code: 1 } });
    expect(attribute(root ?? { attributes: [] }, 'tireless.state')).toBe('done');
    const turns = spans.filter((span) => span.name === 'turn');
    expect(turns.map((span) => attribute(span, 'tireless.turn'))).toEqual([
      '1',
      '2',
      '3',
      '3',
      '4',
      '5',
      '6',
    ]);
    expect(turns.map((span) => span.status.code)).toEqual([1, 1, 2, 1, 1, 1, 1]);
    expect(heard.map(({ body }) => body.toString()).join()).not.toMatch(/grammar|ada|npm|parser|evil/);
  });

  it('keeps parts of a millisecond, which a double of nanoseconds would lose', () => {
    const spans = makeSpans();
    const [first] = night().entries;
    if (first === undefined) throw new Error('an empty night');
    spans.onEvent({ ...first, at: 1_935_439_200_000.251 });
    expect(spans.end()[0]?.startTimeUnixNano).toBe('1935439200000251000');
  });

  it('ends what was still open when the keeper leaves', async () => {
    const { heard, url } = await collector();
    const telemetry = makeTelemetry({ OTEL_EXPORTER_OTLP_ENDPOINT: url });
    const { entries } = night();
    const until = entries.findIndex((entry) => entry.event.type === 'item-ended');
    for (const entry of entries.slice(0, until + 1)) telemetry?.(entry);
    await telemetry?.close();
    const turn = spansOf(heard).find((span) => span.name === 'turn');
    expect(attribute(turn ?? { attributes: [] }, 'tireless.outcome')).toBe('unfinished');
  });

  it('compresses when asked to, and tries again when the collector asks for it', async () => {
    const { heard, url } = await collector((nth, response) => {
      response.statusCode = nth === 1 ? 503 : 200;
      response.end('{}');
    });
    const telemetry = makeTelemetry({
      OTEL_EXPORTER_OTLP_ENDPOINT: url,
      OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
    });
    telemetry?.(night().entries[0] as never);
    await telemetry?.close();
    expect(heard).toHaveLength(2);
    expect(heard[1]?.headers['content-encoding']).toBe('gzip');
    expect(() => requestSchema.parse(JSON.parse(gunzipSync(heard[1]?.body ?? '').toString()))).not.toThrow();
  });

  it.each([
    ['is not there', () => Promise.resolve('http://127.0.0.1:9')],
    ['refuses everything', async () => (await collector((_, r) => void r.writeHead(400).end())).url],
    ['never answers', async () => (await collector(() => undefined)).url],
  ])('costs a run nothing when the collector %s', async (_, at) => {
    const telemetry = makeTelemetry({ OTEL_EXPORTER_OTLP_ENDPOINT: await at() });
    const started = performance.now();
    for (const entry of night().entries) telemetry?.(entry);
    expect(performance.now() - started).toBeLessThan(1_000);
    await telemetry?.close();
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
