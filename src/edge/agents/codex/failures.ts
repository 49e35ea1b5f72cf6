import type { Failure, FailureKind } from '../../../contract/index.ts';
import type { RateLimits, TurnError } from './native.ts';
import { resetOf } from './rate-limits.ts';

const messageCharsMax = 2_000;

/** Codex's own names for errors, where they are plain strings. */
const kindByWord: Readonly<Record<string, FailureKind>> = {
  usageLimitExceeded: 'usage-limit',
  rateLimitExceeded: 'rate-limited',
  serverOverloaded: 'overloaded',
  flexUnavailable: 'overloaded',
  policyCapacityUnavailable: 'overloaded',
  internalServerError: 'server-error',
  contextWindowExceeded: 'context-full',
  unauthorized: 'auth',
  modelNotFound: 'setup',
  badRequest: 'refused',
  cyberPolicy: 'refused',
  misalignmentPolicyViolation: 'refused',
  tooManyDenials: 'refused',
};

/** Codex's error as one of our failure kinds. `limits` is the last account state seen, `emittedAtMs` when Codex sent it. */
export function failureOf(
  error: TurnError | null | undefined,
  limits: RateLimits | null,
  emittedAtMs: number | undefined,
): Failure {
  if (!error) return { kind: 'other', message: 'Codex gave no reason' };
  const message =
    [error.message, error.additionalDetails].filter(Boolean).join(': ') || 'Codex gave no reason';
  const kind = kindOf(error.codexErrorInfo, message);
  const resetAt =
    kind === 'usage-limit' ? (resetOf(limits) ?? resetInMessage(message, emittedAtMs)) : undefined;
  return {
    kind,
    message: message.slice(0, messageCharsMax),
    resetAt,
    raw:
      error.codexErrorInfo == null
        ? undefined
        : JSON.stringify(error.codexErrorInfo).slice(0, messageCharsMax),
  };
}

/** Errors without their own name: Codex says "other" and explains only in the text. */
const kindInText: readonly (readonly [string, FailureKind])[] = [
  ['stream disconnected', 'stream-cut'],
  ['Missing environment variable', 'setup'],
];

function kindOf(info: unknown, message: string): FailureKind {
  if (typeof info === 'string') {
    const known = Object.hasOwn(kindByWord, info) ? kindByWord[info] : undefined;
    return known ?? kindInText.find(([begins]) => message.startsWith(begins))?.[1] ?? 'other';
  }
  if (typeof info !== 'object' || info === null) return 'other';
  const [word, detail] = Object.entries(info)[0] ?? [];
  const status = (detail as { httpStatusCode?: unknown } | null | undefined)?.httpStatusCode;
  if (status === 401 || status === 403) return 'auth';
  if (status === 429) return 'rate-limited';
  if (typeof status === 'number' && status >= 500) return status === 503 ? 'overloaded' : 'server-error';
  switch (word) {
    case 'httpConnectionFailed':
    case 'responseStreamConnectionFailed':
      return 'unreachable';
    case 'responseStreamDisconnected':
      return message.includes('Connection failed') ? 'unreachable' : 'stream-cut';
    case 'responseTooManyFailedAttempts':
      return 'server-error';
    default:
      return 'other';
  }
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const clockTime = /try again at (?:([A-Z][a-z]{2}) (\d{1,2})[a-z]{2}, (\d{4}) )?(\d{1,2}):(\d{2}) ([AP])M/;

/**
 * Codex gives the reset of a plan's limit only inside its message, as local time; without a date it means the day on
 * which it was sent.
 */
function resetInMessage(message: string, emittedAtMs: number | undefined): number | undefined {
  const found = clockTime.exec(message);
  if (!found) return undefined;
  const [, month, day, year, hour, minute, half] = found;
  const hours = (Number(hour) % 12) + (half === 'P' ? 12 : 0);
  if (month !== undefined) {
    const index = months.indexOf(month);
    if (index === -1) return undefined;
    return new Date(Number(year), index, Number(day), hours, Number(minute)).getTime();
  }
  if (emittedAtMs === undefined) return undefined;
  const spoken = new Date(emittedAtMs);
  return new Date(spoken.getFullYear(), spoken.getMonth(), spoken.getDate(), hours, Number(minute)).getTime();
}
