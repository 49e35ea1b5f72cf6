import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { entriesOf } from '../../src/app/entries.ts';
import { openRun } from '../../src/app/open-run.ts';
import { foldVersion, type Run, remember } from '../../src/core/index.ts';
import { archive, runs } from '../golden-home/kit.ts';
import { opened, ownFolder } from '../store/places.ts';

/** The golden home's ledgers, with what is said about the one snapshot in them. */
function golden(change: string): string {
  const folder = ownFolder();
  execFileSync('tar', ['-xzf', archive, '-C', folder, '--strip-components=1', 'home/tireless.db']);
  const path = join(folder, 'tireless.db');
  const db = new DatabaseSync(path);
  db.exec(change);
  db.close();
  return path;
}

describe('a snapshot', () => {
  it.each([
    ['of the golden home', 'SELECT 1'],
    ['of an older fold version', `UPDATE snapshot SET fold_version = ${foldVersion - 1}`],
    ['of a newer fold version', `UPDATE snapshot SET fold_version = ${foldVersion + 1}`],
  ])('%s leads to the run that all entries lead to', async (_, change) => {
    const store = opened(golden(change));
    let all: Run | null = null;
    for await (const entry of entriesOf(store, runs.cycles)) all = remember(all, entry);
    expect(await openRun(store, runs.cycles)).toEqual(all);
  });
});
