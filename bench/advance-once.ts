/** One advance in a process of its own, as a hook makes it. Says how long it took, without the start of the runtime. */
import { advance } from '../src/app/advance.ts';
import { makeIngest } from '../src/edge/ingest/ingest.ts';
import { holderHere } from '../src/edge/lock.ts';
import { openInline } from '../src/edge/store/sqlite.ts';

const [path = '', run = ''] = process.argv.slice(2);
const clock = { at: () => Date.now(), mono: () => performance.now() };
const start = performance.now();
const store = openInline(path);
const deps = { store, ingest: makeIngest({ clock, redact: (text) => text }), holder: holderHere('hook') };
const entry = await advance(deps, run, { type: 'steer-given', text: { text: 'look here' }, by: 'bench' });
await store.close();
if (entry === null) throw new Error('the run was held');
process.stdout.write(String(performance.now() - start));
