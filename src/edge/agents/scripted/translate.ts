import { createHash } from 'node:crypto';
import type { AgentEvent, LiveFrame } from '../../../contract/index.ts';
import type { Frame } from '../shared/frames.ts';
import { type Word, wordSchema } from './native.ts';

export interface Heard {
  readonly events: readonly { readonly event: AgentEvent; readonly body?: string }[];
  readonly live: readonly LiveFrame[];
  readonly word: Word | null;
}

const digestOf = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex');

/** One line of the scripted agent as events. What cannot be read is an event, never a silence. */
export function translate(session: string, cwd: string, frame: Frame): Heard {
  if ('unreadable' in frame)
    return {
      word: null,
      live: [],
      events: [
        {
          event: { type: 'unreadable', source: 'scripted', because: frame.because, sample: frame.unreadable },
        },
      ],
    };
  const parsed = wordSchema.safeParse(frame.value);
  if (!parsed.success) {
    const sample = JSON.stringify(frame.value).slice(0, 2_000);
    return {
      word: null,
      live: [],
      events: [
        {
          event: {
            type: 'unreadable',
            source: 'scripted',
            because: parsed.error.message.slice(0, 1_000),
            sample,
          },
        },
      ],
    };
  }
  const word = parsed.data;
  if (word.word === 'delta')
    return { word, events: [], live: [{ session, kind: 'message', text: word.text }] };
  return { word, live: [], events: eventOf(session, cwd, word) };
}

function eventOf(session: string, cwd: string, word: Exclude<Word, { word: 'delta' }>): Heard['events'] {
  switch (word.word) {
    case 'ready':
    case 'found':
      return [];
    case 'started':
      return [{ event: { type: 'turn-started', session, turn: word.turn, dispatch: word.dispatch } }];
    case 'item': {
      const { turn, item, kind, outcome, label, exitCode } = word;
      const event: AgentEvent = {
        type: 'item-ended',
        session,
        turn,
        item,
        kind,
        outcome,
        label: label.slice(0, 1_000),
        ...(exitCode === undefined ? {} : { exitCode }),
      };
      return [word.output === undefined ? { event } : { event, body: word.output }];
    }
    case 'plan': {
      const done = word.steps.filter((s) => s.status === 'completed').length;
      const current = word.steps.find((s) => s.status === 'in-progress')?.step;
      return [
        {
          event: {
            type: 'plan-changed',
            session,
            turn: word.turn,
            digest: digestOf(word.steps),
            done,
            total: word.steps.length,
            ...(current === undefined ? {} : { current }),
          },
        },
      ];
    }
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
    case 'approval': {
      const { kind, rendered, paths } = word;
      const action = {
        kind,
        rendered: { text: rendered },
        digest: digestOf({ kind, rendered, cwd }),
        cwd,
        ...(paths === undefined ? {} : { paths }),
      };
      return [{ event: { type: 'approval-asked', session, turn: word.turn, request: word.request, action } }];
    }
    case 'question':
      return [
        {
          event: {
            type: 'input-asked',
            session,
            turn: word.turn,
            request: word.request,
            questions: word.questions,
            digest: digestOf(word.questions),
          },
        },
      ];
    case 'ended': {
      const { turn, dispatch, status, failure, message } = word;
      return [
        {
          event: {
            type: 'turn-ended',
            session,
            turn,
            dispatch,
            status,
            ...(failure === undefined ? {} : { failure }),
            ...(message === undefined ? {} : { message: { text: message } }),
          },
        },
      ];
    }
  }
}
