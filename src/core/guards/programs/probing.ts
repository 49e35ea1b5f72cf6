import { report } from '../call.ts';
import { hasAnything, shown } from '../marks.ts';
import type { Knowledge } from './family.ts';

/** Tools that ask the network a question; a computed name could carry something out. */
export const probe = (options: Knowledge['options'] = {}): Knowledge => ({
  is: 'network-in',
  takes: 'word',
  options: { '-f': 'odd', '-c -i -W -w -s -t -m -q -I -l -p -T -b -k': 'text', ...options },
  also: (_args, call, world) => {
    for (const word of call.args) if (hasAnything(word)) report(world, 'network-send', shown(word));
  },
});
