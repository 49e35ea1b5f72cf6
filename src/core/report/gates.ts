import type { Effect, EffectOf, Entry } from '../../contract/index.ts';
import { gateTimer } from '../approvals/gates.ts';
import type { Gate, Run } from '../run.ts';
import { cut, type Excerpt, firstAndLast, mapExcerpt, tallied } from './excerpt.ts';
import { named, pick } from './public.ts';
import { reportBounds as max } from './report-bounds.ts';
import type { Seen, Watch } from './seen.ts';

export interface GatesPart {
  readonly gates: Excerpt<GateStory>;
  /** Actions that were denied because nobody answered in time: a report opens with them. */
  readonly unanswered: readonly GateStory[];
  readonly answers: readonly AnswerCount[];
  /** Denials by a guard rule, without a person. */
  readonly denials: Excerpt<Denial>;
}

export interface AnswerCount {
  readonly answer: 'approve' | 'deny' | 'text';
  readonly rule: string;
  readonly times: number;
}

export type GateEnd = 'open' | 'approved' | 'denied' | 'answered' | 'expired' | 'withdrawn';

export interface GateStory {
  readonly id: string;
  readonly kind: 'approval' | 'input' | 'accept';
  readonly turn: number;
  readonly asks: string;
  readonly because: string;
  readonly rule: string;
  readonly never: boolean;
  readonly digest: string;
  readonly askedAt: number;
  readonly expiresAt: number | null;
  readonly closedAt: number | null;
  readonly end: GateEnd;
  readonly by: string | null;
  readonly said: string;
}

export interface Denial {
  readonly at: number;
  readonly turn: number;
  readonly rule: string;
  readonly because: string;
  readonly action: string;
  readonly never: boolean;
}

/** Answers that are a person's, or the lack of one: told as gates, not as rules. */
const notAutomatic: ReadonlySet<string> = new Set(['person', 'gate-expired']);

/** Follows every question to its end, and counts what was answered without one. */
export function watchGates(): Watch<GatesPart> {
  const stories = firstAndLast<GateStory>(max.gatesHeadMax, max.gatesTailMax);
  const unanswered = firstAndLast<GateStory>(0, max.gatesTailMax);
  const denials = firstAndLast<Denial>(max.denialsHeadMax, max.denialsTailMax);
  const answers = tallied(max.rulesMax);
  const open = new Map<string, GateStory>();

  const close = (gate: Gate, { run, entry }: Seen): void => {
    const story = open.get(gate.id);
    if (story === undefined) return;
    open.delete(gate.id);
    const ended: GateStory = { ...story, closedAt: run.at, ...endOf(gate, entry) };
    stories.add(ended);
    if (ended.end === 'expired') unanswered.add(ended);
  };
  const answered = (effect: Effect, { run, entry }: Seen): void => {
    if (effect.type !== 'request-answer' || notAutomatic.has(effect.rule)) return;
    answers.add(`${effect.answer} ${effect.rule}`);
    if (effect.answer === 'deny') denials.add(denialOf(effect, run, entry));
  };
  return {
    see(seen) {
      const { before, run, entry } = seen;
      if (before?.gates !== run.gates) {
        const now = new Set(run.gates.map((g) => g.id));
        for (const gate of before?.gates ?? []) if (!now.has(gate.id)) close(gate, seen);
        for (const gate of run.gates) if (!open.has(gate.id)) open.set(gate.id, storyOf(gate, run));
      }
      for (const effect of entry.effects ?? []) answered(effect, seen);
    },
    end() {
      for (const story of open.values()) stories.add(story);
      return {
        gates: stories.end(),
        unanswered: unanswered.end().shown,
        answers: answers.pairs<AnswerCount['answer']>().map(({ of, ...count }) => ({ answer: of, ...count })),
        denials: denials.end(),
      };
    },
  };
}

const turnOf = (run: Run): number => run.turns + (run.turn === null ? 0 : 1);

const storyOf = (gate: Gate, run: Run): GateStory => ({
  id: gate.id,
  kind: gate.kind,
  turn: turnOf(run),
  asks: cut(gate.asks.text, max.asksCharsMax),
  because: cut(gate.because, max.becauseCharsMax),
  rule: gate.rule,
  never: gate.never,
  digest: gate.digest,
  askedAt: gate.askedAt,
  expiresAt: gate.expiresAt,
  closedAt: null,
  end: 'open',
  by: null,
  said: '',
});

function endOf(gate: Gate, entry: Entry): { end: GateEnd; by: string | null; said: string } {
  const { event } = entry;
  if (event.type === 'gate-answered' && event.gate === gate.id) {
    const end = { approve: 'approved', deny: 'denied', text: 'answered' } as const;
    return { end: end[event.answer], by: event.by, said: cut(event.text?.text ?? '', max.becauseCharsMax) };
  }
  const isExpired = event.type === 'timer-fired' && event.timer === gateTimer(gate.id);
  return { end: isExpired ? 'expired' : 'withdrawn', by: null, said: '' };
}

function denialOf(effect: EffectOf<'request-answer'>, run: Run, { event, at }: Entry): Denial {
  const action = event.type === 'approval-asked' ? event.action.rendered.text : '';
  return {
    at,
    turn: turnOf(run),
    rule: effect.rule,
    because: cut(effect.because, max.becauseCharsMax),
    action: cut(action, max.labelCharsMax),
    never: effect.never === true,
  };
}

export const publicGates = ({ gates, unanswered, answers, denials }: GatesPart): GatesPart => ({
  gates: mapExcerpt(gates, publicGate),
  unanswered: unanswered.map(publicGate),
  answers: answers.map(({ answer, rule, times }) => ({ answer, rule: named(rule), times })),
  denials: mapExcerpt(denials, (one) => ({
    ...pick(one, 'at', 'turn', 'never'),
    rule: named(one.rule),
    because: '',
    action: '',
  })),
});

const publicGate = (gate: GateStory): GateStory => ({
  ...pick(gate, 'id', 'kind', 'turn', 'never', 'digest', 'askedAt', 'expiresAt', 'closedAt', 'end'),
  asks: '',
  because: '',
  rule: named(gate.rule),
  said: '',
  by: gate.by === null ? null : 'a person',
});
