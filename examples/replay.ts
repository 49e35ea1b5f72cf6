/**
 * Reading a ledger from its file, and showing what another policy would have decided at each point.
 *
 *     node examples/replay.ts
 */
import { join } from 'node:path';
import { closingLine, type Decision, type Entry, entriesOf, openInline, replay, run } from 'tireless';
import { policySchema } from 'tireless/contract';
import { makePlace, tinyAgent, writes } from './tiny-agent.ts';

// Three turns of work, each with a change, and a claim at the end.
const { workspace, home } = makePlace();
const agent = tinyAgent([
  writes(workspace, 'one\n', 'The first step is made.'),
  writes(workspace, 'two\n', 'The second step is made.'),
  writes(workspace, 'done\n', closingLine),
]);
const it = run({ mission: 'Count to done.', workspace, home, agent, checks: ['grep -qx done notes.txt'] });
await it.certificate;

// From here on only the file is needed: this could be another program, another day.
const store = openInline(join(home, 'tireless.db'));
const entries: Entry[] = [];
for await (const entry of entriesOf(store, it.id)) entries.push(entry);
await store.close();

const same = replay(entries);
console.log(`${same.entries} entries, ${same.decisions} decisions, ${same.divergences.length} divergences`);

const stricter = replay(entries, policySchema.parse({ limits: { turnsMax: 2 } }));
const said = (decision: Decision | undefined): string =>
  decision === undefined ? 'no decision' : `${decision.verdict} [${decision.rule}]`;
for (const { seq, recorded, replayed } of stricter.divergences)
  console.log(`#${seq}: ${said(recorded)} would have been ${said(replayed)}`);
