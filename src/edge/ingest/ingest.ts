import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { type Action, type ActionFacts, actionFactsSchema } from '../../contract/action.ts';
import type { StampedEvent } from '../../contract/entry.ts';
import { type Event, eventSchema } from '../../contract/event.ts';
import type { Body, Clock } from '../../contract/ports.ts';
import { cutText, fitBody } from './cut.ts';
import { fitEvent, redactAll } from './fit.ts';
import type { Redact } from './redact.ts';

export interface IngestOptions {
  readonly clock: Pick<Clock, 'at' | 'mono'>;
  readonly redact: Redact;
  /** Looks at what an action touches, as it was asked: before secrets are taken out. */
  readonly factsOf?: (action: Action) => ActionFacts | undefined;
}

/** What came in, and the texts to be stored beside it in the same commit. */
interface Entered {
  readonly stamped: StampedEvent;
  readonly bodies: readonly Body[];
}

/** `body` is the raw text behind the event, `cause` the inbox row it came from. */
export type Ingest = (draft: Event, body?: string, cause?: string) => Entered;

const becauseCharsMax = 1_000;
const sampleCharsMax = 2_000;

/**
 * The one way in: every event is stamped, freed of secrets, cut to what an entry may hold, and valid. A draft that
 * cannot be made valid is not lost: it enters as `unreadable`, with the reason, a sample, and the whole of it as a body.
 */
export function makeIngest({ clock, redact, factsOf }: IngestOptions): Ingest {
  /** What the agent wants to do is recorded whether or not it could be looked at. */
  const withFacts = (fitted: unknown, draft: Event): unknown => {
    if (factsOf === undefined || draft?.type !== 'approval-asked') return fitted;
    const { action, ...rest } = fitted as typeof draft;
    return { ...rest, action: { ...action, facts: cleanFacts(draft.action, factsOf, redact) } };
  };
  return (draft, body, cause) => {
    const bodies = new Map<string, Body>();
    const keep = (text: string) => {
      const clean = fitBody(text, redact);
      const digest = createHash('sha256').update(clean).digest('hex');
      bodies.set(digest, { digest, text: clean });
      return { clean, digest };
    };
    const fitted = withFacts(fitEvent(draft, { redact, keep }), draft);
    if (body !== undefined && takesBody(fitted)) fitted.body = keep(body).digest;
    const valid = eventSchema.safeParse(fitted);
    const event = valid.success ? valid.data : unreadable(draft, valid.error, redact, keep);
    return { stamped: { at: clock.at(), mono: clock.mono(), cause, event }, bodies: [...bodies.values()] };
  };
}

function cleanFacts(
  action: Action,
  factsOf: NonNullable<IngestOptions['factsOf']>,
  redact: Redact,
): ActionFacts | undefined {
  try {
    return actionFactsSchema.parse(redactAll(factsOf(action), { redact }));
  } catch {
    return undefined; // an action of no valid form, or a text that grew too long without its secrets: nothing is known
  }
}

function unreadable(
  draft: unknown,
  error: z.ZodError,
  redact: Redact,
  keep: (text: string) => { clean: string; digest: string },
): Event {
  const what =
    typeof draft === 'object' && draft !== null && 'type' in draft ? redact(String(draft.type)) : 'no event';
  const why = error.issues
    .map(({ path, message }) => `${path.join('.') || 'the event'}: ${message}`)
    .join('; ');
  const { clean, digest } = keep(asJson(draft));
  return {
    type: 'unreadable',
    source: 'door',
    because: cutText(`${cutText(what, 100)} does not fit: ${redact(why)}`, becauseCharsMax),
    sample: cutText(clean, sampleCharsMax),
    body: digest,
  };
}

function asJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch (error) {
    // A cycle or a bigint: say so in its place rather than lose the event.
    return `(no JSON: ${error instanceof Error ? error.message : error})`;
  }
}

type WithBody = Extract<Event, { body?: string }> & { body?: string };

function takesBody(event: unknown): event is WithBody {
  return typeof event === 'object' && event !== null && 'type' in event && bodyTypes.has(event.type);
}

const bodyTypes: ReadonlySet<unknown> = new Set(
  eventSchema.options.filter(({ shape }) => 'body' in shape).map(({ shape }) => shape.type.value),
);
