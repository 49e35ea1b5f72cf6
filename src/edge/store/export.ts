import { z } from 'zod';
import { entrySchema, type StoredEntry, storedEntrySchema } from '../../contract/entry.ts';
import { StoreError } from '../../contract/errors.ts';
import type { Store } from '../../contract/ports.ts';
import { upcast } from '../../contract/upcast.ts';
import {
  type ChainReport,
  chainCheck,
  chainedText,
  type ExpectedEnd,
  genesis,
  prevOf,
  rowsOf,
  sha256,
  verifyRun,
} from './chain.ts';
import { redact } from './redact.ts';
import { unknownRun } from './refusals.ts';

/** Version of the public export. */
const publicVersion = 1;

/** How far rows are tried one by one after a page that cannot be read, before whole pages are tried again. */
const salvageRowsMax = 500;

/** The first line of a public export: what it was made from. */
const publicHeadSchema = z.object({
  public: z.literal(publicVersion),
  run: z.string(),
  seq: z.literal(0),
  entries: z.number().int().nonnegative(),
  /** Hash of the last entry of the original ledger. */
  original: z.string(),
});

/**
 * The whole ledger of a run as JSON lines: each is the stored text with its hash added as the last field, so that
 * the hashed bytes can be cut out again. A damaged row is exported as it is, under `damaged`; one that lies on a
 * damaged page is named under `unreadable`, and the rows after it follow.
 */
export async function* exportRun(store: Store, run: string): AsyncGenerator<string> {
  let next = 1;
  while (true) {
    try {
      for await (const row of rowsOf(store, run, next)) {
        yield lineOf(row);
        next = row.seq + 1;
      }
      break;
    } catch (error) {
      if (!(error instanceof StoreError && error.fault === 'corrupt')) throw error;
      const end = (await store.view(run))?.seq ?? 0;
      if (next > end) throw error;
      for (const last = Math.min(end, next + salvageRowsMax); next <= last; next++)
        yield await salvaged(store, run, next);
    }
  }
  if (next === 1) throw unknownRun(run, 'this store');
}

/** One row by its key: its neighbours may be readable where a whole page of them is not. */
async function salvaged(store: Store, run: string, seq: number): Promise<string> {
  try {
    const [row] = await store.read(run, seq, 1);
    if (row?.seq === seq) return lineOf(row);
  } catch (error) {
    if (!(error instanceof StoreError && error.fault === 'corrupt')) throw error;
  }
  return JSON.stringify({ unreadable: { run, seq } });
}

/**
 * A smaller chain that can be shown to others: types, rules, verdicts, counts and digests; no text anybody wrote, no
 * path, no session. Its first line names the head hash of the original. A damaged ledger is refused.
 */
export async function* exportPublic(store: Store, run: string): AsyncGenerator<string> {
  const { ok, head, entries, damage } = await verifyRun(store, run);
  if (!ok) {
    throw new StoreError(
      'corrupt',
      `the ledger of run ${run} is damaged: ${damage[0]?.because}`,
      '`tireless export` without --public keeps every row as it is; `tireless doctor` lists the damage.',
    );
  }
  if (entries === 0) throw unknownRun(run, 'this store');
  let prev = genesis;
  const line = (content: object, seq: number) => {
    const json = chainedText(JSON.stringify(content), prev);
    prev = sha256(json);
    return lineOf({ run, seq, json, prev: '', hash: prev });
  };
  yield line({ public: publicVersion, run, seq: 0, entries, original: head.hash }, 0);
  for await (const row of rowsOf(store, run)) {
    // The run may be at work: what came after the head we named belongs to the next export.
    if (row.seq > head.seq) return;
    yield line({ ...publicEntry(row), run, seq: row.seq }, row.seq);
  }
}

/** Verifies the lines of either export, from the first. A public one also shows lines lost from its end. */
export async function verifyExport(
  lines: AsyncIterable<string> | Iterable<string>,
  end?: ExpectedEnd,
): Promise<ChainReport> {
  let check = chainCheck();
  let expected = end;
  let isFirst = true;
  for await (const text of lines) {
    if (text.trim() === '') continue;
    const row = rowOf(text);
    const head = isFirst ? publicHeadSchema.safeParse(contentOf(row.json)).data : undefined;
    if (head) {
      check = chainCheck({ seq: -1, hash: genesis });
      expected = { seq: head.entries };
    }
    isFirst = false;
    check.row(row);
  }
  return check.end(expected);
}

const suffix = /,"hash":"([0-9a-f]{64})"\}$/;

function lineOf(row: StoredEntry): string {
  if (!row.json.endsWith('}')) return JSON.stringify({ damaged: row });
  return `${row.json.slice(0, -1)},"hash":"${row.hash}"}`;
}

function rowOf(line: string): StoredEntry {
  const text = line.trimEnd();
  const hash = suffix.exec(text)?.[1];
  if (hash === undefined) return damagedRow(text);
  const json = `${text.replace(suffix, '')}}`;
  const content = contentOf(json);
  return { run: String(content.run ?? ''), seq: Number(content.seq ?? 0), json, prev: prevOf(json), hash };
}

function damagedRow(text: string): StoredEntry {
  const content = contentOf(text);
  const kept = z.object({ damaged: storedEntrySchema }).safeParse(content).data?.damaged;
  const named = z
    .object({ unreadable: storedEntrySchema.pick({ run: true, seq: true }) })
    .safeParse(content).data;
  return kept ?? { run: '', seq: 0, ...named?.unreadable, json: text, prev: '', hash: '' };
}

function contentOf(json: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

function publicEntry({ json }: StoredEntry): object {
  const { data } = entrySchema.safeParse(upcast(contentOf(json)));
  if (data === undefined) return { unreadable: true };
  const mission = data.event.type === 'run-created' ? { mission: sha256(data.event.mission.text) } : {};
  const shown = redact(entrySchema, data);
  return { ...(typeof shown === 'object' ? shown : {}), ...mission };
}
