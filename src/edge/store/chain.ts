import type { StoredEntry } from '../../contract/entry.ts';
import type { Store } from '../../contract/ports.ts';

/** What the first entry of every chain names as its predecessor. */
export const genesis = '0'.repeat(64);

const damageMax = 20;
const pageRowsMax = 500;

/** SHA-256 of the text's UTF-8 bytes, in lower-case hex. */
export function sha256(text: string): string {
  // Loaded with the first use: commands that only list runs start sooner.
  return process.getBuiltinModule('node:crypto').hash('sha256', text);
}

/** The exact text that is stored and hashed: the predecessor's hash stands first, so it can be read without parsing. */
export function chainedText(entryText: string, prev: string): string {
  return `{"prev":"${prev}",${entryText.slice(1)}`;
}

/** The predecessor a stored text names, or '' when it does not begin as we write it. */
export function prevOf(json: string): string {
  return /^\{"prev":"([0-9a-f]{64})"/.exec(json)?.[1] ?? '';
}

/** One thing wrong with a chain. `seq` is the row it was found at. */
interface Damage {
  readonly seq: number;
  readonly kind: 'edited' | 'cut' | 'missing' | 'moved' | 'unchained' | 'tail-missing';
  readonly because: string;
}

export interface ChainReport {
  readonly ok: boolean;
  readonly entries: number;
  /** The last row, and what the next one has to name. */
  readonly head: { readonly seq: number; readonly hash: string };
  /** The first `damageMax` findings, in order. */
  readonly damage: readonly Damage[];
}

/** What the rows should end with, when somebody knows. Without `hash` they may go on: the run may be at work. */
export interface ExpectedEnd {
  readonly seq: number;
  readonly hash?: string;
}

/**
 * Recomputes a whole chain on its stored bytes, rows in order of `seq` from the first. Finds rows that were edited,
 * cut, moved or lost; rows lost from the end only when `end` says where it was.
 */
export async function verifyChain(
  rows: AsyncIterable<StoredEntry> | Iterable<StoredEntry>,
  end?: ExpectedEnd,
): Promise<ChainReport> {
  const check = chainCheck();
  for await (const row of rows) check.row(row);
  return check.end(end);
}

/** Verifies one run of any store. Its view, written in the same commit as the entries, says where the chain ends. */
export async function verifyRun(store: Store, run: string): Promise<ChainReport> {
  const view = await store.view(run);
  return verifyChain(rowsOf(store, run), view === null ? undefined : { seq: view.seq });
}

/** Every stored row of a run, in order, in bounded pages. A hole does not end it. */
export async function* rowsOf(store: Store, run: string, fromSeq = 1): AsyncGenerator<StoredEntry> {
  for (let from = fromSeq; ; ) {
    const rows = await store.read(run, from, pageRowsMax);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageRowsMax) return;
    from = last.seq + 1;
  }
}

/** The same check, row by row, for whoever has the rows in hand. `after` is what the first row follows. */
export function chainCheck(after = { seq: 0, hash: genesis }): {
  row(row: StoredEntry): void;
  end(end?: ExpectedEnd): ChainReport;
} {
  const damage: Damage[] = [];
  let entries = 0;
  let head = after;
  const found = (seq: number, kind: Damage['kind'], because: string) => {
    if (damage.length < damageMax) damage.push({ seq, kind, because });
  };

  return {
    row(row) {
      entries++;
      const gap = row.seq - head.seq - 1;
      if (gap > 0) {
        const which = gap === 1 ? `row ${head.seq + 1} is` : `rows ${head.seq + 1} to ${row.seq - 1} are`;
        found(head.seq + 1, 'missing', `${which} missing`);
      } else if (gap < 0) {
        found(row.seq, 'moved', `row ${row.seq} comes after row ${head.seq}`);
      }
      const own = ownDamage(row);
      if (own) found(row.seq, own.kind, own.because);
      // After a hole or a changed row the next link cannot hold; saying so again would only hide where it began.
      else if (gap === 0 && prevOf(row.json) !== head.hash) {
        found(
          row.seq,
          'unchained',
          `row ${row.seq} does not follow from row ${head.seq}: one of the two was replaced`,
        );
      }
      head = { seq: row.seq, hash: row.hash };
    },
    end(end) {
      if (end && head.seq < end.seq) {
        found(head.seq + 1, 'tail-missing', `the chain ends at row ${head.seq}, its last row was ${end.seq}`);
      } else if (end?.hash !== undefined && (end.seq !== head.seq || end.hash !== head.hash)) {
        found(head.seq, 'unchained', `row ${head.seq} is not the row the chain ended with`);
      }
      return { ok: damage.length === 0, entries, head, damage };
    },
  };
}

function ownDamage(row: StoredEntry): { kind: Damage['kind']; because: string } | null {
  const content = parsed(row.json);
  if (sha256(row.json) !== row.hash) {
    return content === null
      ? { kind: 'cut', because: `the text of row ${row.seq} is not whole and does not match its hash` }
      : { kind: 'edited', because: `the text of row ${row.seq} does not match its hash` };
  }
  if (content === null) return { kind: 'cut', because: `the text of row ${row.seq} is not whole` };
  if (content.seq !== row.seq || content.run !== row.run) {
    const says = `row ${content.seq} of run ${content.run}`;
    return { kind: 'moved', because: `row ${row.seq} of run ${row.run} holds the text of ${says}` };
  }
  return null;
}

function parsed(json: string): { run?: unknown; seq?: unknown } | null {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? value : null;
  } catch {
    return null;
  }
}
