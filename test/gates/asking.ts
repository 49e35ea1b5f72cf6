import { createHash } from 'node:crypto';
import type { Action, Effect, Entry, EventOf } from '../../src/contract/index.ts';
import { type LedgerRun, type LedgerRunOptions, ledgerRun } from '../../src/testkit/ledger-run.ts';

export const site = { home: '/home/ada', tirelessHome: '/home/ada/.tireless', temp: ['/tmp'] };

export const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** A run on a machine the guard knows, with a turn in flight. */
export function asking(policy: Record<string, unknown> = {}, more: LedgerRunOptions = {}): Asking {
  const r = ledgerRun({ policy, site, ...more });
  r.launch();
  r.started();
  let requests = 0;
  const ask = (text: string, over: Partial<Action> = {}): Entry => {
    requests += 1;
    const action: Action = {
      kind: 'command',
      rendered: { text },
      digest: digestOf(`${over.kind ?? 'command'} ${text}`),
      ...over,
    };
    const turn = r.run().turn;
    const at = { session: turn?.session ?? '', turn: turn?.turn ?? '' };
    return r.onEvent({ type: 'approval-asked', ...at, request: `q${requests}`, action });
  };
  const answer: Asking['answer'] = (answered) => {
    const gate = r.run().gates.at(-1);
    return r.onEvent({
      type: 'gate-answered',
      gate: gate?.id ?? 'none',
      digest: gate?.digest,
      by: 'ada',
      ...answered,
    });
  };
  return { ...r, ask, answer };
}

export interface Asking extends LedgerRun {
  /** The agent asks for leave; gives the entry. */
  ask(command: string, over?: Partial<Action>): Entry;
  /** A person answers the newest question. */
  answer(answer: Partial<EventOf<'gate-answered'>> & Pick<EventOf<'gate-answered'>, 'answer'>): Entry;
}

/** The effects of an entry, of one type. */
export const effectsIn = <T extends Effect['type']>(
  entry: Entry,
  type: T,
): readonly Extract<Effect, { type: T }>[] =>
  (entry.effects ?? []).filter((e): e is Extract<Effect, { type: T }> => e.type === type);

/** How the agent's request was answered in this entry: undefined while a person is asked. */
export const answerIn = (entry: Entry) => effectsIn(entry, 'request-answer')[0];
