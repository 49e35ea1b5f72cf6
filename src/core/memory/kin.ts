import { termOf } from './terms.ts';

/** Shortest root that is looked for, in letters: shorter ones are mostly other words. */
const rootCharsMin = 4;

/** Words of one root whose endings no rule tells: each line is one family. */
const families = `
grow growth
analyse analyze analysis analytics
explain explanation
describe description
choose choice
prove proof
believe belief
lose loss
give gift
high height
long length
strong strength
wide width
deep depth
warm warmth
true truth
live life alive
die death dead
born birth
fly flight
see sight
speak speech
weigh weight
try trial
own owner ownership
able ability capable capacity
destroy destruction
repeat repetition
maintain maintenance
add addition
act action
hungry hunger
angry anger
day daily
week weekly
month monthly
year yearly annual
use usage user
europe european
america american
late latency delay
stable stability
recognise recognize recognition
compete competition competitor
succeed success successful
`;

const familyOf: ReadonlyMap<string, readonly string[]> = new Map(
  families
    .trim()
    .split('\n')
    .map((line) => line.split(' '))
    .flatMap((words) => words.map((word) => [word, words] as const)),
);

/** An ending and what may stand in its place, from the longer word to the shorter and back. */
const endings: readonly (readonly [string, readonly string[]])[] = [
  ['ification', ['ify']],
  ['ication', ['y', 'icate']],
  ['iption', ['ibe']],
  ['umption', ['ume']],
  ['uction', ['uce', 'uct']],
  ['ission', ['it']],
  ['olution', ['olve']],
  ['ision', ['ide', 'ise']],
  ['usion', ['ude']],
  ['asion', ['ade']],
  ['osion', ['ode']],
  ['ation', ['', 'e', 'ate']],
  ['ition', ['', 'e']],
  ['ion', ['', 'e']],
  ['ability', ['able']],
  ['ibility', ['ible']],
  ['ity', ['', 'e']],
  ['ment', ['']],
  ['ship', ['']],
  ['ness', ['']],
  ['ance', ['', 'e']],
  ['ence', ['', 'e']],
  ['ency', ['ent']],
  ['age', ['', 'e']],
  ['ure', ['', 'e']],
  ['ial', ['y']],
  ['al', ['', 'e']],
  ['ily', ['y']],
  ['ly', ['']],
  ['less', ['']],
  ['ful', ['']],
  ['er', ['', 'e']],
  ['or', ['', 'e']],
  ['iry', ['ire']],
  ['y', ['']],
];

const isRoot = (word: string): boolean => word.length >= rootCharsMin;

/** Terms of words with the same root as this one: `verification` for `verify`, `drive` for `driver`. */
export function kinOf(plain: string): ReadonlySet<string> {
  const words = new Set<string>(familyOf.get(plain));
  if (/^[a-z]+$/.test(plain))
    for (const [long, shorts] of endings)
      for (const short of shorts) {
        const down = plain.endsWith(long) ? plain.slice(0, -long.length) + short : '';
        if (isRoot(down)) words.add(down);
        if (isRoot(plain) && plain.endsWith(short))
          words.add(plain.slice(0, plain.length - short.length) + long);
      }
  const own = termOf(plain);
  return new Set([...words].map(termOf).filter((term) => term !== own));
}
