import { createHash } from 'node:crypto';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { FoundMemory } from '../../contract/memory.ts';
import {
  beginningsWanted,
  type Candidate,
  type Corpus,
  type KnownTerm,
  type Moment,
  makeScale,
  placesBeside,
  type Question,
  rank,
  readQuestion,
  respelled,
  type Scale,
  yearsEarlier,
} from '../../core/memory/index.ts';
import { isLiving, memoryOf, type Row } from './rows.ts';

/** Most postings one question reads, and most memories it ranks in full. Rare words are looked up first. */
const placesMax = 20_000;
const candidatesMax = 120;
/** Postings cached between questions until the next write. */
const keptPlacesMax = 1_000_000;
/** Terms read per prefix when a word is completed or corrected. */
const spellingsReadMax = 500;
const buckets = 2_048;
/** Memories of a named time that are counted, read, and ranked although no word matches. */
const timelyCountedMax = 20_000;
const timelyReadMax = 400;
const timelyRankedMax = 40;
const yearsBackMax = 10;
const between = 'FROM memory WHERE at >= ? AND at < ? AND forgotten_at IS NULL AND superseded_by IS NULL';
/** Within a scope only its own postings are read; skipping the others costs about this share. */
const scopedCostShare = 0.1;

export interface Ask {
  readonly query: string;
  /** Only memories of these scopes; if empty, of all. */
  readonly scopes?: readonly string[];
  readonly limit: number;
  readonly nowAt: number;
}

export type Search = (ask: Ask) => FoundMemory[];

/** The index term of a scope, whatever characters its name has. */
export const scopeTerm = (scope: string): string =>
  `s${createHash('sha256').update(scope).digest('hex').slice(0, 16)}`;

export function makeSearch(db: DatabaseSync): Search {
  const sql = {
    holding: db.prepare(
      'SELECT term, count FROM holding WHERE term IN (SELECT value FROM json_each(?)) AND count > 0',
    ),
    spelled: db.prepare('SELECT term, count FROM holding WHERE term >= ? AND term < ? AND count > 0 LIMIT ?'),
    total: db.prepare('SELECT name, count FROM total'),
    // One text for all postings: thirty times cheaper than a row each.
    places: db.prepare(
      'SELECT json_group_array(rowid) AS places FROM (SELECT rowid FROM search WHERE search MATCH ? ORDER BY rowid DESC LIMIT ?)',
    ),
    rows: db.prepare('SELECT * FROM memory WHERE place IN (SELECT value FROM json_each(?))'),
    between: db.prepare(`SELECT place, scope ${between} ORDER BY at DESC LIMIT ${timelyReadMax}`),
    countBetween: db.prepare(`SELECT count(*) AS count FROM (SELECT 1 ${between} LIMIT ${timelyCountedMax})`),
  };
  const tally = makeTally();
  const placesOf = keptPlaces(db, (match, atMost) => {
    const found = sql.places.get(match, atMost)?.places;
    return Int32Array.from(JSON.parse(String(found)) as number[]);
  });

  const candidatesAt = (places: readonly number[], is: (row: Row) => boolean = () => true): Candidate[] =>
    places.length === 0
      ? []
      : (sql.rows.all(JSON.stringify(places)) as unknown as Row[])
          .filter(is)
          .map((row) => ({ memory: memoryOf(row), terms: row.terms.split(' '), place: row.place }));

  return ({ query, scopes, limit, nowAt }) => {
    const asked = readQuestion(query, nowAt);
    const { question: read, corpus: known } = knowing(asked, sql);
    const isWithin = (scope: unknown): boolean => !scopes?.length || scopes.includes(String(scope));
    const { moment, inMoment } = placed(read.moment, ({ from, until }) =>
      Number(sql.countBetween.get(from, until)?.count),
    );
    const timely = inMoment === 0 || moment === null ? [] : sql.between.all(moment.from, moment.until);
    const question = { ...read, moment };
    const corpus = { ...known, inMoment };
    const scale = makeScale(question, corpus);
    const within = scopes?.length ? ` AND scope : (${scopes.map(scopeTerm).join(' OR ')})` : '';
    const costShare = within === '' ? 1 : scopedCostShare;
    const best = tally(weighed(scale, corpus, costShare), (term) => placesOf(`terms : "${term}"${within}`));
    const ofThatTime = timely.filter(({ scope }) => isWithin(scope)).slice(0, timelyRankedMax);
    const candidates = candidatesAt([...new Set([...best, ...ofThatTime.map(({ place }) => Number(place))])]);
    const beside = candidatesAt(
      placesBeside(scale, candidates),
      (row) => isLiving(row) && isWithin(row.scope),
    );
    return rank(scale, [...candidates, ...beside], nowAt, limit);
  };
}

/** A month without a year is the latest one with any memories. */
function placed(
  moment: Moment | null,
  count: (moment: Moment) => number,
): { moment: Moment | null; inMoment: number } {
  if (moment === null) return { moment, inMoment: 0 };
  for (let years = 0; years <= (moment.isYearless ? yearsBackMax : 0); years++) {
    const one = yearsEarlier(moment, years);
    const inMoment = count(one);
    if (inMoment > 0) return { moment: one, inMoment };
  }
  return { moment, inMoment: 0 };
}

type Read = (match: string, atMost: number) => Int32Array;

/** Caches the postings of terms across questions; any write, here or in another process, clears it. */
function keptPlaces(db: DatabaseSync, read: Read): (match: string) => Int32Array {
  const version = db.prepare('SELECT data_version, total_changes() AS own FROM pragma_data_version');
  const kept = new Map<string, Int32Array>();
  let [seen, held] = ['', 0];
  return (match) => {
    const { data_version, own } = version.get() as { data_version: number; own: number };
    if (seen !== `${data_version} ${own}` || held > keptPlacesMax) {
      kept.clear();
      [seen, held] = [`${data_version} ${own}`, 0];
    }
    const known = kept.get(match);
    if (known !== undefined) return known;
    const places = read(match, placesMax);
    kept.set(match, places);
    held += places.length;
    return places;
  };
}

type Reads = Record<'holding' | 'spelled' | 'total', StatementSync>;

/** The question as this store can answer it, with the statistics of its terms. */
function knowing(asked: Question, sql: Reads): { question: Question; corpus: Corpus } {
  const totals = new Map(sql.total.all().map((row) => [String(row.name), Number(row.count)]));
  const count = totals.get('memories') ?? 0;
  const termsMean = (totals.get('terms') ?? 0) / Math.max(1, count);
  const holdingOf = (question: Question): Map<string, number> => {
    const terms = new Set(question.concepts.flatMap(({ variants }) => [...variants.keys()]));
    const rows = sql.holding.all(JSON.stringify([...terms]));
    return new Map(rows.map((row) => [String(row.term), Number(row.count)]));
  };
  const holding = holdingOf(asked);
  const beginnings = beginningsWanted(asked, holding);
  if (beginnings.length === 0) return { question: asked, corpus: { count, termsMean, holding } };
  const known = beginnings.flatMap(
    (beginning) =>
      sql.spelled.all(beginning, `${beginning}\u{10ffff}`, spellingsReadMax) as unknown as KnownTerm[],
  );
  const question = respelled(asked, holding, known);
  return { question, corpus: { count, termsMean, holding: holdingOf(question) } };
}

interface Weighed {
  readonly term: string;
  readonly worth: number;
  /** The cost of looking it up, in postings. */
  readonly cost: number;
}

/** The terms to look up, the rarest first. */
function weighed(scale: Scale, corpus: Corpus, costShare: number): Weighed[] {
  return [...scale.byTerm]
    .map(([term, uses]) => ({
      term,
      worth: Math.max(...uses.map(({ worth }) => worth)),
      cost: (corpus.holding.get(term) ?? 0) * costShare,
    }))
    .sort((a, b) => a.cost - b.cost);
}

/** Sums the scores of all candidates and returns the best. The buffer is reused between questions. */
function makeTally() {
  let sums = new Float32Array(0);
  return (terms: readonly Weighed[], placesOf: (term: string) => Int32Array): number[] => {
    const touched: number[] = [];
    let left = placesMax;
    for (const { term, worth, cost } of terms) {
      if (cost > left && touched.length > 0) break;
      for (const place of placesOf(term)) {
        if (place >= sums.length) sums = grown(sums, place);
        if (sums[place] === 0) touched.push(place);
        sums[place] = (sums[place] as number) + worth;
      }
      left -= Math.min(left, cost);
    }
    const best = highest(touched, sums);
    for (const place of touched) sums[place] = 0;
    return best;
  };
}

function grown(sums: Float32Array<ArrayBuffer>, place: number): Float32Array<ArrayBuffer> {
  const larger = new Float32Array(Math.max(1_024, place * 2));
  larger.set(sums);
  return larger;
}

/** The candidates with the highest sums, found with buckets: sorting all would cost more than the search. */
function highest(touched: readonly number[], sums: Float32Array): number[] {
  if (touched.length <= candidatesMax) return [...touched];
  let top = 0;
  for (const place of touched) top = Math.max(top, sums[place] as number);
  const counts = new Uint32Array(buckets + 1);
  const bucketOf = (place: number): number => Math.floor(((sums[place] as number) / top) * buckets);
  for (const place of touched) counts[bucketOf(place)] = (counts[bucketOf(place)] as number) + 1;
  let cut = buckets + 1;
  let taken = 0;
  while (cut > 0 && taken + (counts[cut - 1] as number) <= candidatesMax) {
    cut -= 1;
    taken += counts[cut] as number;
  }
  const [sure, edge]: [number[], number[]] = [[], []];
  for (const place of touched) {
    const bucket = bucketOf(place);
    if (bucket >= cut) sure.push(place);
    else if (bucket === cut - 1) edge.push(place);
  }
  // Of those tied at the cutoff the newest are taken.
  edge.sort((a, b) => b - a);
  return [...sure, ...edge.slice(0, Math.max(0, candidatesMax - sure.length))];
}
