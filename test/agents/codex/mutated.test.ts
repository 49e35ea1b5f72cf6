import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AgentEvent, eventSchema, factCharsMax } from '../../../src/contract/index.ts';
import { startState } from '../../../src/edge/agents/codex/state.ts';
import { noteSent, translate } from '../../../src/edge/agents/codex/translate.ts';
import { type Recorded, recorded, recordings, withDispatches } from './replay.ts';

const all = recordings.map((name) => withDispatches(recorded(name)));

/** Every place inside a frame, as the keys that lead there. */
function placesIn(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, inner]) => placesIn(inner, [...path, key]))];
}

function changedAt(
  value: unknown,
  [key, ...rest]: readonly string[],
  put: { value: unknown } | 'remove',
): unknown {
  if (key === undefined) return put === 'remove' ? undefined : put.value;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, inner]) => [
    name,
    name === key ? changedAt(inner, rest, put) : inner,
  ]);
  const kept = entries.filter(
    ([name, inner]) => !(name === key && rest.length === 0 && put === 'remove' && inner === undefined),
  );
  return Array.isArray(value) ? kept.map(([, inner]) => inner) : Object.fromEntries(kept);
}

/** What ingest does to long texts before they are facts. */
function cut(event: AgentEvent): unknown {
  return JSON.parse(JSON.stringify(event), (key, value) =>
    key === 'text' && typeof value === 'string' ? value.slice(0, factCharsMax) : value,
  );
}

type Put = 'remove' | 'lengthen' | { readonly value: unknown };

interface Mutation {
  readonly recording: number;
  readonly frame: number;
  readonly place: number;
  readonly put: Put;
  readonly twice: boolean;
  readonly swap: boolean;
}

const mutation: fc.Arbitrary<Mutation> = fc.record({
  recording: fc.nat(all.length - 1),
  frame: fc.nat(),
  place: fc.nat(),
  put: fc.oneof(
    fc.constantFrom<Put>('remove', 'lengthen'),
    fc.record({ value: fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constant(-1), fc.constant('')) }),
  ),
  twice: fc.boolean(),
  swap: fc.boolean(),
});
/** One frame of the server's is changed at one place; it may also come twice, or one frame later. */
function mutated(frames: readonly Recorded[], how: Mutation) {
  const heard = frames.flatMap(({ dir }, index) => (dir === '<' ? [index] : []));
  const at = heard[how.frame % heard.length] ?? 0;
  const chosen = frames[at] as Recorded;
  const places = placesIn(chosen.msg);
  const put = how.put === 'lengthen' ? { value: 'x'.repeat(40_000) } : how.put;
  const changed = { ...chosen, msg: changedAt(chosen.msg, places[how.place % places.length] ?? [], put) };
  const [before, next] = [frames.slice(0, at), frames.slice(at + 1)];
  const later = how.swap ? 1 : 0;
  return [...before, ...next.slice(0, later), changed, ...(how.twice ? [changed] : []), ...next.slice(later)];
}

describe('a recording in which one frame was damaged, doubled or moved', () => {
  it('is read to its end: nothing throws, every event is well formed, no request of the server is left without an answer', () => {
    fc.assert(
      fc.property(mutation, (how) => {
        let state = startState();
        for (const { dir, msg } of mutated(all[how.recording] ?? [], how)) {
          if (dir === '>') {
            state = noteSent(state, msg);
            continue;
          }
          const meaning = translate(state, msg);
          state = meaning.state;
          for (const { event } of meaning.events)
            expect(eventSchema.safeParse(cut(event)).error).toBeUndefined();
          const request = msg as { id?: unknown; method?: unknown } | null | undefined;
          const isRequest =
            ['string', 'number'].includes(typeof request?.id) && typeof request?.method === 'string';
          if (!isRequest) continue;
          const waits = meaning.events.some(
            ({ event }) => event.type === 'approval-asked' || event.type === 'input-asked',
          );
          expect(waits || meaning.replies.length === 1).toBe(true);
        }
      }),
      { numRuns: 600 },
    );
  });
});
