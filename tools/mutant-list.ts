/** Every way in which `npm run mutants` breaks the code. */
import {
  cycleMutants,
  keeperMutants,
  recoveryMutants,
  runLoopMutants,
  storeMutants,
} from './mutant-places.ts';

export interface Mutant {
  readonly group: string;
  readonly name: string;
  readonly file: string;
  readonly find: string;
  readonly replace: string;
  /** Test files under `test/`, without their ending, that should notice by behaviour. */
  readonly suites: readonly string[];
  /** Asked only when the others stay silent. */
  readonly lastSuites: readonly string[];
}

const orderFile = 'src/core/decide/order.ts';
const ruleSuites = [
  'reach',
  'background',
  'rules-order',
  'rules-world',
  'rules-budgets',
  'rules-soft',
  'rules-advice',
  'cycles',
  'cycles-halts',
  'claims',
].map((name) => `scenarios/${name}`);
const limitSuites = [
  ...ruleSuites,
  ...['gates', 'deadlines', 'halts', 'turns', 'steering', 'progress'].map((name) => `scenarios/${name}`),
];
/** The documented tables hold what no behaviour shows, such as the order of rules that exclude each other. */
const documented = ['scenarios/policy-doc'];

export function allMutants(read: (file: string) => string): readonly Mutant[] {
  const order = read(orderFile);
  return [
    ...ruleMutants(order),
    ...boundaryMutants(order),
    ...limitMutants(read('src/contract/policy.ts')),
    ...boundMutants(read('src/core/bounds.ts')),
    ...recoveryMutants,
    ...cycleMutants,
    ...runLoopMutants,
    ...keeperMutants,
    ...storeMutants,
  ];
}

/** The line and as many around it as it takes to name the place. */
function placeOf(lines: readonly string[], from: number, to: number): { first: number; last: number } {
  const text = lines.join('\n');
  for (let more = 1; more < lines.length; more++) {
    const [first, last] = [Math.max(0, from - more), Math.min(lines.length - 1, to + more)];
    if (text.split(lines.slice(first, last + 1).join('\n')).length === 2) return { first, last };
  }
  throw new Error(`no unique place around line ${from + 1}`);
}

function changed(text: string, from: number, to: number, edit: (lines: string[]) => string[]) {
  const lines = text.split('\n');
  const { first, last } = placeOf(lines, from, to);
  const edited = edit(lines.slice(from, to + 1));
  return {
    find: lines.slice(first, last + 1).join('\n'),
    replace: [...lines.slice(first, from), ...edited, ...lines.slice(to + 1, last + 1)].join('\n'),
  };
}

/** Deletes every rule in turn, and swaps every pair of neighbours. */
function ruleMutants(order: string): readonly Mutant[] {
  const lines = order.split('\n');
  const begin = lines.findIndex((line) => line.startsWith('export const firmRules'));
  const end = lines.findIndex((line, n) => n > begin && line === '] as const;');
  const rules = lines
    .map((line, n) => ({ n, name: /^ {2}(\w+),$/.exec(line)?.[1] ?? '' }))
    .filter(({ n, name }) => n > begin && n < end && name !== '');
  if (rules.length < 20) throw new Error(`only ${rules.length} rules were found in ${orderFile}`);
  const deleted = rules.map(({ n, name }) => ({
    group: 'rule deleted',
    name,
    file: orderFile,
    suites: ruleSuites,
    lastSuites: documented,
    ...changed(order, n, n, () => []),
  }));
  const swapped = rules.slice(1).map(({ n, name }, i) => {
    const before = rules[i] as (typeof rules)[number];
    return {
      group: 'rules swapped',
      name: `${before.name} and ${name}`,
      file: orderFile,
      suites: ['scenarios/rules-order'],
      lastSuites: documented,
      ...changed(order, before.n, n, (part) => [part.at(-1) ?? '', ...part.slice(1, -1), part[0] ?? '']),
    };
  });
  return [...deleted, ...swapped];
}

/** Where the firm rules meet the open ones, and the launch. */
function boundaryMutants(order: string): readonly Mutant[] {
  const open = 'export const openRules = [advised, carryOn] as const;';
  const launch = 'export const launchRules = [reach, usageLimit, background, ...budgets] as const;';
  const cut = order.indexOf('  nextCycle,\n] as const;');
  const between = order.slice(cut, order.indexOf(open) + open.length);
  const mutant = (
    group: string,
    name: string,
    find: string,
    replace: string,
    suites = ruleSuites,
  ): Mutant => ({ group, name, file: orderFile, find, replace, suites, lastSuites: documented });
  return [
    mutant('rule deleted', 'advised', open, open.replace('advised, ', '')),
    mutant(
      'rules swapped',
      'advised and carryOn',
      open,
      open.replace('advised, carryOn', 'carryOn, advised'),
    ),
    mutant(
      'rules swapped',
      'nextCycle and advised',
      between,
      between.replace('  nextCycle,\n', '').replace('[advised,', '[advised, nextCycle,'),
    ),
    mutant('rule deleted', 'usageLimit at the launch', launch, launch.replace('usageLimit, ', '')),
    mutant('rule deleted', 'reach at the launch', launch, launch.replace('reach, ', '')),
    mutant('rule deleted', 'background at the launch', launch, launch.replace('background, ', '')),
    mutant('rule deleted', 'budgets at the launch', launch, launch.replace(', ...budgets', '')),
  ];
}

/** One more and one less, in the unit of the number. */
function shifts(written: string): readonly string[] {
  const value = Number(written.replaceAll('_', ''));
  if (!Number.isInteger(value)) return [(value + 0.01).toFixed(2), (value - 0.01).toFixed(2)];
  return value > 1 ? [String(value + 1), String(value - 1)] : [String(value + 1)];
}

function limitMutants(policy: string): readonly Mutant[] {
  const file = 'src/contract/policy.ts';
  const lines = policy.split('\n');
  let name = '';
  return lines.flatMap((line, n) => {
    name = /^ {2,6}(\w+):/.exec(line)?.[1] ?? name;
    const written = /\.default\(([\d_.]+)\)/.exec(line)?.[1];
    if (written === undefined) return [];
    return shifts(written).map((shifted) => ({
      group: 'limit shifted',
      name: `${name} ${written} → ${shifted}`,
      file,
      suites: limitSuites,
      lastSuites: documented,
      ...changed(policy, n, n, () => [line.replace(`(${written})`, `(${shifted})`)]),
    }));
  });
}

function boundMutants(limits: string): readonly Mutant[] {
  const file = 'src/core/bounds.ts';
  return limits.split('\n').flatMap((line, n) => {
    const [, name = '', written] = /^ {2}(\w+): ([\d_]+),$/.exec(line) ?? [];
    if (written === undefined) return [];
    return shifts(written).map((shifted) => ({
      group: 'bound shifted',
      name: `${name} ${written} → ${shifted}`,
      file,
      suites: limitSuites,
      lastSuites: documented,
      ...changed(limits, n, n, () => [line.replace(written, shifted)]),
    }));
  });
}
