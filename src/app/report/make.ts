import { type Store, StoreError } from '../../contract/index.ts';
import { type Changes, makeReport, publicReport, type Report } from '../../core/report/index.ts';
import { chainCheck, rowsOf, sha256 } from '../../edge/store/chain.ts';
import { entryOf } from '../entries.ts';

/** Compares two trees of a workspace; null when it cannot be done any more. */
export type CompareTrees = (from: string, to: string) => Promise<Pick<Changes, 'files' | 'paths'> | null>;

export interface ReportOptions {
  readonly isPublic: boolean;
  readonly compare?: CompareTrees;
}

const damageShown = 5;

/**
 * The report of a stored run: read page by page, its chain checked on the way, its trees compared where they are
 * still there. A damaged ledger is told up to the damage, which the report names.
 */
export async function reportOfRun(store: Store, run: string, options: ReportOptions): Promise<Report> {
  const end = (await store.view(run))?.seq;
  const maker = makeReport();
  const check = chainCheck();
  let isWhole = true;
  for await (const row of rowsOf(store, run)) {
    check.row(row);
    if (isWhole && sha256(row.json) !== row.hash) {
      maker.stop(row.seq, 'the stored row does not match its hash');
      isWhole = false;
    }
    isWhole &&= maker.add(entryOf(row));
  }
  const report = maker.end();
  if (report === null)
    throw new StoreError(
      'corrupt',
      `the ledger of run ${run} does not begin as a ledger must, so nothing can be told from it`,
      '`tireless export` keeps every row as it is; `tireless doctor` lists the damage',
    );
  const { ok, damage } = check.end(end === undefined ? undefined : { seq: end });
  const { firstTree, lastTree } = report.changes;
  const compared =
    firstTree === null || lastTree === null ? null : await options.compare?.(firstTree, lastTree);
  const whole: Report = {
    ...report,
    chain: { ok, damage: damage.slice(0, damageShown).map((d) => d.because) },
    changes: { ...report.changes, ...compared },
  };
  return options.isPublic ? publicReport(whole) : whole;
}
