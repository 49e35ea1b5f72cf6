import type { GuardEffectKind } from '../../../contract/guard.ts';
import { report, type World } from '../call.ts';
import { hasAnything, shown } from '../marks.ts';

/** The statements of a text, quotes and comments understood, each upper-cased with its literals emptied. */
export function sqlStatements(text: string): string[] {
  const statements: string[] = [];
  let current = '';
  let at = 0;
  while (at < text.length) {
    const rest = text.slice(at, at + 2);
    const char = text[at] as string;
    if (rest === '--' || (char === '#' && /(^|\s)$/.test(current))) {
      const end = text.indexOf('\n', at);
      at = end === -1 ? text.length : end;
    } else if (rest === '/*') {
      // MySQL runs what stands in `/*! … */`.
      const end = text.indexOf('*/', at + 2);
      const body = text.slice(at + 2, end === -1 ? text.length : end);
      if (body.startsWith('!')) current += ` ${body.slice(1).replace(/^\d+/, '')} `;
      else current += ' ';
      at = end === -1 ? text.length : end + 2;
    } else if (char === "'" || char === '"' || char === '`') {
      const end = closing(text, at, char);
      current += char === "'" ? "''" : text.slice(at + 1, end - 1);
      at = end;
    } else if (char === ';') {
      statements.push(current);
      current = '';
      at++;
    } else {
      current += char;
      at++;
    }
  }
  statements.push(current);
  return statements
    .map((one) => one.replaceAll(/\s+/g, ' ').trim().toUpperCase())
    .filter((one) => one !== '');
}

/** The position after the closing quote; a doubled or escaped quote does not close. */
function closing(text: string, start: number, quote: string): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\' && quote === "'") at++;
    else if (text[at] === quote) {
      if (text[at + 1] !== quote) return at + 1;
      at++;
    }
  }
  return text.length;
}

const reaches =
  /\b(PG_READ_FILE|PG_READ_BINARY_FILE|PG_LS_DIR|LOAD_FILE|LO_IMPORT|LO_EXPORT|XP_CMDSHELL|XP_REGREAD|SP_OACREATE|LOAD_EXTENSION|READFILE|WRITEFILE|EDIT|SYS_EXEC|SYS_EVAL|DBMS_SCHEDULER|UTL_FILE|UTL_HTTP|DBLINK|INTO (OUTFILE|DUMPFILE)|VACUUM (MAIN )?INTO|TO PROGRAM|FROM PROGRAM)\b/;

/** A reading statement that also writes: `SELECT … INTO table`, `WITH x AS (INSERT …)`. */
function changesInside(statement: string): boolean {
  const head = statement.split(/\bFROM\b/)[0] ?? '';
  return (
    /\bINTO\b(?! @)/.test(head) ||
    /\b(INSERT|UPDATE|MERGE)\b/.test(statement.replaceAll(/\b(FOR|ON) UPDATE\b/g, ''))
  );
}

/** What one statement does. */
export function sqlKind(statement: string): GuardEffectKind {
  if (reaches.test(statement)) return 'run-any';
  if (/^(DROP|TRUNCATE) (DATABASE|SCHEMA|KEYSPACE|CATALOG|TABLESPACE|USER|ROLE)\b/.test(statement))
    return 'database-destroy';
  if (/^DROP OWNED\b/.test(statement)) return 'database-destroy';
  if (/\b(PG_AUTHID|PG_SHADOW|MYSQL\.USER|SYS\.USER\$|SYSCAT\.DBAUTH)\b/.test(statement))
    return 'read-secret';
  if (/^(DROP|TRUNCATE)\b/.test(statement)) return 'database-drop';
  if (/^ALTER\b.*\bDROP\b/.test(statement)) return 'database-drop';
  if (
    /\bDELETE\b/.test(statement) &&
    /^(DELETE|WITH|EXPLAIN ANALYZE|MERGE|BEGIN|DO|EXECUTE|CALL)\b/.test(statement)
  )
    return 'database-delete';
  if (/^SET (PASSWORD|GLOBAL|PERSIST|ROLE|SESSION AUTHORIZATION)\b/.test(statement)) return 'database-write';
  if (/^UPDATE\b/.test(statement)) return /\bWHERE\b/.test(statement) ? 'database-write' : 'database-delete';
  if (
    /^(SELECT|WITH|SHOW|DESC|DESCRIBE|EXPLAIN|VALUES|TABLE|PRAGMA|USE|SET|BEGIN|COMMIT|START|ROLLBACK|ANALYZE|HELP|LIST|FETCH|DECLARE|CHECK|FROM|SUMMARIZE|END)\b/.test(
      statement,
    )
  ) {
    return changesInside(statement) ? 'database-write' : 'database-read';
  }
  if (
    /^(INSERT|CREATE|ALTER|REPLACE|MERGE|UPSERT|GRANT|REVOKE|COMMENT|RENAME|REINDEX|VACUUM|OPTIMIZE|CLUSTER|REFRESH|COPY|LOAD|CALL|DO|EXECUTE|EXEC|LOCK|KILL|FLUSH|RESET|PURGE|ATTACH|DETACH|IMPORT|BACKUP|RESTORE|SHUTDOWN)\b/.test(
      statement,
    )
  ) {
    return 'database-write';
  }
  return 'database-unknown';
}

/** Judges a text of SQL statements. */
export function judgeSql(text: string, world: World): void {
  if (hasAnything(text) && !/^[\s\w]*\b(select|show|explain)\b/i.test(text)) {
    report(world, 'database-unknown', shown(text));
    return;
  }
  for (const statement of sqlStatements(text)) report(world, sqlKind(statement), shown(statement));
}
