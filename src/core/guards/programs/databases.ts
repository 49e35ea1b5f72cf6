import { reads, writes } from '../access.ts';
import { type Call, report, type World } from '../call.ts';
import { judgeSql, sqlKind, sqlStatements } from '../code/sql.ts';
import { isLoopback } from '../hosts.ts';
import { hasAnything, shown } from '../marks.ts';
import type { Flow } from '../shell/state.ts';
import { namesProduction } from '../tasks.ts';
import { type Arguments, type Family, type Knowledge, many } from './family.ts';

/** Lines of a client that are not SQL: they may run a shell or touch files. */
function judgeMeta(line: string, call: Call, world: World): boolean {
  const shell = /^\s*(?:\\!|system|\.(?:shell|system))\s*(.*)$/is.exec(line);
  if (shell) {
    report(world, 'run-any', shown(line));
    world.script((shell[1] ?? '').replace(/^['"]|['"]$/g, '') || 'sh', call, { stdin: { of: 'unknown' } });
    return true;
  }
  const reach =
    /^\s*(\\(?:o|g|w|i|ir|copy|e|ef|setenv|lo_\w+|gexec)|\.(?:import|output|once|read|load|backup|restore|clone|save|archive|ar|open|excel|log|edit|cd|dump_))\b\s*(.*)$/is.exec(
      line,
    );
  if (!reach) return /^\s*[\\.][a-z?]/i.test(line);
  const [, name = '', rest = ''] = reach;
  if (/\||program/i.test(rest)) report(world, 'run-any', shown(line));
  else if (/^(\\o|\\w|\\g|\.output|\.once|\.backup|\.save|\.clone|\.log)$/.test(name)) {
    if (rest.trim() !== '' && rest.trim() !== 'stdout')
      writes(world, call, rest.trim().split(/\s+/).at(-1) ?? '');
  } else if (/^(\\copy|\.import)$/.test(name)) report(world, 'read-odd', shown(line));
  else report(world, 'run-any', shown(line));
  return true;
}

/** Statements and client commands mixed in one text. */
function judgeDatabaseText(text: string, call: Call, world: World): void {
  const sql: string[] = [];
  for (const line of text.split('\n')) if (!judgeMeta(line, call, world)) sql.push(line);
  if (sql.join('').trim() !== '') judgeSql(sql.join('\n'), world);
}

function judgeInput(stdin: Flow, call: Call, world: World): void {
  if (stdin.of === 'text') judgeDatabaseText(stdin.text, call, world);
  else if (stdin.of === 'nothing') report(world, 'interactive', call.program);
  else
    report(
      world,
      'database-unknown',
      stdin.of === 'file' ? shown(stdin.path) : 'statements not known before they run',
    );
}

/** A client of a server: statements by option, by file or by input. */
function client(statement: string, file: string, host: string, more: Partial<Knowledge> = {}): Knowledge {
  return {
    takes: 'text',
    ...more,
    options: { [statement]: 'text', [file]: 'text', [host]: 'text', ...more.options },
    also: (args, call, world) => {
      more.also?.(args, call, world);
      const statements = args.values(...statement.split(' '));
      const files = args.values(...file.split(' '));
      for (const text of statements) judgeDatabaseText(text, call, world);
      for (const path of files) report(world, 'database-unknown', `the statements in ${shown(path)}`);
      if (statements.length === 0 && files.length === 0 && !args.has('-l', '--list', '-V', '--version', '-?'))
        judgeInput(call.stdin, call, world);
      const targets = [...args.values(...host.split(' ')), ...args.operands];
      if (targets.some(namesProduction)) report(world, 'production', shown(targets.join(' ')));
      for (const name of targets)
        if (/:\/\//.test(name) && !isLoopback(name)) report(world, 'network-out', shown(name));
    },
  };
}

const psql = client('-c --command', '-f --file', '-h --host -d --dbname', {
  options: {
    '-U --username -p --port -v --set --variable -F -P -R -T': 'text',
    '-o --output -L --log-file': 'write',
  },
});
const mysql = client('-e --execute', '', '-h --host -D --database', {
  options: {
    '-u --user -P --port -S --socket --protocol --default-character-set --ssl-mode --delimiter': 'text',
    '--tee': 'write',
    '--pager --plugin-dir --default-auth': 'is:run-any',
    '--defaults-file --defaults-extra-file': 'read',
    '--init-command': 'sql',
  },
});

/** SQLite writes one file: inside the workspace that is a write like any other. */
function judgeSqlite(args: Arguments, call: Call, world: World): void {
  const [file, ...texts] = args.operands;
  const all = [...args.values('-cmd', '--cmd'), ...texts];
  if (file !== undefined && file !== ':memory:') reads(world, call, file);
  if (all.length === 0) {
    if (call.stdin.of === 'text') all.push(call.stdin.text);
    else {
      judgeInput(call.stdin, call, world);
      return;
    }
  }
  for (const text of all) {
    const sql = text
      .split('\n')
      .filter((line) => !judgeMeta(line, call, world))
      .join('\n');
    if (hasAnything(sql)) report(world, 'database-unknown', shown(sql));
    for (const statement of sqlStatements(sql)) {
      const kind = sqlKind(statement);
      if (kind !== 'database-read' && file !== undefined) writes(world, call, file);
      if (kind === 'database-write' && !/^(ATTACH|DETACH)\b/.test(statement))
        writes(world, call, file ?? ':memory:');
      else report(world, /^(ATTACH|DETACH)\b/.test(statement) ? 'read-odd' : kind, shown(statement));
    }
  }
}

const redisReads =
  /^(get|mget|getrange|strlen|exists|ttl|pttl|type|keys|scan|hscan|sscan|zscan|hget|hgetall|hmget|hkeys|hvals|hlen|hexists|lrange|llen|lindex|smembers|sismember|scard|zrange|zrangebyscore|zrevrange|zcard|zscore|zrank|info|ping|echo|time|dbsize|lastsave|randomkey|object|memory|command|client_list|xrange|xlen|xinfo|pfcount|geopos|geodist|bitcount|getbit|role|slowlog|latency|monitor|pubsub|dump)$/i;

function judgeRedis(args: Arguments, call: Call, world: World): void {
  const words =
    args.operands.length > 0
      ? args.operands.join(' ')
      : call.stdin.of === 'text'
        ? call.stdin.text
        : undefined;
  if (args.has('--eval', '--rdb', '--pipe', '--cluster', '--functions-rdb'))
    report(world, 'run-any', 'redis-cli with a script or a dump');
  if (words === undefined) {
    if (!args.has('--scan', '--bigkeys', '--memkeys', '--stat', '--latency', '--eval', '-v'))
      judgeInput(call.stdin, call, world);
    return;
  }
  for (const line of words.split('\n')) {
    const [verb = '', second = ''] = line.trim().split(/\s+/);
    if (verb === '') continue;
    if (/^(flushall|flushdb|swapdb)$/i.test(verb)) report(world, 'database-destroy', shown(line));
    else if (
      /^(del|unlink|expire|pexpire|ltrim|spop|lpop|rpop|zpopmin|zpopmax|getdel|hdel|srem|zrem|lrem|rename|move|migrate|restore)$/i.test(
        verb,
      )
    )
      report(world, 'database-delete', shown(line));
    else if (
      /^(eval|evalsha|script|module|debug|config|slaveof|replicaof|save|bgsave|bgrewriteaof|shutdown|failover|acl|function|cluster|client|fcall)$/i.test(
        verb,
      ) &&
      !/^(get|list|info|stats|whoami|cat|users)$/i.test(second)
    )
      report(world, 'run-any', shown(line));
    else
      report(
        world,
        redisReads.test(verb) || /^(config|client|acl|cluster|script|function|module)$/i.test(verb)
          ? 'database-read'
          : 'database-write',
        shown(line),
      );
  }
  if (namesProduction(args.value('-h', '-u') ?? ''))
    report(world, 'production', shown(args.value('-h', '-u') ?? ''));
}

function judgeMongo(args: Arguments, call: Call, world: World): void {
  const codes = args.values('--eval', '-e');
  if (call.stdin.of === 'text') codes.push(call.stdin.text);
  for (const path of args.operands) {
    if (/\.m?js$/.test(path)) report(world, 'database-unknown', shown(path));
    else if (namesProduction(path)) report(world, 'production', shown(path));
    else if (/^mongodb(\+srv)?:/.test(path) && !isLoopback(path)) report(world, 'network-out', shown(path));
  }
  for (const code of codes) report(world, mongoKind(code), shown(code));
  if (codes.length === 0 && world.current.effects.length === 0) judgeInput(call.stdin, call, world);
}

function mongoKind(code: string) {
  if (
    hasAnything(code) ||
    /\b(require|process|child_process|load|run|runProgram|eval|Function|import|cat|ls|writeFile|removeFile|fs)\b\s*[(.]/.test(
      code,
    )
  )
    return 'run-code';
  if (/dropDatabase|dropAllUsers|dropAllRoles/i.test(code)) return 'database-destroy';
  if (/\.drop\w*\s*\(|shutdownServer/.test(code)) return 'database-drop';
  if (/\.(deleteMany|deleteOne|remove|findOneAndDelete|findAndModify)\s*\(/.test(code))
    return 'database-delete';
  if (
    /\.(insert|update|replace|bulkWrite|create|rename|save|ensure|findOneAnd|grant|revoke|set|out|merge)\w*\s*\(|\$out|\$merge/.test(
      code,
    )
  )
    return 'database-write';
  return /\b(find|findOne|count|countDocuments|estimatedDocumentCount|distinct|aggregate|stats|getCollectionNames|getIndexes|show|use|version|adminCommand|runCommand|serverStatus|printjson|print|listCollections|getName|hello|isMaster|explain|status|ping)\b/.test(
    code,
  ) &&
    !/runCommand|adminCommand/.test(
      code.replaceAll(
        /(runCommand|adminCommand)\s*\(\s*\{?\s*['"]?(ping|serverStatus|listDatabases|buildInfo|hello|isMaster|connectionStatus)\b/g,
        '',
      ),
    )
    ? 'database-read'
    : 'database-unknown';
}

export const databases: Family = {
  ...many('psql pgcli usql', psql),
  ...many('mysql mariadb mycli', mysql),
  ...many(
    'clickhouse-client',
    client('-q --query', '--queries-file', '-h --host', {
      options: { '-u --user --password -d --database --port': 'text' },
    }),
  ),
  ...many('sqlcmd', client('-Q -q', '-i', '-S', { options: { '-U -P -d': 'text', '-o': 'write' } })),
  ...many(
    'cqlsh snowsql trino presto beeline spark-sql hive impala-shell',
    client('-e -q --execute --query', '-f --file', '-h --host'),
  ),
  ...many('sqlite3 sqlite litecli duckdb', {
    oneDash: true,
    takes: 'text',
    options: { '-cmd --cmd -separator -newline -nullvalue -init': 'text' },
    also: judgeSqlite,
  }),
  'redis-cli': {
    takes: 'text',
    stops: true,
    options: {
      '-h -p -s -a -u -n -r -i --pattern --count --type --user --pass -d -D --cert --key --cacert': 'text',
      '': 'text',
    },
    also: judgeRedis,
  },
  ...many('mongosh mongo', {
    takes: 'text',
    options: {
      '--eval -e --host --port -u --username -p --password --authenticationDatabase': 'text',
      '-f --file': 'is:database-unknown',
    },
    also: judgeMongo,
  }),
  ...many('pg_dump pg_dumpall mysqldump mongodump mongoexport mariadb-dump', {
    is: 'database-read',
    takes: 'text',
    options: {
      '-f --file -r --result-file -o --out': 'write',
      '-h --host -U --username -p --port -d --dbname -F --format -t --table -n --schema -u --user -j --jobs --collection --db --uri':
        'text',
      '-T --tab': 'write',
    },
  }),
  ...many(
    'pg_restore mysqlimport mongorestore mongoimport pgloader pg_basebackup initdb pg_ctl pg_resetwal createdb createuser vacuumdb reindexdb clusterdb pg_upgrade',
    'is:database-write',
  ),
  ...many('dropdb dropuser', 'is:database-destroy'),
  ...many('pg_isready pg_config pg_lsclusters mysqlcheck mysqlshow', 'is:database-read'),
  mysqladmin: {
    options: { '-u --user -h --host -P --port': 'text' },
    subs: {
      ...many('ping status version variables processlist extended-status', 'is:database-read'),
      drop: 'is:database-destroy',
      create: 'is:database-write',
      ...many(
        'shutdown kill flush-hosts flush-logs flush-tables reload refresh password',
        'is:database-write',
      ),
    },
  },
};
