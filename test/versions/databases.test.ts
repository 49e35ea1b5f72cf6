import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { memoryMigrations, openMemoryFile } from '../../src/edge/memory/schema.ts';
import { openEngine } from '../../src/edge/store/engine.ts';
import { migrate, versionOf } from '../../src/edge/store/migrate.ts';
import { migrations } from '../../src/edge/store/schema.ts';
import { archive } from '../golden-home/kit.ts';
import { ownFolder } from '../store/places.ts';

const kinds = [
  {
    file: 'tireless.db',
    steps: migrations,
    open: (path: string) => openEngine(path).db,
    table: 'entry',
    rows: 129,
  },
  { file: 'memory.db', steps: memoryMigrations, open: openMemoryFile, table: 'memory', rows: 6 },
];

function golden(file: string): string {
  const folder = ownFolder();
  execFileSync('tar', ['-xzf', archive, '-C', folder, '--strip-components=1', `home/${file}`]);
  return join(folder, file);
}

function connected(path: string): DatabaseSync {
  const db = new DatabaseSync(path);
  onTestFinished(() => {
    if (db.isOpen) db.close();
  });
  return db;
}

describe.each(kinds)('$file', ({ file, steps, open, table, rows }) => {
  const count = (db: DatabaseSync): unknown => db.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n;

  it('of the golden home has the oldest version there is, and opens as today’s', () => {
    const path = golden(file);
    expect(readFileSync(path).readUInt32BE(60)).toBe(1);
    const db = open(path);
    expect([versionOf(db), count(db)]).toEqual([steps.length, rows]);
    db.close();
  });

  it('is brought forward one version after the other, and keeps what it holds', () => {
    const db = connected(golden(file));
    const later = [...steps, 'CREATE TABLE later (n INTEGER)', 'INSERT INTO later VALUES (3)'];
    migrate(file, db, later);
    expect([versionOf(db), count(db)]).toEqual([later.length, rows]);
    migrate(file, db, later);
    expect(db.prepare('SELECT n FROM later').all()).toEqual([{ n: 3 }]);
  });

  it('stays at the version before a step that fails, and goes on from there', () => {
    const db = connected(golden(file));
    const broken = 'CREATE TABLE half (n INTEGER); INSERT INTO nowhere VALUES (1)';
    const first = [...steps, 'CREATE TABLE later (n INTEGER)'];
    expect(() => migrate(file, db, [...first, broken])).toThrow('nowhere');
    expect(versionOf(db)).toBe(first.length);
    expect(db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'half'").get()).toBeUndefined();
    migrate(file, db, [...first, 'CREATE TABLE half (n INTEGER)']);
    expect([versionOf(db), count(db)]).toEqual([first.length + 1, rows]);
  });

  it('is made by the same steps where there is none', () => {
    const db = open(join(ownFolder(), file));
    expect([versionOf(db), count(db)]).toEqual([steps.length, 0]);
    db.close();
  });

  it('of a newer version is refused and kept to the byte, also while that stands in its log only', () => {
    const [path, left] = [golden(file), join(ownFolder(), file)];
    const newer = connected(path);
    newer.exec(`PRAGMA journal_mode = WAL; PRAGMA user_version = ${steps.length + 1}`);
    for (const end of ['', '-wal']) copyFileSync(path + end, left + end);
    newer.close();
    const bytes = () => [readFileSync(path), readFileSync(left), readFileSync(`${left}-wal`)];
    const before = bytes();
    for (const one of [path, left])
      expect(() => open(one)).toThrow(
        expect.objectContaining({ fault: 'newer', message: expect.stringContaining(one) }),
      );
    expect(bytes()).toEqual(before);
  });
});
