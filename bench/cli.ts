/** How fast the program starts, against Node itself: people put `status` into prompts, and hooks start it all day. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { closingLine } from '../src/core/index.ts';
import { holderHere } from '../src/edge/lock.ts';
import { openInline, runKey } from '../src/edge/store/sqlite.ts';
import { sampleEntries, sampleView } from '../src/testkit/store-samples.ts';

const rounds = 30;
const runs = 20;
const entriesEach = 50;

const commands = [
  ...['--version', 'status', 'status --json', 'status --why', 'help', 'run --help'],
  ...['runs', 'inbox', 'logs', 'report', 'diff', 'tasks', 'metrics', 'export', 'replay'],
  ...['checks --list', 'memory search deploy', 'guard check ls', 'agents', 'completion bash'],
];

const program = resolve(import.meta.dirname, '../dist/tireless.js');

/** Least time of many, in turns, so that whatever else the machine does meets all of them. */
export async function benchCli(): Promise<Record<string, number>> {
  if (!existsSync(program)) throw new Error(`${program} is not built: npm run build`);
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tireless-bench-')));
  try {
    const [home, workspace] = [join(folder, 'home'), join(folder, 'work')];
    for (const made of [home, workspace]) mkdirSync(made, { mode: 0o700 });
    const env = { PATH: process.env.PATH, HOME: folder, TIRELESS_HOME: home };
    await writeRuns(join(home, 'tireless.db'), workspace);
    workRun(join(folder, 'script.json'), workspace, env);
    const leastMs = new Map<string, number>();
    for (let round = 0; round < rounds; round++) {
      for (const name of ['node', ...commands]) {
        const args = name === 'node' ? ['-e', '0'] : [program, ...name.split(' ')];
        const tookMs = timed(args, workspace, env);
        leastMs.set(name, Math.min(tookMs, leastMs.get(name) ?? tookMs));
      }
    }
    const bareMs = leastMs.get('node') ?? 0;
    const figures: Record<string, number> = { 'cli: ms of node -e 0, least': round1(bareMs) };
    for (const [name, ms] of leastMs)
      if (name !== 'node') figures[`cli: ${name}, times node -e 0`] = Math.round((ms / bareMs) * 100) / 100;
    return figures;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function timed(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): number {
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, {
    cwd,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const tookMs = performance.now() - start;
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`);
  return tookMs;
}

/** A real run of one turn, the newest of all: the one that commands without a name are about. */
function workRun(script: string, cwd: string, env: NodeJS.ProcessEnv): void {
  writeFileSync(
    script,
    JSON.stringify({ asks: false, paceMs: 0, turns: [{ steps: [], message: closingLine }] }),
  );
  const flags = ['--agent', 'scripted', '--script', script, '--yes', '--foreground', '--check', 'true'];
  timed([program, 'run', ...flags, 'nothing'], cwd, env);
}

/** Twenty runs that are older. */
async function writeRuns(path: string, workspace: string): Promise<void> {
  const store = openInline(path);
  for (let n = 0; n < runs; n++) {
    const run = `0000-${String(n).padStart(2, '0')}`;
    const lease = await store.acquire(runKey(run), holderHere('bench'));
    if (!('got' in lease)) throw new Error(`${run} is held`);
    const view = { ...sampleView(run, entriesEach), workspace };
    await store.append(run, lease.got.epoch, 1, sampleEntries(run, 1, entriesEach), { view });
  }
  await store.close();
}

function round1(ms: number): number {
  return Math.round(ms * 10) / 10;
}

if (import.meta.main) console.table(await benchCli());
