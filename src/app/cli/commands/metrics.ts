import type { Command } from 'commander';
import { type Store, StoreError } from '../../../contract/index.ts';
import { countLedgers, gauge, type Metric, metricsText, viewMetrics } from '../../../core/report/index.ts';
import { keeperOf, wantsKeeper } from '../../../edge/service/keepers.ts';
import { entriesOf } from '../../entries.ts';
import { type Cli, print } from '../cli.ts';

/** Most entries one scrape reads, newest runs first. */
const entriesMax = 200_000;
/** Most leases one scrape looks at. */
const keepersMax = 100;

export function define(command: Command, cli: Cli): void {
  command
    .option('--json', 'as JSON')
    .addHelpText('after', '\nExample:\n  tireless metrics > /var/lib/node_exporter/tireless.prom')
    .action(async (options: { json?: boolean }) => {
      const metrics = await cli.withStore((store) => gather(store, Date.now()));
      print(cli, options.json, metrics, () => metricsText(metrics));
    });
}

async function gather(store: Store, now: number): Promise<readonly Metric[]> {
  const views = await store.runs();
  const counts = countLedgers();
  let read = 0;
  let skipped = 0;
  for (const { id, seq } of views) {
    if (read + seq > entriesMax) {
      skipped += 1;
      continue;
    }
    for await (const entry of entriesOf(store, id)) counts.add(entry);
    read += seq;
  }
  const keepers = new Map<string, boolean>();
  for (const view of views.filter(wantsKeeper).slice(0, keepersMax)) {
    const alive = await isKept(store, view.id);
    if (alive !== null) keepers.set(view.id, alive);
  }
  return [
    ...viewMetrics(views, keepers, now),
    ...counts.end(),
    gauge('tireless_ledgers_skipped', `Ledgers left out because ${entriesMax} entries were read already.`, [
      { labels: {}, value: skipped },
    ]),
  ];
}

/** Null where it cannot be told: a disk that cannot be written tells nothing about the keeper. */
async function isKept(store: Store, run: string): Promise<boolean | null> {
  try {
    return (await keeperOf(store, run)) !== null;
  } catch (error) {
    if (error instanceof StoreError && ['disk-full', 'read-only', 'busy', 'io'].includes(error.fault))
      return null;
    throw error;
  }
}
