import { entriesOf } from '../../../src/app/entries.ts';
import type { Entry, Store } from '../../../src/contract/index.ts';
import { replay } from '../../../src/core/index.ts';
import { verifyRun } from '../../../src/edge/store/chain.ts';
import { processesWith, until } from '../../process-kit.ts';

/** After every live run: its ledger is whole, re-judged it says the same, and no process of it is left. */
export async function assertSound(store: Store, id: string): Promise<void> {
  const entries: Entry[] = [];
  for await (const entry of entriesOf(store, id)) entries.push(entry);
  const { damage } = await verifyRun(store, id);
  const { divergences } = replay(entries);
  const wrong = [
    ...damage.map((d) => `damaged: #${d.seq} ${d.because}`),
    ...divergences.map((d) => `replay: #${d.seq} ${d.event}: ${d.what}`),
  ];
  if (wrong.length > 0) throw new Error(`run ${id} is not sound:\n${wrong.join('\n')}`);
  const left = () => processesWith(`TIRELESS_RUN=${id}`);
  await until(
    () => left().length === 0,
    () => `run ${id} left processes: ${left().join(', ')}`,
  );
}
