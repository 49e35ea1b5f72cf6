import {
  type Alias,
  type Document,
  isMap,
  isPair,
  isScalar,
  LineCounter,
  type Node,
  parseDocument,
  visit,
  type YAMLError,
} from 'yaml';
import type { Problem } from './problems.ts';

/** Aliases a file may use in total, so that a few lines cannot grow into gigabytes. */
const aliasesMax = 100;

export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A YAML file as plain values, and where each of them stands. */
export interface ReadYaml {
  readonly value: unknown;
  /** Position of the value at `path`, else of the nearest thing around it. `of: 'key'` gives the key's own place. */
  where(path: readonly PropertyKey[], of?: 'key'): Position | undefined;
  readonly problems: readonly Problem[];
}

/** Reads YAML 1.2. Everything the parser has to say, warnings too, is a problem with its place and a fix. */
export function readYaml(file: string, text: string): ReadYaml {
  const lines = new LineCounter();
  const at = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  let document: Document.Parsed;
  try {
    document = parseDocument(text, {
      lineCounter: lines,
      prettyErrors: false,
      stringKeys: true,
      logLevel: 'error',
    });
  } catch (error) {
    return failed(file, error);
  }
  if (document.errors.some(({ code }) => code === 'RESOURCE_EXHAUSTION'))
    return failed(file, new RangeError());
  const problems = [...document.errors, ...document.warnings].map((error) => yamlProblem(file, error, at));
  problems.push(...aliasProblems(file, document, at));
  if (problems.length > 0) return { value: undefined, where: () => undefined, problems };
  const where: ReadYaml['where'] = (path, of) => {
    const offset = offsetOf(document.contents, path, of);
    return offset === undefined ? undefined : at(offset);
  };
  try {
    return { value: document.toJS({ maxAliasCount: aliasesMax }) ?? {}, where, problems };
  } catch (error) {
    return failed(file, error);
  }
}

/** The parser itself gave up: nested too deeply, or aliases that would grow without bound. */
function failed(file: string, error: unknown): ReadYaml {
  const tooDeep = error instanceof RangeError;
  const problem: Problem = {
    file,
    message: tooDeep
      ? 'is nested too deeply'
      : `cannot be read: ${error instanceof Error ? error.message : error}`,
    fix: tooDeep
      ? 'Settings are at most three levels deep: remove the nesting.'
      : `Write the values out: at most ${aliasesMax} aliases (*name) are followed.`,
  };
  return { value: undefined, where: () => undefined, problems: [problem] };
}

/** Looking up one alias walks the whole file, so too many of them are refused before any is looked up. */
function aliasProblems(file: string, document: Document.Parsed, at: (offset: number) => Position): Problem[] {
  const aliases: Alias[] = [];
  visit(document, {
    Alias: (_key, alias) => {
      aliases.push(alias);
      return aliases.length > aliasesMax ? visit.BREAK : undefined;
    },
  });
  const place = (alias: Alias | undefined) => ({ file, ...at(alias?.range?.[0] ?? 0) });
  if (aliases.length > aliasesMax) {
    return [
      {
        ...place(aliases.at(-1)),
        message: `uses more than ${aliasesMax} aliases`,
        fix: 'Write the values out.',
      },
    ];
  }
  const unset = aliases.filter((alias) => !alias.resolve(document));
  return unset.map((alias) => ({
    ...place(alias),
    message: `nothing above is named &${alias.source}`,
    fix: 'Put the value into quotes if it starts with *, or name what it stands for.',
  }));
}

function yamlProblem(file: string, error: YAMLError, at: (offset: number) => Position): Problem {
  return {
    file,
    ...at(error.pos[0]),
    message: error.message.split('\n')[0] ?? error.code,
    fix: fixFor(error),
  };
}

const fixes: Partial<Record<YAMLError['code'], string>> = {
  TAB_AS_INDENT: 'Indent with spaces: replace the tab by two spaces.',
  DUPLICATE_KEY: 'Keep one of the two and remove the other.',
  BAD_INDENT: 'Give keys of one section the same number of spaces.',
  BLOCK_AS_IMPLICIT_KEY:
    'Put one key on each line, and quote a value that contains a colon followed by a space.',
  MULTILINE_IMPLICIT_KEY: 'Write "key: value" on one line; perhaps a colon is missing.',
  MISSING_CHAR: 'Close the quote or bracket that was opened, or add the colon after the key.',
  MULTIPLE_DOCS: 'Remove the line with --- : one file holds one configuration.',
  TAG_RESOLVE_FAILED: 'Remove the tag (the word that starts with !).',
  BAD_ALIAS: 'Remove the * or &, or quote the value.',
  BAD_SCALAR_START: 'Put the value into quotes.',
  BAD_DQ_ESCAPE: 'Use single quotes, in which a backslash is only a backslash.',
  NON_STRING_KEY: 'Write a word before the colon.',
};

function fixFor(error: YAMLError): string {
  return fixes[error.code] ?? 'Look at this line: YAML expects "key: value" lines, indented with spaces.';
}

function offsetOf(root: unknown, path: readonly PropertyKey[], of?: 'key'): number | undefined {
  let node = root as Node | null;
  let offset = startOf(node);
  for (const [index, step] of path.entries()) {
    const pair = isMap(node) ? node.items.find(({ key }) => isScalar(key) && key.value === step) : undefined;
    const isLast = index === path.length - 1;
    const next: unknown = pair
      ? pair.value
      : typeof step === 'number' && node && 'items' in node
        ? (node.items as unknown[])[step]
        : undefined;
    if (pair) offset = startOf(pair.key) ?? offset;
    if (isPair(next) || (!pair && next === undefined)) return offset;
    if (!(isLast && of === 'key')) offset = startOf(next) ?? offset;
    node = next as Node | null;
  }
  return offset;
}

function startOf(node: unknown): number | undefined {
  return (node as Node | null | undefined)?.range?.[0];
}
