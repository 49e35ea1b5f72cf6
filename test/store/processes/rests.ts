/** Uses a store, goes on following a run, and has nothing else to do: it must end by itself, the store left open. */
import { openInline, openThreaded } from '../../../src/edge/store/sqlite.ts';

const [path = '', how = 'inline'] = process.argv.slice(2);
const store = (how === 'threaded' ? openThreaded : openInline)(path);
store.subscribe('r1', () => {});
const runs = await store.runs();
console.log(`saw ${runs.length} runs`);
