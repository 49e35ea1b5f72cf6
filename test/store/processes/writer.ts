/** Appends to one run until it is killed; every acknowledged seq is a line on stdout, written before the next append. */
import { writeSync } from 'node:fs';
import { holderHere } from '../../../src/edge/lock.ts';
import { openInline, openThreaded, runKey } from '../../../src/edge/store/sqlite.ts';
import { sampleEntries, sampleView } from '../../../src/testkit/store-samples.ts';

const [path = '', run = '', how = 'inline'] = process.argv.slice(2);
const store = (how === 'threaded' ? openThreaded : openInline)(path);
const answer = await store.acquire(runKey(run), holderHere(`writer-${process.pid}`));
if (!('got' in answer)) throw new Error(`held by pid ${answer.heldBy.pid}`);

let seq = (await store.view(run))?.seq ?? 0;
for (let round = 0; ; round++) {
  const last = seq + 1 + (round % 5);
  await store.append(run, answer.got.epoch, seq + 1, sampleEntries(run, seq + 1, last), {
    view: sampleView(run, last),
    bodies: [{ digest: last.toString(16).padStart(64, '0'), text: 'x'.repeat(10_000) }],
    snapshot: { seq: last, foldVersion: 1, json: JSON.stringify({ last }) },
  });
  seq = last;
  writeSync(1, `${seq}\n`);
}
