/** What supervision costs: the real Codex with a model that answers at once. Nothing is measured where Codex is not installed. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codexAgent } from '../src/edge/agents/codex/adapter.ts';
import { codexServer } from '../src/edge/agents/codex/server.ts';
import { scriptedResponses } from '../src/testkit/models/responses.ts';
import { say } from '../src/testkit/models/responses-steps.ts';
import { codexHome, installedCodex } from '../test/live/kit/codex-home.ts';
import { bareTurns, type Command, type Supervised, supervisedTurns } from './codex-turns.ts';

const rounds = 6;
const turnsPerRound = 25;
const warmTurns = 5;
const filesInRepo = 30;
const threads = 50;
const deltasPerThread = 1_200;
/** As the scripted model cuts a message into deltas. */
const charsPerDelta = 24;
const lookMs = 50;

export async function benchCodex(): Promise<Record<string, number>> {
  const codex = installedCodex();
  if (codex === undefined) {
    process.stderr.write('codex: not measured: codex is not installed (npm run agents:install codex)\n');
    return {};
  }
  return { ...(await besideBare(codex)), ...(await manyDeltas(codex)) };
}

/** Bare and supervised in turns, so that what else the machine does hits both; of each the fastest round counts. */
async function besideBare(codex: Command): Promise<Record<string, number>> {
  let step = 0;
  let folder = '';
  // Each answer leaves a result behind, as a turn that is worth another one does.
  const choose = () => {
    writeFileSync(join(folder, 'progress.txt'), `${++step}\n`);
    return say('One more step is done.');
  };
  const model = await scriptedResponses({ choose });
  const home = codexHome({ modelUrl: model.url });
  folder = home.workspace;
  makeProject(folder);
  try {
    const bare: number[] = [];
    const supervised: Supervised[] = [];
    for (let n = 0; n < rounds; n++) {
      bare.push(median((await bareTurns(home, codex, turnsPerRound)).slice(warmTurns)));
      supervised.push(await supervisedTurns(home, codex, turnsPerRound));
    }
    return figuresOf(Math.min(...bare), supervised);
  } finally {
    await model.close();
    home.remove();
  }
}

function figuresOf(bareMs: number, supervised: readonly Supervised[]): Record<string, number> {
  const turnMs = Math.min(...supervised.map(({ took }) => median(took.slice(warmTurns))));
  type Part = keyof Supervised['between'][number];
  const of = (part: Part) =>
    supervised.flatMap(({ between }) => between.slice(warmTurns).map((one) => one[part]));
  const ownP99 = supervised.map(({ between }) =>
    percentile(
      between.slice(warmTurns).map((one) => one.ownMs),
      0.99,
    ),
  );
  return {
    'codex: supervised turn, times a bare client’s': turnMs / bareMs,
    'codex: supervised turn with all that lies before the next, times a bare client’s':
      (turnMs + median(of('ms'))) / bareMs,
    'codex: ms of a turn, bare client, median': bareMs,
    'codex: ms of our own code between turns, p99, best of 6 rounds': Math.min(...ownP99),
    'codex: ms of our own code between turns, p99 of all': percentile(of('ownMs'), 0.99),
    'codex: ms of our own code between turns, median': median(of('ownMs')),
    'codex: ms of git between turns, median': median(of('gitMs')),
    'codex: ms of durable writes between turns, median': median(of('diskMs')),
    'codex: ms between turns in all, median': median(of('ms')),
  };
}

function makeProject(folder: string): void {
  mkdirSync(join(folder, 'src'));
  const text = 'export const part = 1;\n'.repeat(50);
  for (let n = 0; n < filesInRepo; n++) writeFileSync(join(folder, 'src', `part-${n}.ts`), text);
  const who = ['-c', 'user.name=b', '-c', 'user.email=b@localhost'];
  for (const args of [
    ['init', '-q'],
    ['add', '.'],
    ['commit', '-qm', 'begin'],
  ])
    execFileSync('git', [...who, ...args], { cwd: folder });
}

/** Fifty threads of one server speak at once: how fast their deltas reach us, and what of our memory they take. */
async function manyDeltas(codex: Command): Promise<Record<string, number>> {
  const text = 'x'.repeat(charsPerDelta * deltasPerThread);
  const model = await scriptedResponses({ choose: () => say(text) });
  const home = codexHome({ modelUrl: model.url });
  const command = [...codex] as [string, ...string[]];
  const { start } = codexServer({ cwd: home.workspace, env: home.env, command });
  const options = { run: 'bench', cwd: home.workspace, env: home.env, start, command };
  let deltas = 0;
  try {
    const open = async () => {
      const ended = Promise.withResolvers<void>();
      const session = await codexAgent({ ...options, sandbox: 'danger-full-access' }).open({
        onEvent: ({ type }) => type === 'turn-ended' && ended.resolve(),
        onLive: () => void deltas++,
        onChildStarted: async () => undefined,
      });
      return { session, ended: ended.promise };
    };
    const all = await Promise.all(Array.from({ length: threads }, open));
    const memory = watchMemory();
    const begun = performance.now();
    await Promise.all(
      all.map(async ({ session, ended }, n) => {
        await session.turn(`d${n}`, 'Speak.');
        await ended;
      }),
    );
    const minutes = (performance.now() - begun) / 60_000;
    const peakMb = memory.stop();
    await Promise.all(all.map(({ session }) => session.close()));
    return {
      'codex: deltas, 50 threads at once': deltas,
      'codex: deltas a minute, 50 threads at once': deltas / minutes,
      'codex: MB of our memory more while they speak, at most': peakMb,
    };
  } finally {
    await model.close();
    home.remove();
  }
}

/** How far the memory of this process, the scripted model's included, goes above where it stands now. */
function watchMemory(): { stop(): number } {
  const rss = () => process.memoryUsage().rss / 1_048_576;
  const before = rss();
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, rss());
  }, lookMs);
  return {
    stop() {
      clearInterval(timer);
      return Math.max(most, rss()) - before;
    },
  };
}

const percentile = (all: readonly number[], part: number): number =>
  all.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(all.length * part) - 1)] ?? Number.NaN;
const median = (all: readonly number[]): number => percentile(all, 0.5);

if (import.meta.main) console.table(await benchCodex());
