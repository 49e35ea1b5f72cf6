/**
 * Runs every bench beside this file and prints its figures with their bars. `--json` prints one JSON object instead;
 * names as arguments run only those benches. Bars in time hold here and never in a test.
 */
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
async function findBenches(wanted: readonly string[]): Promise<readonly (readonly [string, Bench])[]> {
  const names = readdirSync(import.meta.dirname)
    .filter((file) => file.endsWith('.ts') && !aside.has(file))
    .map((file) => basename(file, '.ts'))
    .filter((name) => wanted.length === 0 || wanted.includes(name));
  const found: (readonly [string, Bench])[] = [];
  for (const name of names) {
    const path = join(import.meta.dirname, `${name}.ts`);
    const module = (await import(pathToFileURL(path).href)) as Record<string, unknown>;
    for (const [key, value] of Object.entries(module))
      if (key.startsWith('bench') && typeof value === 'function') found.push([name, value as Bench]);
  }
  return found;
}
/** What stands here and is no bench. */
const aside: ReadonlySet<string> = new Set([
  'run.ts',
  'bars.ts',
  'recorded.ts',
  'advance-once.ts',
  'codex-turns.ts',
]);

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
const all: Figure[] = [];
for (const [name, bench] of await findBenches(wanted)) {
  if (!isJson) process.stderr.write(`${name}…\n`);
  all.push(...(await measure(name, bench)));
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
