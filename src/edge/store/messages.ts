import { StoreError } from '../../contract/errors.ts';
import { type Event, eventSchema } from '../../contract/event.ts';
import type { InboxText } from './requests.ts';

const sampleCharsMax = 2_000;
const becauseCharsMax = 1_000;

/** Checked before it is left: a message nobody could read later would be a message lost. */
export function eventText(run: string, event: Event): string {
  const { error } = eventSchema.safeParse(event);
  if (error) {
    throw new StoreError(
      'io',
      `this message cannot be left for run ${run}: ${issuesOf(error)}`,
      'Correct or shorten the field it names.',
    );
  }
  return JSON.stringify(event);
}

/** A row nobody can read is heard as that: it is consumed like any other, and its text is in the ledger. */
export function readEvent({ id, event }: InboxText): Event {
  let because: string;
  try {
    const { data, error } = eventSchema.safeParse(JSON.parse(event));
    if (data) return data;
    because = issuesOf(error);
  } catch {
    because = 'it is not JSON';
  }
  return {
    type: 'unreadable',
    source: 'inbox',
    because: `inbox row ${id}: ${because}`.slice(0, becauseCharsMax),
    sample: event.slice(0, sampleCharsMax),
  };
}

function issuesOf(error: { issues: readonly { path: readonly PropertyKey[]; message: string }[] }): string {
  return error.issues.map(({ path, message }) => `${path.map(String).join('.')}: ${message}`).join('; ');
}
