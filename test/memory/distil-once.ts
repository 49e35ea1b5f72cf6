/** Distils one long cycle into the file named. Says so before it begins, so that it can be killed in the middle. */
import { openMemories } from '../../src/edge/memory/memories.ts';
import { makeSummariser } from '../../src/edge/memory/summarise.ts';

const memories = openMemories(process.argv[2] ?? '', { redact: (text) => text, at: () => 1_000 });
const facts = Array.from({ length: 500 }, (_, n) => ({
  seq: n + 1,
  kind: 'note' as const,
  text: `Note ${n} of the warehouse is about shelf ${n * 7}.`,
}));
process.stdout.write('begins\n');
await makeSummariser({ using: (use) => use(memories), at: () => 1_000, timeoutMs: 1 })({
  run: 'r1',
  cycle: 1,
  mission: 'm',
  workspace: '/w',
  agent: 'a',
  facts,
  leftOut: 0,
  closing: null,
  tasks: '',
});
memories.close();
