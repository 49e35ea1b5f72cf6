import type { Env } from '../home.ts';

/** Where spans go and how, by the variables every OpenTelemetry program reads. */
export interface TelemetrySettings {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly isCompressed: boolean;
  readonly resource: Readonly<Record<string, string>>;
}

const timeoutDefaultMs = 10_000;

/** Null when nobody asked for telemetry, turned it off, or asked for a protocol we do not speak. */
export function telemetrySettings(env: Env): TelemetrySettings | null {
  const of = (name: string): string | undefined => {
    const specific = env[`OTEL_EXPORTER_OTLP_TRACES_${name}`];
    return specific !== undefined && specific !== '' ? specific : env[`OTEL_EXPORTER_OTLP_${name}`];
  };
  const url = urlOf(env);
  const isOff = env.OTEL_SDK_DISABLED?.toLowerCase() === 'true' || env.OTEL_TRACES_EXPORTER === 'none';
  // Collectors take JSON wherever they take protobuf over HTTP; gRPC is another port and another protocol.
  if (url === null || isOff || of('PROTOCOL') === 'grpc') return null;
  const timeoutMs = Number(of('TIMEOUT') ?? timeoutDefaultMs);
  return {
    url,
    headers: pairsOf(of('HEADERS')),
    timeoutMs: Number.isFinite(timeoutMs) && timeoutMs > 0 ? timeoutMs : timeoutDefaultMs,
    isCompressed: of('COMPRESSION') === 'gzip',
    resource: {
      'service.name': 'tireless',
      ...pairsOf(env.OTEL_RESOURCE_ATTRIBUTES),
      ...(env.OTEL_SERVICE_NAME ? { 'service.name': env.OTEL_SERVICE_NAME } : {}),
    },
  };
}

/** The address for traces as it is, or the general one with the path of the signal added. */
function urlOf(env: Env): string | null {
  const exact = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT;
  const base = env.OTEL_EXPORTER_OTLP_ENDPOINT;
  const url = exact || (base ? `${base.replace(/\/+$/, '')}/v1/traces` : '');
  if (!URL.canParse(url)) return null;
  return ['http:', 'https:'].includes(new URL(url).protocol) ? url : null;
}

/** `key=value,key=value` with values as in a web address. What is no pair is left out. */
function pairsOf(text: string | undefined): Record<string, string> {
  return Object.fromEntries(
    (text ?? '').split(',').flatMap((pair) => {
      const at = pair.indexOf('=');
      const name = pair.slice(0, Math.max(0, at)).trim();
      return name === '' ? [] : [[name, decoded(pair.slice(at + 1).trim())]];
    }),
  );
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a lone percent sign is a percent sign
  }
}
