import type { Child, Snapshot } from '../../contract/ports.ts';
import { sha256 } from './chain.ts';
import type { Engine } from './engine.ts';
import type { Requests, ViewText } from './requests.ts';

export function body(engine: Engine, { digest }: Requests['body']['in']): string | null {
  const text = engine.sql('SELECT text FROM body WHERE digest = ?').get(digest)?.text;
  return text === undefined ? null : String(text);
}

/** Null also when the snapshot is damaged or not of this chain: the ledger itself is then folded from its start. */
export function snapshot(engine: Engine, { run }: Requests['snapshot']['in']): Snapshot | null {
  const row = engine
    .sql(
      `SELECT s.seq, s.fold_version, s.hash, s.json, s.digest FROM snapshot s
       JOIN entry e ON e.run = s.run AND e.seq = s.seq AND e.hash = s.hash WHERE s.run = ?`,
    )
    .get(run);
  if (row === undefined) return null;
  const json = String(row.json);
  if (sha256(json) !== row.digest) return null;
  return { seq: Number(row.seq), foldVersion: Number(row.fold_version), hash: String(row.hash), json };
}

export function runs(engine: Engine): ViewText[] {
  return engine
    .sql('SELECT id, view FROM run ORDER BY id DESC')
    .all()
    .map((row) => ({ run: String(row.id), view: String(row.view) }));
}

export function view(engine: Engine, { run }: Requests['view']['in']): ViewText | null {
  const text = engine.sql('SELECT view FROM run WHERE id = ?').get(run)?.view;
  return text === undefined ? null : { run, view: String(text) };
}

export function noteChild(engine: Engine, { run, child }: Requests['noteChild']['in']): null {
  engine
    .sql('INSERT INTO child (run, pid, pid_start, host) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING')
    .run(run, child.pid, child.pidStart, child.host);
  return null;
}

export function children(engine: Engine, { run }: Requests['children']['in']): Child[] {
  return engine
    .sql('SELECT pid, pid_start, host FROM child WHERE run = ? ORDER BY host, pid, pid_start')
    .all(run)
    .map((row) => ({ pid: Number(row.pid), pidStart: String(row.pid_start), host: String(row.host) }));
}

export function forgetChild(engine: Engine, { run, child }: Requests['forgetChild']['in']): null {
  engine
    .sql('DELETE FROM child WHERE run = ? AND pid = ? AND pid_start = ? AND host = ?')
    .run(run, child.pid, child.pidStart, child.host);
  return null;
}
