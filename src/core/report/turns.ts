import type { EventOf, Failure } from '../../contract/index.ts';
import type { Run } from '../run.ts';
import { publicSpoken, type Spoken, spokenOf } from './decisions.ts';
import { cut, type Excerpt, firstAndLast, mapExcerpt } from './excerpt.ts';
import { pick } from './public.ts';
import { reportBounds as max } from './report-bounds.ts';
import type { Seen, Watch } from './seen.ts';
import { mergedPoints, type Point } from './series.ts';

type Draft = { -readonly [K in keyof TurnStory]: TurnStory[K] };

export interface TurnsPart {
  readonly turns: Excerpt<TurnStory>;
  readonly points: readonly Point[];
}

/** What other parts need of the turns. */
export interface TurnsSeen extends TurnsPart {
  /** Turns that left a result. */
  readonly results: number;
  readonly foreign: number;
  readonly lastMessage: string;
}

export interface TurnStory {
  /** Its number; a turn that cost none (a usage limit, the world away) repeats the number of the next. */
  readonly turn: number;
  /** Somebody else started it: followed and billed, never ours. */
  readonly isForeign: boolean;
  readonly startedAt: number;
  /** Null while it runs. */
  readonly endedAt: number | null;
  readonly durationMs: number;
  readonly status: 'running' | 'completed' | 'interrupted' | 'failed';
  readonly failure: Failure | null;
  readonly tokens: number | null;
  readonly money: number | null;
  /** What its input was made of. */
  readonly input: readonly string[];
  readonly items: Readonly<Record<'command' | 'edit' | 'tool' | 'message' | 'other', number>>;
  readonly failedItems: number;
  readonly denials: number;
  readonly changed: readonly string[];
  readonly trees: { readonly before: string | null; readonly after: string | null };
  readonly plan: { readonly done: number; readonly total: number } | null;
  readonly claimed: boolean;
  readonly message: string;
  /** What was decided after it, in order. */
  readonly decided: readonly Spoken[];
}

/** Follows turns from dispatch to the decision after them. What is used between two turns is billed to the later one. */
export function watchTurns(): Watch<TurnsSeen> {
  const stories = firstAndLast<TurnStory>(max.turnsHeadMax, max.turnsTailMax);
  const points = mergedPoints(max.pointsMax);
  const billed = { tokens: null as number | null, money: null as number | null };
  let results = 0;
  let foreign = 0;
  let lastMessage = '';
  let current: Draft | null = null;
  /** Ended, and still waiting for its tree and the decision. */
  let ended: Draft | null = null;
  let guest: Draft | null = null;
  /** Guests that came after the turn that still waits: told after it. */
  let left: Draft[] = [];

  const bill = (draft: Draft, run: Run): void => {
    draft.tokens = grown(billed.tokens, run.usage.tokens);
    draft.money = grown(billed.money, run.usage.money);
    billed.tokens = run.usage.tokens;
    billed.money = run.usage.money;
  };
  const close = (): void => {
    if (ended !== null) {
      stories.add(ended);
      points.add(pointOf(ended));
      if (ended.changed.length > 0) results += 1;
    }
    for (const story of left) stories.add(story);
    ended = null;
    left = [];
  };
  const start = (run: Run): void => {
    close();
    current = newStory(run, run.turns + 1, false);
    current.input = run.turn?.input.parts.map((p) => p.part) ?? [];
  };
  const end = (run: Run): void => {
    if (current === null) return;
    endStory(current, run);
    bill(current, run);
    if (current.message !== '') lastMessage = current.message;
    ended = current;
    current = null;
  };
  const follow = ({ before, run }: Seen): void => {
    const was = before?.foreign ?? null;
    if (was === run.foreign) return;
    if (guest !== null) {
      endGuest(guest, run);
      bill(guest, run);
      if (left.length < max.guestsMax) left.push(guest);
      else stories.add(guest);
      guest = null;
    }
    if (run.foreign === null) return;
    foreign += 1;
    guest = newStory(run, run.turns, true);
  };
  return {
    see(seen) {
      const { before, run, entry } = seen;
      const was = before?.turn?.dispatch ?? null;
      const is = run.turn?.dispatch ?? null;
      if (was !== null && was !== is) end(run);
      if (is !== null && was !== is) start(run);
      follow(seen);
      if (entry.late === true) return;
      if (entry.event.type === 'item-ended' && current !== null) countItem(current, entry.event);
      if (ended !== null && before?.awaiting.tree === true && !run.awaiting.tree) treeAfter(ended, run);
      if (entry.decision !== undefined && ended !== null && ended.decided.length < max.turnDecisionsMax)
        ended.decided = [...ended.decided, spokenOf(entry.decision)];
    },
    end() {
      close();
      for (const open of [current, guest]) if (open !== null) stories.add(open);
      return { turns: stories.end(), points: points.end(), results, foreign, lastMessage };
    },
  };
}

const grown = (before: number | null, now: number | null): number | null =>
  now === null ? null : Math.max(0, now - (before ?? 0));

function newStory(run: Run, turn: number, isForeign: boolean): Draft {
  return {
    turn,
    isForeign,
    startedAt: run.at,
    endedAt: null,
    durationMs: 0,
    status: 'running',
    failure: null,
    tokens: null,
    money: null,
    input: [],
    failedItems: 0,
    denials: 0,
    changed: [],
    claimed: false,
    items: { command: 0, edit: 0, tool: 0, message: 0, other: 0 },
    trees: { before: run.tree?.tree ?? null, after: null },
    plan: planOf(run),
    message: '',
    decided: [],
  };
}

const planOf = ({ plan }: Run): { done: number; total: number } | null =>
  plan === null ? null : { done: plan.done, total: plan.total };

function endStory(story: Draft, run: Run): void {
  const { last } = run;
  story.endedAt = run.at;
  story.plan = planOf(run);
  if (last === null) return;
  story.durationMs = last.durationMs;
  story.status = last.status;
  story.failure = last.failure;
  story.failedItems = last.failedItems;
  story.denials = last.denials;
  story.claimed = run.claim !== null;
  story.message = cut(last.message?.text ?? '', max.messageCharsMax);
}

function endGuest(story: Draft, run: Run): void {
  story.endedAt = run.at;
  story.durationMs = Math.max(0, run.at - story.startedAt);
  story.status = 'completed';
  story.plan = planOf(run);
}

function countItem(story: Draft, { kind }: EventOf<'item-ended'>): void {
  const name = kind === 'reasoning' || kind === 'person' ? 'other' : kind;
  story.items = { ...story.items, [name]: story.items[name] + 1 };
}

/** A turn that failed or was cut short is not judged for progress, but its files may differ all the same. */
function treeAfter(story: Draft, run: Run): void {
  const after = run.tree?.tree ?? null;
  const { before } = story.trees;
  story.trees = { before, after };
  const isJudged = story.status !== 'failed' && run.last?.byPerson !== true;
  const differs = after !== null && after !== 'unknown' && before !== 'unknown' && after !== before;
  story.changed = isJudged ? run.changed : differs ? ['files'] : [];
}

const pointOf = (story: TurnStory): Point => ({
  fromTurn: story.turn,
  toTurn: story.turn,
  at: story.endedAt ?? story.startedAt,
  tokens: story.tokens,
  money: story.money,
  durationMs: story.durationMs,
  plan: story.plan,
  changed: story.changed.length > 0 ? 1 : 0,
  failed: story.status === 'failed' ? 1 : 0,
});

export const publicTurns = ({ turns, points }: TurnsPart): TurnsPart => ({
  turns: mapExcerpt(turns, (story) => ({
    ...pick(story, 'turn', 'isForeign', 'startedAt', 'endedAt', 'durationMs', 'status', 'tokens', 'money'),
    ...pick(story, 'input', 'items', 'failedItems', 'denials', 'changed', 'trees', 'plan', 'claimed'),
    message: '',
    failure: story.failure === null ? null : { kind: story.failure.kind, message: '' },
    decided: story.decided.map(publicSpoken),
  })),
  points,
});
