/**
 * Runs every bench beside this file and prints its figures with their bars. `--json` prints one JSON object instead;
 * names as arguments run only those benches. Bars in time hold here and never in a test.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { cpus } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { barOf } from './bars.ts';

interface Figure {
  readonly bench: string;
  readonly figure: string;
  readonly value: number;
  readonly bar: string;
  readonly verdict: 'holds' | 'fails' | '';
}

type Bench = () => Promise<Record<string, number>>;

/** The benches of this folder: every module with an exported function whose name begins with `bench`. */
const names = (): readonly string[] =>
  readdirSync(import.meta.dirname)
    .filter((file) => file.endsWith('.ts') && !aside.has(file))
    .map((file) => basename(file, '.ts'));

async function benchesOf(name: string): Promise<readonly Bench[]> {
  const path = join(import.meta.dirname, `${name}.ts`);
  const module = (await import(pathToFileURL(path).href)) as Record<string, unknown>;
  return Object.entries(module).flatMap(([key, value]) =>
    key.startsWith('bench') && typeof value === 'function' ? [value as Bench] : [],
  );
}

/** What stands here and is no bench. */
const aside: ReadonlySet<string> = new Set(['run.ts', 'bars.ts', 'recorded.ts', 'codex-turns.ts']);

async function measure(name: string, bench: Bench): Promise<readonly Figure[]> {
  const figures = await bench();
  return Object.entries(figures).map(([figure, value]) => {
    const bar = barOf(name, figure);
    const rounded = Math.round(value * 1_000) / 1_000;
    if (bar === undefined) return { bench: name, figure, value: rounded, bar: '', verdict: '' };
    const holds = 'atLeast' in bar ? value >= bar.atLeast : value < bar.below;
    const written = 'atLeast' in bar ? `≥ ${bar.atLeast}` : `< ${bar.below}`;
    return { bench: name, figure, value: rounded, bar: written, verdict: holds ? 'holds' : 'fails' };
  });
}

const isJson = process.argv.includes('--json');
const wanted = process.argv.slice(2).filter((word) => !word.startsWith('--'));
if (isJson) console.log = console.table = () => undefined;
const chosen = names().filter((name) => wanted.length === 0 || wanted.includes(name));
const all: Figure[] = [];
if (chosen.length === 1)
  for (const bench of await benchesOf(chosen[0] as string))
    all.push(...(await measure(chosen[0] as string, bench)));
// A process of its own for each: what one leaves in memory would be paid for by the next.
else for (const name of chosen) all.push(...inItsOwnProcess(name));

function inItsOwnProcess(name: string): readonly Figure[] {
  if (!isJson) process.stderr.write(`${name}…\n`);
  const { stdout, status } = spawnSync(process.execPath, [import.meta.filename, name, '--json'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0 && status !== 1) throw new Error(`the bench ${name} ended with ${status}`);
  return (JSON.parse(stdout) as { figures: readonly Figure[] }).figures;
}

const failing = all.filter(({ verdict }) => verdict === 'fails');
if (isJson) {
  const machine = { node: process.version, processor: cpus()[0]?.model ?? 'unknown', cores: cpus().length };
  process.stdout.write(`${JSON.stringify({ machine, figures: all }, null, 2)}\n`);
} else {
  console.table(all);
  console.log(failing.length === 0 ? 'every bar holds' : `${failing.length} bars do not hold`);
}
process.exitCode = failing.length === 0 ? 0 : 1;
