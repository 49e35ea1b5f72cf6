import type { StoredEntry } from '../../contract/entry.ts';
import { chainedText, genesis, prevOf, sha256 } from './chain.ts';
import type { Engine } from './engine.ts';
import { worldFault } from './faults.ts';
import { runKey } from './lease.ts';
import { notNext, snapshotOfNothing, staleEpoch } from './refusals.ts';
import type { AppendInput, Requests } from './requests.ts';

/**
 * Entries, view, bodies, snapshot and consumed inbox rows of one append. Runs inside the caller's transaction; a
 * refusal leaves nothing behind once that is rolled back.
 */
export function append(engine: Engine, input: AppendInput): null {
  const { run, entries } = input;
  checkEpoch(engine, input);
  const head = headOf(engine, run);
  if (input.fromSeq !== head.seq + 1) {
    throw notNext(run, input.fromSeq, head.seq, engine.path);
  }

  const insert = engine.sql('INSERT INTO entry (run, seq, json, hash) VALUES (?, ?, ?, ?)');
  let { seq, hash } = head;
  for (const text of entries) {
    const json = chainedText(text, hash);
    hash = sha256(json);
    insert.run(run, ++seq, json, hash);
  }
  engine
    .sql(
      `INSERT INTO run (id, seq, head, epoch, touched, view) VALUES (?, ?, ?, ?, 1, ?)
       ON CONFLICT (id) DO UPDATE SET seq = excluded.seq, head = excluded.head, epoch = excluded.epoch,
         touched = touched + 1, view = excluded.view`,
    )
    .run(run, seq, hash, input.epoch, input.view);

  const keep = engine.sql('INSERT INTO body (digest, text) VALUES (?, ?) ON CONFLICT (digest) DO NOTHING');
  for (const { digest, text } of input.bodies) keep.run(digest, text);
  const consume = engine.sql('DELETE FROM inbox WHERE run = ? AND id = ?');
  for (const cause of input.causes) consume.run(run, cause);
  if (input.snapshot) keepSnapshot(engine, run, input.snapshot);
  return null;
}

export function read(engine: Engine, { run, fromSeq, limit }: Requests['read']['in']): StoredEntry[] {
  const rows = engine
    .sql('SELECT seq, json, hash FROM entry WHERE run = ? AND seq >= ? ORDER BY seq LIMIT ?')
    .all(run, fromSeq, Math.min(limit, Number.MAX_SAFE_INTEGER));
  return rows.map((row) => {
    const json = String(row.json);
    return { run, seq: Number(row.seq), json, prev: prevOf(json), hash: String(row.hash) };
  });
}

function checkEpoch(engine: Engine, { run, epoch }: AppendInput): void {
  const lease = engine.sql('SELECT epoch, session, pid, host FROM lease WHERE key = ?').get(runKey(run));
  if (lease?.epoch === epoch && lease.session !== null) return;
  const now =
    lease === undefined || lease.session === null
      ? 'nobody holds it'
      : `session ${lease.session}, pid ${lease.pid} on ${lease.host} holds it with epoch ${lease.epoch}`;
  throw staleEpoch(run, epoch, engine.path, now);
}

function headOf(engine: Engine, run: string): { seq: number; hash: string } {
  const last = engine.sql('SELECT seq, hash FROM entry WHERE run = ? ORDER BY seq DESC LIMIT 1').get(run);
  const said = engine.sql('SELECT seq, head FROM run WHERE id = ?').get(run);
  const head = last ? { seq: Number(last.seq), hash: String(last.hash) } : { seq: 0, hash: genesis };
  if ((said?.head ?? genesis) !== head.hash) {
    const ends = `run ${run} ends at entry ${head.seq}, but entry ${said?.seq ?? 0} was its last`;
    throw worldFault('corrupt', engine.path, ends);
  }
  return head;
}

function keepSnapshot(engine: Engine, run: string, snapshot: NonNullable<AppendInput['snapshot']>): void {
  const { seq, foldVersion, json } = snapshot;
  const entry = engine.sql('SELECT hash FROM entry WHERE run = ? AND seq = ?').get(run, seq);
  if (entry === undefined) throw snapshotOfNothing(run, seq, engine.path);
  engine
    .sql(
      `INSERT INTO snapshot (run, seq, fold_version, hash, json, digest) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (run) DO UPDATE SET seq = excluded.seq, fold_version = excluded.fold_version,
         hash = excluded.hash, json = excluded.json, digest = excluded.digest`,
    )
    .run(run, seq, foldVersion, String(entry.hash), json, sha256(json));
}
