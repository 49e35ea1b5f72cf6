import type { DatabaseSync } from 'node:sqlite';
import { guarded } from '../store/faults.ts';
import { inTransaction } from '../store/migrate.ts';

const table = `CREATE TABLE IF NOT EXISTS vector (
  id TEXT NOT NULL, model TEXT NOT NULL, vector BLOB NOT NULL, PRIMARY KEY (id, model)
) STRICT, WITHOUT ROWID`;

export interface Vectors {
  /** Stored embeddings of these memories, by id. */
  vectors(model: string, ids: readonly string[]): Map<string, Float32Array>;
  keepVectors(model: string, vectors: ReadonlyMap<string, Float32Array>): void;
}

/** Embeddings stored beside their memories; recomputed when the model changes. A text never changes. */
export function makeVectors(db: DatabaseSync, path: string): Vectors {
  const prepared = () => {
    db.exec(table);
    return {
      get: db.prepare(
        'SELECT id, vector FROM vector WHERE model = ? AND id IN (SELECT value FROM json_each(?))',
      ),
      put: db.prepare('INSERT OR REPLACE INTO vector VALUES (?, ?, ?)'),
    };
  };
  // Created on first use: most people have no embeddings.
  let known: ReturnType<typeof prepared> | null = null;
  const sql = () => {
    known ??= prepared();
    return known;
  };
  return {
    vectors: (model, ids) =>
      guarded(path, () => {
        const rows = sql().get.all(model, JSON.stringify(ids));
        return new Map(rows.map(({ id, vector }) => [String(id), floats(vector as Uint8Array)]));
      }),
    keepVectors: (model, vectors) =>
      guarded(path, () => {
        const { put } = sql();
        inTransaction(db, () => {
          for (const [id, { buffer, byteOffset, byteLength }] of vectors)
            put.run(id, model, new Uint8Array(buffer, byteOffset, byteLength));
        });
      }),
  };
}

const floats = (bytes: Uint8Array): Float32Array => new Float32Array(bytes.slice().buffer);
