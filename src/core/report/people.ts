import type { Entry } from '../../contract/index.ts';
import { cut, type Excerpt, firstAndLast, mapExcerpt } from './excerpt.ts';
import { pick } from './public.ts';
import { reportBounds as max } from './report-bounds.ts';
import type { Watch } from './seen.ts';

export interface PeoplePart {
  readonly people: Excerpt<PersonAct>;
}

export interface PersonAct {
  readonly at: number;
  readonly by: string;
  readonly act: 'stop' | 'off' | 'pause' | 'resume' | 'steer' | 'limits';
  readonly text: string;
}

/** Keeps what people asked of the run. */
export function watchPeople(): Watch<PeoplePart> {
  const people = firstAndLast<PersonAct>(max.peopleHeadMax, max.peopleTailMax);
  return {
    see({ entry }) {
      const act = actOf(entry);
      if (act !== null) people.add(act);
    },
    end: () => ({ people: people.end() }),
  };
}

function actOf({ at, event }: Entry): PersonAct | null {
  if (event.type === 'steer-given')
    return { at, by: event.by, act: 'steer', text: cut(event.text.text, max.asksCharsMax) };
  if (event.type === 'limits-changed')
    return { at, by: event.by, act: 'limits', text: cut(JSON.stringify(event.limits), max.labelCharsMax) };
  if (event.type !== 'person-asked') return null;
  return { at, by: event.by, act: event.ask, text: event.now === true ? 'now' : '' };
}

export const publicPeople = ({ people }: PeoplePart): PeoplePart => ({
  people: mapExcerpt(people, (one) => ({ ...pick(one, 'at', 'act'), by: '', text: '' })),
});
