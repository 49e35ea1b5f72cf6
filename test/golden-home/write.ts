import { execFileSync, spawn } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * Writes the golden home with a built program, through its command line alone. It imports nothing of ours, so it
 * stays what it was when it ran. README.md says how it was called, and by which commit.
 */
const root = '/tmp/tireless-golden';
const [home, user, work] = [join(root, 'home'), join(root, 'user'), join(root, 'work')];
const node = join(root, 'bin', 'node');
const program = join(root, 'program', 'tireless.js');
const archive = resolve(import.meta.dirname, 'golden-home.tar.gz');
const withinMs = 60_000;

const env = { PATH: `${dirname(node)}:/usr/bin:/bin`, HOME: user, USER: 'golden', TIRELESS_HOME: home };
const claim = 'Both are there.\n\nTIRELESS: MISSION COMPLETE';
const one = { write: 'one.txt', text: '1\n' };
const two = { write: 'two.txt', text: '2\n' };
const push = { run: 'git push --quiet origin work:golden' };
const tool = (name: string, args: object) => ({ tool: name, with: args });
const parser = { action: 'add', task_id: 'parser', description: 'write the parser', priority: 2 };
/** Enough entries for a snapshot. */
const looks = Array.from({ length: 20 }, (_, n) => ({ run: `echo look ${n + 1}` }));
const lexer = { action: 'add', task_id: 'lexer', description: 'write the lexer', priority: 1 };

const scripts = {
  certified: [
    { steps: [one], message: 'One of two.' },
    { steps: [two], message: claim },
  ],
  paused: [
    { steps: [one], message: 'One of two.' },
    { steps: [two], message: claim },
  ],
  asking: [
    { steps: [one, push], message: 'Pushed.' },
    { steps: [push, two], message: claim },
  ],
  cycles: [
    {
      steps: [
        tool('task_queue_write', lexer),
        tool('task_queue_write', parser),
        tool('memory_write', { text: 'The lexer reads UTF-8 only.', type: 'fact', importance: 0.9 }),
        one,
        ...looks,
      ],
      message: 'One of two.',
    },
    { steps: [{ run: 'echo the answer is 42; exit 3' }, { tokens: 600 }], message: 'Measured it.' },
    {
      steps: [{ write: 'notes.txt', text: 'later\n' }],
      message: 'The parser is next; begin with the lexer.',
    },
    {
      steps: [
        tool('memory_write', { text: 'The parser needs two tokens of lookahead.' }),
        { write: 'lexer.txt', text: 'l\n' },
        { hang: true },
      ],
      message: '',
    },
    {
      steps: [
        two,
        tool('task_queue_write', { action: 'update', task_id: 'lexer', status: 'done' }),
        tool('task_queue_write', { action: 'remove', task_id: 'parser' }),
      ],
      message: claim,
    },
  ],
};
type Name = keyof typeof scripts;

function git(cwd: string, ...args: string[]): void {
  execFileSync('git', args, { cwd, env, stdio: ['ignore', 'ignore', 'inherit'] });
}

function makeWorkspace(name: Name): string {
  const folder = join(work, name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'README.md'), '# Two files\n');
  writeFileSync(join(folder, 'check.sh'), 'test -f one.txt && test -f two.txt\n');
  if (name === 'certified') {
    mkdirSync(join(folder, '.tireless'));
    writeFileSync(
      join(folder, '.tireless', 'config.yaml'),
      'limits:\n  turnsMax: 300\nchecks:\n  - name: files\n    command: sh check.sh\n',
    );
  }
  git(folder, 'init', '--quiet', '--template=', '--initial-branch=work');
  git(folder, 'add', '.');
  git(folder, 'commit', '--quiet', '--message', 'begin');
  return folder;
}

function tireless(cwd: string, ...args: string[]): string {
  return execFileSync(node, [program, ...args], {
    cwd,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/** Works a script in a keeper of its own; gives the run and its process. */
async function begin(name: Name, ...flags: string[]): Promise<{ run: string; pid: number; folder: string }> {
  const folder = makeWorkspace(name);
  const script = join(root, `${name}.json`);
  writeFileSync(script, JSON.stringify({ turns: scripts[name], asks: name === 'asking', paceMs: 0 }));
  if (name === 'asking') git(folder, 'remote', 'add', 'origin', join(root, 'remote.git'));
  const words = ['run', '--agent', 'scripted', '--script', script, '--yes', '--detach', '--json', ...flags];
  const { run } = JSON.parse(tireless(folder, ...words, 'make two files')) as { run: string };
  const pid = await until(`the keeper of ${name}`, () => keeperOf(run));
  return { run, pid, folder };
}

function keeperOf(run: string): number | null {
  const db = new DatabaseSync(join(home, 'tireless.db'), { readOnly: true });
  try {
    const rows = db.prepare('SELECT json FROM entry WHERE run = ? ORDER BY seq DESC').all(run);
    const events = rows.map(
      ({ json }) => (JSON.parse(String(json)) as { event: Record<string, unknown> }).event,
    );
    const started = events.find(({ type }) => type === 'keeper-started');
    return started === undefined ? null : Number(started.pid);
  } finally {
    db.close();
  }
}

interface View {
  readonly state: string;
  readonly cause: string | null;
  readonly gates: readonly unknown[];
}
const view = (folder: string): View => JSON.parse(tireless(folder, 'status', '--json')) as View;

async function until<T>(what: string, look: () => T | null | false): Promise<T> {
  const since = performance.now();
  for (;;) {
    const seen = look();
    if (seen !== null && seen !== false) return seen;
    if (performance.now() - since > withinMs) throw new Error(`never came: ${what}`);
    await pause(50);
  }
}

const gone = (pid: number): Promise<boolean> => until(`the end of ${pid}`, () => !existsSync(`/proc/${pid}`));

/** Everything is in the database file itself: nothing in a write-ahead log. */
function checkpoint(file: string): void {
  const db = new DatabaseSync(join(home, file));
  const busy = db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy;
  db.close();
  if (busy !== 0 || existsSync(join(home, `${file}-wal`))) throw new Error(`${file} is still in use`);
}

function prepare(dist: string): void {
  rmSync(root, { recursive: true, force: true });
  for (const folder of [dirname(node), work, join(user, '.config', 'tireless')])
    mkdirSync(folder, { recursive: true });
  copyFileSync(process.execPath, node);
  symlinkSync(dist, join(root, 'program'));
  writeFileSync(
    join(user, '.config', 'tireless', 'config.yaml'),
    'notifications:\n  desktop: false\n# the question has to be open in many years\ngates:\n  timeoutMs: 36500d\nlimits:\n  cycleTokensMax: 3000\n',
  );
  writeFileSync(join(user, '.gitconfig'), '[user]\n  name = golden\n  email = golden@localhost\n');
  git(root, 'init', '--quiet', '--bare', '--template=', 'remote.git');
}

async function main(dist: string | undefined): Promise<void> {
  if (dist === undefined || hostname() !== 'golden') throw new Error('see README.md');
  prepare(resolve(dist));
  const proof = ['--check', 'sh check.sh'];

  const certified = await begin('certified', '--trust');
  await gone(certified.pid);

  const paused = await begin('paused', '--turns', '1', ...proof);
  await gone(paused.pid);

  const asking = await begin('asking', ...proof);
  await until('the question', () => view(asking.folder).gates.length > 0);
  process.kill(asking.pid, 'SIGTERM');
  await gone(asking.pid);
  // Left for a keeper that is not there yet.
  tireless(asking.folder, 'steer', 'leave the README as it is');

  const cycles = await begin('cycles', '--mode', 'autonomous', '--cycles', '5', ...proof);
  await until('the second cycle', () => existsSync(join(cycles.folder, 'lexer.txt')));
  tireless(cycles.folder, 'tasks', 'add', 'write the README', '--id', 'readme', '--priority', '9');
  process.kill(cycles.pid, 'SIGKILL');
  await gone(cycles.pid);
  tireless(cycles.folder, 'memory', 'add', 'The person prefers short names.', '--scope', 'global');

  for (const { folder } of [certified, paused, asking, cycles]) console.log(folder, view(folder));
  await until(
    'every process to end',
    () => !execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).includes(program),
  );
  for (const file of ['tireless.db', 'memory.db']) checkpoint(file);
  const tar = spawn(
    'tar',
    [
      '--sort=name',
      '--owner=0',
      '--group=0',
      '--numeric-owner',
      '-czf',
      archive,
      '-C',
      root,
      'home',
      'user',
      'work',
      'remote.git',
    ],
    { stdio: 'inherit' },
  );
  await new Promise((done) => tar.once('close', done));
  console.log(`${archive}: ${readFileSync(archive).length} bytes`);
}

await main(process.argv[2]);
