import type { Band, BandKind, Excerpt } from '../../core/report/index.ts';

/**
 * A report as every form shows it: sections made of a few kinds of blocks. Texts may hold an agent's words: whoever
 * draws a block cleans and escapes them.
 */
export interface ReportDocument {
  readonly run: string;
  /** What was asked, or the name of the run. */
  readonly title: string;
  readonly mood: Mood;
  readonly badge: string;
  readonly says: string;
  readonly agent: string;
  readonly workspace: string;
  readonly when: string;
  /** What the figures were derived from. */
  readonly record: string;
  readonly isPublic: boolean;
  readonly sections: readonly Section[];
}

export type Mood = 'good' | 'warn' | 'bad' | 'calm';
export type Tone = Mood | 'soft' | 'faint';

export interface Section {
  readonly title?: string;
  readonly count?: number;
  /** `half`: fits beside its neighbour. `next`: what to do now. */
  readonly look?: 'half' | 'warn' | 'next' | 'certificate';
  readonly blocks: readonly Block[];
}

export interface Piece {
  readonly text: string;
  readonly tone?: Tone;
  readonly as?: 'code' | 'strong' | 'pill';
  /** Only where there is plenty of room. */
  readonly isDetail?: true;
  /** A long text behind these words: opened on demand, left out where that cannot be. */
  readonly fold?: string;
}

/** What follows is a line of its own where there is room. */
export interface Below {
  readonly below: Line;
}

/** Words in a row, with a space between the pieces. Empty ones are left out. */
export type Line = string | Piece | Below | readonly (string | Piece | Below)[];

export type Block = (
  | { readonly is: 'text'; readonly line: Line; readonly tone?: Tone }
  | { readonly is: 'heading'; readonly text: string }
  | { readonly is: 'command'; readonly text: string }
  | { readonly is: 'quote'; readonly text: string }
  | { readonly is: 'output'; readonly title: string; readonly text: string }
  | { readonly is: 'fold'; readonly title: string; readonly block: Block }
  | { readonly is: 'list'; readonly items: readonly Item[] }
  | { readonly is: 'facts'; readonly rows: readonly (readonly [name: string, value: Line])[] }
  | { readonly is: 'counts'; readonly items: readonly { readonly name: string; readonly times: number }[] }
  | { readonly is: 'figures'; readonly items: readonly Figure[] }
  | Table
  | Timeline
  | Series
) & {
  /** Left out where there is little room: in a terminal. */
  readonly isDetail?: true;
};

/** How we know what an item says: proven by our own checks, seen in the ledger, claimed by the agent, or still open. */
export const marks = {
  proven: { mark: '✓', tone: 'good', note: 'proven by us' },
  seen: { mark: '•', tone: 'calm', note: 'seen in the record' },
  claimed: { mark: '”', tone: 'faint', note: 'the agent says' },
  open: { mark: '○', tone: 'warn', note: '' },
  plain: { mark: '·', tone: 'faint', note: '' },
} as const;

export interface Item {
  readonly how: keyof typeof marks;
  readonly line: Line;
}

export interface Figure {
  readonly name: string;
  readonly value: string;
  readonly note: string;
}

interface Column {
  readonly name: string;
  readonly as?: 'number' | 'time' | 'wide';
  /** Left out in a terminal. */
  readonly isDetail?: true;
}

export interface Table {
  readonly is: 'table';
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Line[])[];
  /** How many rows there would be; those left out belong before row `gapAt`, or after the last. */
  readonly total: number;
  readonly gapAt: number | null;
  /** Which rows matter where not all can be shown. */
  readonly keep: 'first' | 'last';
}

/** Where the time went. */
export interface Timeline {
  readonly is: 'timeline';
  readonly name: string;
  readonly bands: readonly Band[];
  readonly kinds: readonly { readonly kind: BandKind; readonly name: string; readonly ms: number }[];
}

type PointTone = 'good' | 'idle' | 'bad';

/** A value per turn, drawn as bars or as a line. */
export interface Series {
  readonly is: 'series';
  readonly as: 'bars' | 'line';
  readonly name: string;
  /** The whole in one sentence, for those who cannot see it. */
  readonly says: string;
  readonly points: readonly {
    readonly name: string;
    readonly tick: number;
    readonly value: number;
    readonly tone?: PointTone;
  }[];
  readonly top: number;
  readonly words: (value: number) => string;
  readonly legend: Readonly<Partial<Record<PointTone, string>>>;
}

export const code = (text: string): Piece => ({ text, as: 'code' });
export const strong = (text: string, tone?: Tone): Piece => ({ text, as: 'strong', tone });
export const pill = (text: string, tone?: Tone): Piece => ({ text, as: 'pill', tone });
export const soft = (text: string): Piece => ({ text, tone: 'soft' });
export const faint = (text: string): Piece => ({ text, tone: 'faint' });
export const folded = (fold: string, text: string): Piece => ({ text, fold });
export const below = (line: Line): Below => ({ below: line });
export const text = (line: Line, tone?: Tone): Block => ({ is: 'text', line, tone });

/** A table of the first and last of something: each column with how its cells are made. */
export const table = <T>(
  { shown, total, gapAt }: Excerpt<T>,
  columns: readonly (Column & { readonly cell: (one: T) => Line })[],
  keep: Table['keep'] = 'last',
): Table => ({
  is: 'table',
  columns,
  rows: shown.map((one) => columns.map(({ cell }) => cell(one))),
  total,
  gapAt,
  keep,
});

/** As many rows as there is room for, and what to say about the rest. */
export function excerptOf({ rows, total, keep }: Table, rowsMax: number) {
  const shown = keep === 'first' ? rows.slice(0, rowsMax) : rows.slice(-rowsMax);
  return { shown, note: total === shown.length ? '' : `the ${keep} ${shown.length} of ${total}` };
}

export const partsOf = (line: Line): readonly (Piece | Below)[] =>
  (Array.isArray(line) ? (line as readonly (string | Piece | Below)[]) : [line as string | Piece | Below])
    .map((part) => (typeof part === 'string' ? { text: part } : part))
    .filter((part) => ('below' in part ? partsOf(part.below).length > 0 : part.text !== ''));

/** A line where there is little room: its pieces in a row, each with what stands before it. */
export function flat(line: Line): readonly (Piece & { readonly before: string })[] {
  const out: (Piece & { before: string })[] = [];
  for (const part of partsOf(line)) {
    const last = out.at(-1);
    const isNamedToo = last?.as === 'pill' && 'as' in part && part.as === 'pill';
    const between = last === undefined ? '' : 'below' in part ? '; ' : isNamedToo ? ', ' : ' ';
    const pieces = 'below' in part ? flat(part.below) : [{ ...part, before: '' }];
    for (const [i, piece] of pieces.entries())
      if (piece.isDetail !== true && piece.fold === undefined)
        out.push({ ...piece, before: i === 0 ? between : piece.before });
  }
  return out;
}
