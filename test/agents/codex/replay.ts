import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { AgentEvent, LiveFrame } from '../../../src/contract/index.ts';
import type { Reply } from '../../../src/edge/agents/codex/meaning.ts';
import { type CodexState, startState } from '../../../src/edge/agents/codex/state.ts';
import { noteSent, translate } from '../../../src/edge/agents/codex/translate.ts';

const folder = join(import.meta.dirname, '../../recordings/codex');

/** One line of a recording of the real app-server: who spoke (`>` we, `<` the server) and what. */
export interface Recorded {
  readonly dir: '>' | '<';
  readonly msg: Record<string, unknown>;
}

export const recordings = globSync('*.jsonl', { cwd: folder })
  .map((file) => basename(file, '.jsonl'))
  .sort();

export function recorded(name: string): Recorded[] {
  const lines = readFileSync(join(folder, `${name}.jsonl`), 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
}

/** The recordings start turns without naming a dispatch, as we do: what we send is ours to name. */
export function withDispatches(frames: readonly Recorded[]): Recorded[] {
  let count = 0;
  return frames.map((frame) => {
    if (frame.dir !== '>' || frame.msg.method !== 'turn/start') return frame;
    count += 1;
    const params = { clientUserMessageId: `dispatch-${count}`, ...(frame.msg.params as object) };
    return { ...frame, msg: { ...frame.msg, params } };
  });
}

export interface Replayed {
  readonly state: CodexState;
  readonly events: readonly AgentEvent[];
  readonly bodies: readonly (string | undefined)[];
  readonly live: readonly LiveFrame[];
  readonly replies: readonly Reply[];
}

export function replay(frames: readonly Recorded[], session: string | null = null): Replayed {
  let state = startState(session);
  const events: AgentEvent[] = [];
  const bodies: (string | undefined)[] = [];
  const live: LiveFrame[] = [];
  const replies: Reply[] = [];
  for (const { dir, msg } of frames) {
    if (dir === '>') {
      state = noteSent(state, msg);
      continue;
    }
    const meaning = translate(state, msg);
    state = meaning.state;
    live.push(...meaning.live);
    replies.push(...meaning.replies);
    for (const told of meaning.events) {
      events.push(told.event);
      bodies.push(told.body);
    }
  }
  return { state, events, bodies, live, replies };
}

/** The events of a recording, one line each, with short names for threads (S) and turns (T1, T2). */
export function told(name: string): string[] {
  return tell(replay(withDispatches(recorded(name))));
}

export function tell({ events, state }: Replayed): string[] {
  const threads = namer('S', state.session === null ? [] : [state.session]);
  const turns = namer('T');
  return events.map((event) => {
    const place = [
      'session' in event && event.session !== state.session ? threads(event.session) : '',
      'turn' in event ? turns(event.turn) : '',
    ];
    return [event.type, ...place, ...details(event)].filter((part) => part !== '').join(' ');
  });
}

function namer(letter: string, known: string[] = []) {
  const ids = [...known];
  return (id: string) => {
    if (!ids.includes(id)) ids.push(id);
    return `${letter}${ids.indexOf(id) + 1}`;
  };
}

const quoted = (text: string) => `«${text.replaceAll('\n', '⏎')}»`;

function details(event: AgentEvent): string[] {
  switch (event.type) {
    case 'turn-started':
      return [event.dispatch ?? 'foreign'];
    case 'turn-ended':
      return [
        event.dispatch ?? 'foreign',
        event.status,
        event.failure?.kind ?? '',
        event.message ? quoted(event.message.text) : '',
      ];
    case 'item-ended':
      return [
        event.kind,
        event.outcome,
        event.exitCode === undefined ? '' : `exit=${event.exitCode}`,
        quoted(event.label),
      ];
    case 'plan-changed':
      return [`${event.done}/${event.total}`, event.current ?? ''];
    case 'usage-reported':
      return [`${event.usage.totalTokens} of ${event.windowTokens}`];
    case 'status-reported':
      return [event.status, quoted(event.text.text)];
    case 'error-seen':
      return [event.failure.kind, event.willRetry ? 'retries' : 'final'];
    case 'limit-seen':
      return [String(event.resetAt), quoted(event.because)];
    case 'mode-raised':
      return [event.mode];
    case 'approval-asked':
      return [event.action.kind, quoted(event.action.rendered.text)];
    case 'input-asked':
      return event.questions.map(({ question, options }) => `${quoted(question)} ${options?.join('|')}`);
    case 'unreadable':
      return [quoted(event.because)];
    default:
      return [];
  }
}
