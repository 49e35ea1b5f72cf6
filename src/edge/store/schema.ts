/** Marks the file as ours (`PRAGMA application_id`, the letters TRLS), so that no other database is ever written to. */
export const applicationId = 0x54_52_4c_53;

export const pageBytes = 8_192;

/**
 * Keyed by what things are (`run`, `seq`, a digest), never by rowid, so that any other database can stand here.
 * `run.seq` and `run.head` repeat the end of the chain: rows lost from its end would otherwise leave no gap.
 * `lease` is not STRICT: whatever damage puts there, acquiring must be able to read it and go on.
 */
const tables = `
CREATE TABLE entry (
  run TEXT NOT NULL, seq INTEGER NOT NULL, json TEXT NOT NULL, hash TEXT NOT NULL,
  PRIMARY KEY (run, seq)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER entry_never_changes BEFORE UPDATE ON entry
  BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER entry_never_goes BEFORE DELETE ON entry
  BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;

CREATE TABLE run (
  id TEXT NOT NULL PRIMARY KEY, seq INTEGER NOT NULL, head TEXT NOT NULL, epoch INTEGER NOT NULL,
  touched INTEGER NOT NULL, view TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE snapshot (
  run TEXT NOT NULL PRIMARY KEY, seq INTEGER NOT NULL, fold_version INTEGER NOT NULL, hash TEXT NOT NULL,
  json TEXT NOT NULL, digest TEXT NOT NULL
) STRICT;

CREATE TABLE body (digest TEXT NOT NULL PRIMARY KEY, text TEXT NOT NULL) STRICT;

CREATE TABLE inbox (
  run TEXT NOT NULL, id TEXT NOT NULL, at REAL NOT NULL, event TEXT NOT NULL,
  PRIMARY KEY (run, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE lease (
  key TEXT NOT NULL PRIMARY KEY, epoch INTEGER, session TEXT, pid INTEGER, pid_start TEXT, host TEXT,
  heartbeat_at REAL
) WITHOUT ROWID;

CREATE TABLE child (
  run TEXT NOT NULL, pid INTEGER NOT NULL, pid_start TEXT NOT NULL, host TEXT NOT NULL,
  PRIMARY KEY (run, host, pid, pid_start)
) STRICT, WITHOUT ROWID;
`;

/** Each makes the tables of one version into those of the next. What stands here once stays; add at the end. */
export const migrations: readonly string[] = [tables];

/** Version of the tables, kept in `PRAGMA user_version`. A newer file is refused and left as it is. */
export const schemaVersion = migrations.length;
