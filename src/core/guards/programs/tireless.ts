import { type Family, many } from './family.ts';

/** Our own command line, from inside a supervised session: looking is fine, answering for the person is not. */
export const tireless: Family = {
  tireless: {
    bare: 'read',
    subs: {
      ...many('approve deny answer answer-link resume steer on off hooks hook restore', 'is:answer-gate'),
      ...many(
        'status runs logs inbox diff report tasks memory doctor agents guard idle replay completion help version queue breaker demo mcp export',
        'text',
      ),
      ...many('init plugin service', 'is:touch-tireless'),
    },
    otherwise: 'is:unknown',
  },
};
