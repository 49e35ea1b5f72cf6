/**
 * Reading a ledger from its file, and showing what another policy would have decided at each point.
 *
 *     node examples/replay.ts
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  closingLine,
  type Decision,
  type Entry,
  entriesOf,
  openInline,
  policySchema,
  replay,
  supervise,
} from '../src/index.ts';
import { makeDependencies, makePlace, recordRun } from './dependencies.ts';
import { tinyAgent } from './tiny-agent.ts';

const place = makePlace();
const file = join(place.state, 'tireless.db');

const run = await makeLedger();

// From here on only the file is needed: this could be another program, another day.
const store = openInline(file);
const entries: Entry[] = [];
for await (const entry of entriesOf(store, run)) entries.push(entry);
await store.close();

const same = replay(entries);
console.log(`${same.entries} entries, ${same.decisions} decisions, ${same.divergences.length} divergences`);

const stricter = replay(entries, policySchema.parse({ limits: { turnsMax: 2 } }));
const said = (decision: Decision | undefined): string =>
  decision === undefined ? 'no decision' : `${decision.verdict} [${decision.rule}]`;
for (const { seq, recorded, replayed } of stricter.divergences)
  console.log(`#${seq}: ${said(recorded)} would have been ${said(replayed)}`);

/** Three turns of work, each with a change, and a claim at the end. */
async function makeLedger(): Promise<string> {
  const says = (text: string, message: string) => () => {
    writeFileSync(join(place.workspace, 'notes.txt'), text);
    return message;
  };
  const agent = tinyAgent([
    says('one\n', 'The first step is made.'),
    says('two\n', 'The second step is made.'),
    says('done\n', closingLine),
  ]);
  const written = openInline(file);
  try {
    const deps = await makeDependencies({ store: written, agent, ...place });
    const id = await recordRun(deps, 'Count to done.', [
      { name: 'notes', command: 'grep -qx done notes.txt', cwd: '.', source: 'config' },
    ]);
    await supervise(deps, { run: id });
    return id;
  } finally {
    await written.close();
  }
}
