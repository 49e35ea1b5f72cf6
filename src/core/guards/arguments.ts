import type { Arguments, GivenOption, Knowledge, Role } from './knowledge.ts';
import { anything } from './marks.ts';

/** The option tables of one program, split once. */
export interface OptionTable {
  values: Map<string, Role>;
  flags: Map<string, string>;
  only: Set<string> | undefined;
  dry: Set<string>;
  long: readonly string[];
}

const tables = new WeakMap<Knowledge, OptionTable>();
const blanks = /\s+/;

export function optionTable(knowledge: Knowledge): OptionTable {
  const known = tables.get(knowledge);
  if (known) return known;
  const values = new Map<string, Role>();
  const flags = new Map<string, string>();
  for (const [names, role] of Object.entries(knowledge.options ?? {})) {
    for (const name of names.split(blanks)) values.set(name, role);
  }
  for (const [names, meaning] of Object.entries(knowledge.flags ?? {})) {
    for (const name of names.split(blanks)) flags.set(name, meaning);
  }
  const only =
    knowledge.only === undefined ? undefined : new Set(knowledge.only.split(blanks).filter(Boolean));
  const dry = new Set((knowledge.dry ?? '').split(blanks).filter(Boolean));
  const long = [...values.keys(), ...flags.keys(), ...dry, ...(only ?? [])].filter((name) =>
    name.startsWith('--'),
  );
  const table = { values, flags, only, dry, long };
  tables.set(knowledge, table);
  return table;
}

/** Tells options, their values and operands apart, as `getopt_long` does, abbreviations included. */
export function readArguments(args: readonly string[], knowledge: Knowledge): Arguments {
  const table = optionTable(knowledge);
  const options: GivenOption[] = [];
  const operands: string[] = [];
  const stops = knowledge.stops === true || knowledge.wraps !== undefined;
  let at = 0;
  while (at < args.length) {
    const arg = args[at++] as string;
    if (arg === '--') {
      operands.push(...args.slice(at));
      break;
    }
    if (!arg.startsWith('-') || arg === '-') {
      operands.push(arg);
      if (!stops || operands.length < (knowledge.wraps ?? 0)) continue;
      operands.push(...args.slice(at));
      break;
    }
    if (arg.startsWith('--') || knowledge.oneDash) at = readLong(arg, args, at, table, options);
    else at = readCluster(arg, args, at, table, options);
  }
  return withLookups(options, operands, table);
}

function readLong(
  arg: string,
  args: readonly string[],
  at: number,
  table: OptionTable,
  options: GivenOption[],
): number {
  const equals = arg.indexOf('=');
  const written = equals === -1 ? arg : arg.slice(0, equals);
  const name = complete(written, table);
  if (equals !== -1) {
    options.push({ name, value: arg.slice(equals + 1) });
    return at;
  }
  if (!table.values.has(name)) {
    options.push({ name, value: undefined });
    return at;
  }
  options.push({ name, value: args[at] ?? anything });
  return at + 1;
}

/** `--forc` is `--force` where only one known option starts so. */
function complete(name: string, table: OptionTable): string {
  if (!name.startsWith('--') || table.values.has(name) || table.flags.has(name) || table.dry.has(name))
    return name;
  // An option that only takes data is never guessed: a shorter option of the same start may exist.
  const candidates = table.long.filter((long) => long.startsWith(name) && table.values.get(long) !== 'text');
  return candidates.length > 0 && name.length > 3 ? (candidates[0] as string) : name;
}

function readCluster(
  arg: string,
  args: readonly string[],
  at: number,
  table: OptionTable,
  options: GivenOption[],
): number {
  for (let index = 1; index < arg.length; index++) {
    const name = `-${arg[index]}`;
    if (!table.values.has(name)) {
      options.push({ name, value: undefined });
      continue;
    }
    const rest = arg.slice(index + 1);
    if (rest !== '') {
      options.push({ name, value: rest.startsWith('=') ? rest.slice(1) : rest });
      return at;
    }
    options.push({ name, value: args[at] ?? anything });
    return at + 1;
  }
  return at;
}

function withLookups(
  options: readonly GivenOption[],
  operands: readonly string[],
  table: OptionTable,
): Arguments {
  const isDeclared = (name: string) =>
    table.values.has(name) || table.flags.has(name) || table.dry.has(name) || table.only?.has(name) === true;
  /** `--recurs` is `--recursive`, unless the program has an option of just that name. */
  const matches = (given: string, name: string) =>
    given === name ||
    (given.length > 4 && given.startsWith('--') && name.startsWith(given) && !isDeclared(given));
  const values = (...names: string[]) =>
    options.flatMap((option) =>
      names.includes(option.name) && option.value !== undefined ? [option.value] : [],
    );
  return {
    options,
    operands,
    has: (...names) => options.some((option) => names.some((name) => matches(option.name, name))),
    value: (...names) => values(...names)[0],
    values,
  };
}
