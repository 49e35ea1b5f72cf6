import { createHash } from 'node:crypto';
import type { AgentEvent, LiveFrame } from '../../../contract/index.ts';
import type { Frame } from '../shared/frames.ts';
import { type Word, wordSchema } from './native.ts';

interface Reported {
  readonly event: AgentEvent;
  readonly body?: string;
}

export interface StampedEvent {
  readonly events: readonly Reported[];
  readonly live: readonly LiveFrame[];
  readonly word: Word | null;
}

type WordOf<T extends Word['word']> = Extract<Word, { word: T }>;

const digestOf = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex');

/** One line of the scripted agent as events. What cannot be read becomes an event too. */
export function translate(session: string, cwd: string, frame: Frame): StampedEvent {
  if ('unreadable' in frame) return unreadable(frame.because, frame.unreadable);
  const parsed = wordSchema.safeParse(frame.value);
  if (!parsed.success) return unreadable(parsed.error.message, JSON.stringify(frame.value));
  const word = parsed.data;
  if (word.word === 'delta')
    return { word, events: [], live: [{ session, kind: 'message', text: word.text }] };
  return { word, live: [], events: eventsOf(session, cwd, word) };
}

function unreadable(because: string, sample: string): StampedEvent {
  const event: AgentEvent = {
    type: 'unreadable',
    source: 'scripted',
    because: because.slice(0, 1_000),
    sample: sample.slice(0, 2_000),
  };
  return { word: null, live: [], events: [{ event }] };
}

function eventsOf(session: string, cwd: string, word: Exclude<Word, { word: 'delta' }>): readonly Reported[] {
  switch (word.word) {
    case 'ready':
    case 'found':
    case 'steered':
      return [];
    case 'started':
      return [{ event: { type: 'turn-started', session, turn: word.turn, dispatch: word.dispatch } }];
    case 'item':
      return [itemOf(session, word)];
    case 'background':
      return [{ event: { type: 'background-changed', session, tasks: word.tasks } }];
    case 'session':
      return [{ event: { type: 'session-changed', session, to: word.to, because: word.because } }];
    case 'plan':
      return [planOf(session, word)];
    case 'usage':
      return [{ event: { type: 'usage-reported', session, usage: word.usage } }];
    case 'compacted':
      return [{ event: { type: 'compaction-seen', session, turn: word.turn } }];
    case 'report':
      return [
        {
          event: {
            type: 'status-reported',
            session,
            turn: word.turn,
            status: word.status,
            text: { text: word.evidence },
          },
        },
      ];
    case 'approval':
      return [approvalOf(session, cwd, word)];
    case 'question': {
      const { turn, request, questions } = word;
      return [
        { event: { type: 'input-asked', session, turn, request, questions, digest: digestOf(questions) } },
      ];
    }
    case 'ended':
      return [endOf(session, word)];
  }
}

function itemOf(
  session: string,
  { turn, item, kind, outcome, label, exitCode, output, subagent }: WordOf<'item'>,
): Reported {
  const event: AgentEvent = {
    type: 'item-ended',
    session,
    turn,
    item,
    kind,
    outcome,
    label: label.slice(0, 1_000),
    exitCode,
    subagent,
  };
  return output === undefined ? { event } : { event, body: output };
}

const statuses = { pending: 'pending', 'in-progress': 'active', completed: 'done' } as const;

function planOf(session: string, { turn, steps }: WordOf<'plan'>): Reported {
  const done = steps.filter((s) => s.status === 'completed').length;
  const current = steps.find((s) => s.status === 'in-progress')?.step;
  return {
    event: {
      type: 'plan-changed',
      session,
      turn,
      digest: digestOf(steps),
      done,
      total: steps.length,
      current,
      steps: steps.map(({ step, status }) => ({ text: step.slice(0, 500), status: statuses[status] })),
    },
  };
}

function approvalOf(
  session: string,
  cwd: string,
  { turn, request, kind, rendered, paths, subagent }: WordOf<'approval'>,
): Reported {
  const action = {
    kind,
    rendered: { text: rendered },
    digest: digestOf({ kind, rendered, cwd }),
    cwd,
    paths,
  };
  return { event: { type: 'approval-asked', session, turn, request, action, subagent } };
}

function endOf(session: string, { turn, dispatch, status, failure, message }: WordOf<'ended'>): Reported {
  return {
    event: {
      type: 'turn-ended',
      session,
      turn,
      dispatch,
      status,
      failure,
      message: message === undefined ? undefined : { text: message },
    },
  };
}
