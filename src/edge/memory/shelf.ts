import type { DatabaseSync } from 'node:sqlite';
import { scopeTerm } from './search.ts';

interface Shelved {
  readonly place: number;
  readonly terms: string;
  readonly scope: string;
}

/** Adds memories to the search index and removes them; `settle` writes the changed counts. */
export interface Shelf {
  put(one: Shelved): void;
  take(one: Shelved): void;
  settle(): void;
  /** Drops the counts of a transaction that was rolled back. */
  drop(): void;
}

export function makeShelf(db: DatabaseSync): Shelf {
  const sql = {
    put: db.prepare('INSERT INTO search (rowid, terms, scope) VALUES (?, ?, ?)'),
    take: db.prepare('DELETE FROM search WHERE rowid = ?'),
    holding: db.prepare(
      'INSERT INTO holding (term, count) VALUES (?, ?) ON CONFLICT (term) DO UPDATE SET count = count + excluded.count',
    ),
    total: db.prepare('UPDATE total SET count = count + ? WHERE name = ?'),
  };
  const changes = new Map<string, number>();
  const scopes = new Map<string, string>();
  let [memories, terms] = [0, 0];
  const scopeTermOf = (scope: string): string => {
    const known = scopes.get(scope) ?? scopeTerm(scope);
    if (scopes.size < 1_000) scopes.set(scope, known);
    return known;
  };
  const count = (one: Shelved, by: 1 | -1): void => {
    const all = one.terms.split(' ');
    for (const term of new Set(all)) changes.set(term, (changes.get(term) ?? 0) + by);
    memories += by;
    terms += by * all.length;
  };
  const drop = (): void => {
    changes.clear();
    [memories, terms] = [0, 0];
  };
  return {
    put(one) {
      sql.put.run(one.place, one.terms, scopeTermOf(one.scope));
      count(one, 1);
    },
    take(one) {
      sql.take.run(one.place);
      count(one, -1);
    },
    settle() {
      for (const [term, by] of changes) if (by !== 0 && term !== '') sql.holding.run(term, by);
      sql.total.run(memories, 'memories');
      sql.total.run(terms, 'terms');
      drop();
    },
    drop,
  };
}
