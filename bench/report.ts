/** How long a report of a long night takes: 10,000 entries from the ledger's entries to the finished page. */
import { htmlReport } from '../src/app/report/html.ts';
import { reportOf } from '../src/core/report/index.ts';
import { ledgerRun } from '../src/testkit/ledger-run.ts';

const entriesWanted = 10_000;
const itemsPerTurn = 60;
const times = 5;

export async function benchReport(): Promise<Record<string, number>> {
  const { entries } = longNight();
  const reports: number[] = [];
  const pages: number[] = [];
  let characters = 0;
  for (let time = 0; time < times; time++) {
    const start = performance.now();
    const report = reportOf(entries);
    const made = performance.now();
    characters = htmlReport(report).length;
    reports.push(made - start);
    pages.push(performance.now() - start);
  }
  return {
    'report: ms to fold 10,000 entries into a report, worst of 5': round1(Math.max(...reports)),
    'report: ms for report and HTML of 10,000 entries, worst of 5': round1(Math.max(...pages)),
    'report: KB of that HTML': Math.round(characters / 1_024),
  };
}

/** Turn after turn with commands, a growing bill and a new tree each time, until there are enough entries. */
function longNight(): ReturnType<typeof ledgerRun> {
  const told = ledgerRun({ policy: { limits: { turnsMax: 100_000, activeHoursMax: 100_000 } } });
  let tokens = 0;
  while (told.entries.length < entriesWanted) {
    told.launch();
    const turn = told.started();
    for (let i = 0; i < itemsPerTurn; i++)
      told.onEvent({
        type: 'item-ended',
        session: 's1',
        turn,
        item: `item-${i}`,
        kind: 'command',
        outcome: 'ok',
        label: `npm test -- --run part-${i}`,
        exitCode: 0,
      });
    tokens += 12_000;
    told.onEvent({ type: 'usage-reported', session: 's1', usage: { totalTokens: tokens } });
    told.ended({ message: { text: 'One more part is done; the next one follows. '.repeat(20) } });
  }
  return told;
}

const round1 = (ms: number): number => Math.round(ms * 10) / 10;

if (import.meta.main) console.table(await benchReport());
