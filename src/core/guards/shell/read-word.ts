import {
  type DoubleQuotedChild,
  type ParameterExpansionPart,
  parse,
  type SyntaxNode,
  type Word,
  type WordPart,
} from 'unbash';
import type { GuardContext } from '../context.ts';
import { alternativesMax, braceWordsMax, valueCharsMax } from '../guard-bounds.ts';
import { anything, oneChar, plain, star, takeMarks } from '../marks.ts';
import { expandBrace } from './braces.ts';
import { operate } from './parameters.ts';
import { type Flow, isSecretVariable, outerVariable, type ShellState, type Variable } from './state.ts';

/** What reading a word needs from the shell around it. */
export interface WordReader {
  context: GuardContext;
  state: ShellState;
  /** Judges a command substitution and tells what it prints. */
  substitute: (part: { script?: unknown; text: string }) => Flow;
  /** Judges a process substitution and gives the path that stands for it. */
  process: (part: WordPart & { type: 'ProcessSubstitution' }) => string;
  /** Judges the command substitutions below a node. */
  inner: (node: SyntaxNode) => void;
  /** A variable that usually holds a secret was read. */
  secret: (name: string) => void;
}

/** The field being built, and the ones already closed. */
interface Draft {
  fields: string[];
  open: string;
  hasOpen: boolean;
}

/** What a part adds: a text, a text that splits at blanks, or a list of fields. */
type Piece = { text: string } | { split: string } | { list: readonly string[] };

/** Every way the word may read: each a list of fields. Mostly one way with one field. */
export function readWord(word: Word, reader: WordReader): string[][] {
  const parts = word.parts;
  if (!parts) return [[takeMarks(tilde(word.text, word.value, reader))]];
  const brace = braceOf(word, parts);
  if (brace) return countBraced(parts) > braceWordsMax ? [[anything]] : bracedWays(brace, reader);
  const breaks = breaksOf(reader);
  let drafts: Draft[] = [{ fields: [], open: '', hasOpen: false }];
  parts.forEach((part, index) => {
    drafts = append(drafts, piecesOf(part, index === 0, reader), breaks);
  });
  return drafts.map(close);
}

/** The word as one text, as in an assignment or a redirection target. */
export function readText(word: Word, reader: WordReader): string[] {
  const ways = readWord(word, reader).map((fields) => fields.join(' '));
  return [...new Set(ways)];
}

/** The word as one text; several possible texts are anything. */
function readOne(word: Word, reader: WordReader): string {
  const texts = readText(word, reader);
  return texts.length === 1 ? (texts[0] as string) : anything;
}

/** The text of a here-document body with its expansions read. */
export function readParts(parts: readonly WordPart[], reader: WordReader): string {
  let text = '';
  for (const part of parts) {
    const pieces = piecesOf(part, false, reader);
    text += pieces.length === 1 && pieces[0] ? textOf(pieces[0]) : anything;
  }
  return text;
}

const textOf = (piece: Piece): string =>
  'text' in piece ? piece.text : 'split' in piece ? piece.split : piece.list.join(' ');

function append(drafts: Draft[], pieces: Piece[], breaks: RegExp): Draft[] {
  if (pieces.length === 1 && drafts.length === 1) {
    extend(drafts[0] as Draft, pieces[0] as Piece, breaks);
    return drafts;
  }
  if (drafts.length * pieces.length > alternativesMax) {
    const draft: Draft = { fields: [], open: anything, hasOpen: true };
    return [draft];
  }
  return drafts.flatMap((draft) =>
    pieces.map((piece) => {
      const copy = { ...draft, fields: [...draft.fields] };
      extend(copy, piece, breaks);
      return copy;
    }),
  );
}

function extend(draft: Draft, piece: Piece, breaks: RegExp): void {
  if ('text' in piece) {
    draft.open = bounded(draft.open + piece.text);
    draft.hasOpen = true;
    return;
  }
  const words = 'list' in piece ? piece.list : splitBlank(piece.split, breaks);
  if ('split' in piece && /^\s/.test(piece.split)) closeField(draft);
  words.forEach((text, index) => {
    if (index > 0) closeField(draft);
    draft.open = bounded(draft.open + text);
    draft.hasOpen = true;
  });
  if ('split' in piece && /\s$/.test(piece.split)) closeField(draft);
}

function closeField(draft: Draft): void {
  if (draft.hasOpen) draft.fields.push(draft.open);
  draft.open = '';
  draft.hasOpen = false;
}

function close(draft: Draft): string[] {
  closeField(draft);
  return draft.fields;
}

const splitBlank = (text: string, breaks: RegExp): string[] =>
  text.split(breaks).filter((field) => field !== '');

/** Where unquoted values break into words: at blanks, or where the script's own IFS says. */
function breaksOf(reader: WordReader): RegExp {
  const own = reader.state.variables.get('IFS');
  const chars = own?.of === 'scalar' && own.values.length === 1 ? (own.values[0] as string) : undefined;
  if (chars === undefined || chars === ' \t\n') return /\s+/;
  return new RegExp(`[\\s${chars.replaceAll(/[\\\]^-]/g, '\\$&')}]+`);
}
const bounded = (text: string): string => (text.length > valueCharsMax ? anything : text);

/** An unquoted leading `~`; another user's home is somewhere outside. */
function tilde(raw: string, value: string, reader: WordReader): string {
  if (!raw.startsWith('~')) return value;
  const end = value.indexOf('/');
  const user = end === -1 ? value.slice(1) : value.slice(1, end);
  const rest = end === -1 ? '' : value.slice(end);
  if (user === '') return reader.context.home + rest;
  if (user === '+') return (reader.state.cwd ?? anything) + rest;
  if (user === '-') return (reader.state.previous ?? anything) + rest;
  return /^[a-z_][a-z0-9_-]*$/i.test(user)
    ? user === 'root'
      ? `/root${rest}`
      : `/home/${user}${rest}`
    : value;
}

function piecesOf(part: WordPart, isFirst: boolean, reader: WordReader): Piece[] {
  switch (part.type) {
    case 'Literal':
      return [{ text: takeMarks(isFirst ? tilde(part.text, part.value, reader) : part.value) }];
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return [{ text: takeMarks(part.value) }];
    case 'DoubleQuoted':
    case 'LocaleString':
      return quotedPieces(part.parts, reader);
    case 'Glob':
      if (part.kind === 'star') return [{ text: star }];
      return [{ text: part.kind === 'bracket' ? bracket(part.text) : oneChar }];
    case 'ExtendedGlob':
      return [{ text: extendedGlob(part.operator, part.pattern) }];
    case 'BraceExpansion':
      return [{ text: anything }];
    case 'ProcessSubstitution':
      return [{ text: reader.process(part) }];
    default:
      return expansionPieces(part, false, reader);
  }
}

/** `[m]` is only a disguise of `m`; `[::1]` is an address. */
const bracket = (text: string): string => {
  if (/^\[[0-9a-f:]*::?[0-9a-f:]*\]$/i.test(text) && text.includes(':')) return text;
  return /^\[[^!^]\]$/.test(text) ? (text[1] as string) : oneChar;
};

/** `@(rm)` is only a disguise of `rm`; `!(x)` is everything but one. */
function extendedGlob(operator: string, pattern: string): string {
  return (operator === '@' || operator === '+') && /^[\w./-]+$/.test(pattern) ? pattern : star;
}

function quotedPieces(parts: readonly DoubleQuotedChild[], reader: WordReader): Piece[] {
  let ways: Piece[] = [{ text: '' }];
  for (const part of parts) {
    const pieces =
      part.type === 'Literal' ? [{ text: takeMarks(part.value) }] : expansionPieces(part, true, reader);
    const only = pieces[0];
    if (pieces.length === 1 && only && 'list' in only && parts.length === 1) return [only];
    if (ways.length * pieces.length > alternativesMax) return [{ text: anything }];
    ways = ways.flatMap((way) => pieces.map((piece) => ({ text: bounded(textOf(way) + textOf(piece)) })));
  }
  return ways;
}

function expansionPieces(part: DoubleQuotedChild, isQuoted: boolean, reader: WordReader): Piece[] {
  const give = (text: string): Piece => (isQuoted ? { text } : { split: text });
  switch (part.type) {
    case 'Literal':
      return [{ text: part.value }];
    case 'SimpleExpansion':
      return variablePieces(part.text.slice(1), isQuoted, reader);
    case 'ParameterExpansion':
      return parameterPieces(part, isQuoted, reader);
    case 'ArithmeticExpansion':
      if (part.expression) reader.inner(part.expression);
      return [{ text: plain }];
    case 'CommandExpansion': {
      const flow = reader.substitute(part);
      if (flow.of === 'text') return [give(flow.text.replace(/\n+$/, ''))];
      if (flow.of === 'paths')
        return isQuoted ? flow.paths.map((text) => ({ text })) : [{ list: flow.paths }];
      if (flow.of === 'nothing') return [give('')];
      return [give(anything)];
    }
  }
}

function lookUp(name: string, reader: WordReader): { variable: Variable; assigned: boolean } {
  const { state } = reader;
  const assigned = state.variables.get(name);
  if (assigned) return { variable: assigned, assigned: true };
  if (name === '@' || name === '*') {
    return {
      variable: { of: 'list', items: state.parameters ?? [anything] },
      assigned: state.parameters !== undefined,
    };
  }
  if (/^[1-9]\d*$/.test(name) && state.parameters) {
    return { variable: { of: 'scalar', values: [state.parameters[Number(name) - 1] ?? ''] }, assigned: true };
  }
  if (isSecretVariable(name)) reader.secret(name);
  return {
    variable: { of: 'scalar', values: [outerVariable(name, state, reader.context)] },
    assigned: false,
  };
}

function variablePieces(name: string, isQuoted: boolean, reader: WordReader): Piece[] {
  const { variable } = lookUp(name, reader);
  if (variable.of === 'list') {
    return name === '@' || name === '*'
      ? [{ list: variable.items }]
      : [toPiece(variable.items[0] ?? '', isQuoted)];
  }
  return variable.values.map((value) => toPiece(value, isQuoted));
}

const toPiece = (text: string, isQuoted: boolean): Piece => (isQuoted ? { text } : { split: text });

function parameterPieces(part: ParameterExpansionPart, isQuoted: boolean, reader: WordReader): Piece[] {
  if (part.prefix === '#') return [{ text: plain }];
  let name = part.parameter;
  if (part.prefix === '!') {
    const pointed = lookUp(name, reader).variable;
    const target = pointed.of === 'scalar' && pointed.values.length === 1 ? pointed.values[0] : undefined;
    if (target === undefined || !/^\w+$/.test(target)) return [toPiece(anything, isQuoted)];
    name = target;
  }
  const { variable, assigned } = lookUp(name, reader);
  const index = part.index ? readOne(part.index, reader) : undefined;
  const values = valuesAt(variable, index, name);
  if ('list' in values && !part.operation) return [values];
  const texts = 'list' in values ? [...values.list] : values.texts;
  const operation = part.operation;
  if (!operation) return texts.map((text) => toPiece(text, isQuoted));
  const read = (word: Word) => readOne(word, reader);
  const after = texts.map((text) => operate(text, assigned, operation, read));
  if (operation.type === 'Default' && operation.operator.endsWith('=') && !assigned) {
    reader.state.variables.set(name, { of: 'scalar', values: after });
  }
  return 'list' in values ? [{ list: after }] : after.map((text) => toPiece(text, isQuoted));
}

function valuesAt(
  variable: Variable,
  index: string | undefined,
  name: string,
): { list: readonly string[] } | { texts: string[] } {
  if (index === '@' || index === '*' || name === '@' || name === '*') {
    return { list: variable.of === 'list' ? variable.items : variable.values };
  }
  if (variable.of === 'scalar') return { texts: [...variable.values] };
  if (index === undefined) return { texts: [variable.items[0] ?? ''] };
  if (/^-?\d+$/.test(index)) return { texts: [variable.items.at(Number(index)) ?? ''] };
  return { texts: [...variable.items] };
}

/** How many words the brace expansions of this word give together. */
const countBraced = (parts: readonly WordPart[]): number =>
  parts.reduce(
    (count, part) =>
      part.type === 'BraceExpansion'
        ? count * (expandBrace('', part.text, '')?.length ?? braceWordsMax + 1)
        : count,
    1,
  );

/** The word in three texts around its first brace expansion. */
function braceOf(word: Word, parts: readonly WordPart[]): [string, string, string] | undefined {
  let at = 0;
  for (const part of parts) {
    if (part.type === 'BraceExpansion') {
      return [word.text.slice(0, at), part.text, word.text.slice(at + part.text.length)];
    }
    at += part.text.length;
  }
  return undefined;
}

function bracedWays([before, brace, after]: [string, string, string], reader: WordReader): string[][] {
  const texts = expandBrace(before, brace, after);
  if (!texts) return [[anything]];
  const command = parse(`: ${texts.join(' ')}`).commands[0]?.command;
  if (command?.type !== 'Command') return [[anything]];
  let ways: string[][] = [[]];
  for (const word of command.args) {
    if (word.type !== 'Word') return [[anything]];
    const next = word.text === texts[0] && texts.length === 1 ? [[word.value]] : readWord(word, reader);
    if (ways.length * next.length > alternativesMax) return [[anything]];
    ways = ways.flatMap((way) => next.map((fields) => [...way, ...fields]));
  }
  return ways;
}
