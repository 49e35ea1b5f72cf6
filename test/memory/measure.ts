import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { MemoryType, NewMemory } from '../../src/contract/memory.ts';
import { openMemories } from '../../src/edge/memory/memories.ts';

/** The evening on which every question of the set is asked. */
const askedAt = Date.parse('2026-11-01T18:00:00Z');
const among = 5;

export interface Asked {
  readonly kind: string;
  readonly answers: readonly string[];
  readonly query: string;
}

export interface Measured {
  readonly questions: number;
  /** Share of the questions with an answer among the first five. */
  readonly ours: number;
  readonly plain: number;
  /** Share with an answer in the first place. */
  readonly oursFirst: number;
  readonly plainFirst: number;
  readonly missed: readonly string[];
}

/** `dev` and `held-out` ask about the first set of memories, the others about the second; `talk` about a long conversation in it. */
export type Part = 'dev' | 'held-out' | 'fresh' | 'later' | 'talk';
const isSecond = (part: Part): boolean => part !== 'dev' && part !== 'held-out';

const linesOf = (file: string): string[] =>
  readFileSync(resolve(import.meta.dirname, file), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));

export function setMemories(part: Part): (NewMemory & { id: string; at: number })[] {
  const files = isSecond(part) ? ['fresh/memories.txt'] : ['set/memories.txt'];
  if (part === 'talk') files.unshift('fresh/talk-memories.txt');
  return files.flatMap(linesOf).map((line) => {
    const [id = '', type, day, text = '', supersedes = ''] = line.split('|');
    const at = Date.parse(`${day}T09:00:00Z`);
    return { id, text, type: type as MemoryType, at, supersedes: supersedes || undefined };
  });
}

export function setQuestions(part: Part): Asked[] {
  return linesOf(
    part === 'fresh' ? 'fresh/questions.txt' : `${isSecond(part) ? 'fresh' : 'set'}/${part}.txt`,
  ).map((line) => {
    const [kind = '', ids = '', query = ''] = line.split('|');
    return { kind, answers: ids.split(','), query };
  });
}

/** Ours and FTS5 as it comes (porter, every word of the question, bm25) on the same memories and questions. */
export function measure(part: Part): Measured {
  const questions = setQuestions(part);
  const scratch = mkdtempSync(join(tmpdir(), 'tireless-memory-'));
  const memories = openMemories(join(scratch, 'memory.db'), { redact: (text) => text, at: () => askedAt });
  try {
    memories.add(setMemories(part));
    const plain = plainSearch(setMemories(part));
    const missed: string[] = [];
    const hits = { ours: 0, plain: 0, oursFirst: 0, plainFirst: 0 };
    for (const { kind, query, answers } of questions) {
      const found = memories.search(query, { limit: among });
      const at = found.findIndex(({ id }) => answers.includes(id));
      const plainAt = plain(query).findIndex((id) => answers.includes(id));
      if (at >= 0) hits.ours += 1;
      else missed.push(`${kind} ${answers.join(',')} ${query} -> ${found.map(({ id }) => id).join(' ')}`);
      if (plainAt >= 0) hits.plain += 1;
      if (at === 0) hits.oursFirst += 1;
      if (plainAt === 0) hits.plainFirst += 1;
    }
    const share = (count: number): number => Math.round((count / questions.length) * 1_000) / 1_000;
    return {
      questions: questions.length,
      ours: share(hits.ours),
      plain: share(hits.plain),
      oursFirst: share(hits.oursFirst),
      plainFirst: share(hits.plainFirst),
      missed,
    };
  } finally {
    memories.close();
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** bm25 without anything of ours. What was replaced is taken out for it too, so that only the search differs. */
function plainSearch(all: readonly NewMemory[]): (query: string) => string[] {
  const db = new DatabaseSync(':memory:');
  db.exec("CREATE VIRTUAL TABLE plain USING fts5 (id UNINDEXED, text, tokenize = 'porter')");
  const put = db.prepare('INSERT INTO plain VALUES (?, ?)');
  const replaced = new Set(all.map(({ supersedes }) => supersedes));
  for (const { id, text } of all) if (!replaced.has(id)) put.run(id ?? '', text);
  const find = db.prepare('SELECT id FROM plain WHERE plain MATCH ? ORDER BY rank LIMIT ?');
  return (query) => {
    const words = query.match(/[\p{L}\p{N}]+/gu) ?? [];
    return find.all(words.map((word) => `"${word}"`).join(' OR '), among).map(({ id }) => String(id));
  };
}
