import { besideCases, fencingCases, ledgerCases } from './store-cases-ledger.ts';
import { inboxCases, leaseCases, listeningCases } from './store-cases-sharing.ts';
import { benchOver, type Case, type OpenStore, type TestWords } from './store-harness.ts';

export type { OpenStore, StoreUnderTest, TestWords } from './store-harness.ts';

/** What every store promises. Run it on yours: `storeConformance('mine', open, { describe, it, expect })`. */
export function storeConformance(name: string, open: OpenStore, words: TestWords): void {
  const test: Case = (sentence, body) =>
    words.it(sentence, async () => {
      const clock = { now: 1_800_000_000_000 };
      const opened = await open({ at: () => clock.now });
      const bench = benchOver(opened, clock);
      try {
        await body(bench);
      } finally {
        await opened.end();
      }
    });
  words.describe(`${name} keeps the store's promises`, () => {
    ledgerCases(test, words);
    fencingCases(test, words);
    besideCases(test, words);
    inboxCases(test, words);
    leaseCases(test, words);
    listeningCases(test, words);
  });
}
