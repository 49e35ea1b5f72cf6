import type { Entry } from '../../src/contract/index.ts';
import type { Run } from '../../src/core/index.ts';
import type { LedgerRun } from '../../src/testkit/ledger-run.ts';

export const digestOf = (letter: string): string => letter.repeat(64);

/** The agent asks whether it may do something; gives the gate that opened. */
export function askApproval(r: LedgerRun, request: string, digest = digestOf('a')): Run['gates'][number] {
  const turn = r.run().turn?.turn ?? '?';
  const action = { kind: 'command' as const, rendered: { text: 'make deploy' }, digest };
  r.onEvent({ type: 'approval-asked', session: 's1', turn, request, action });
  return newestGate(r);
}

export function askQuestion(r: LedgerRun, request: string): Run['gates'][number] {
  const turn = r.run().turn?.turn ?? '?';
  const questions = [{ id: 'q', question: 'which way?', options: ['left', 'right'] }];
  r.onEvent({ type: 'input-asked', session: 's1', turn, request, questions, digest: digestOf('d') });
  return newestGate(r);
}

function newestGate(r: LedgerRun): Run['gates'][number] {
  const gate = r.run().gates.at(-1);
  if (gate === undefined) throw new Error('no gate was opened');
  return gate;
}

/** The effects of one type that an entry set out to do. */
export const effectsOfType = (entry: Entry | undefined, type: string) =>
  (entry?.effects ?? []).filter((effect) => effect.type === type);

export const fire = (r: LedgerRun, timer: string, afterMs: number): Entry =>
  r.onEvent({ type: 'timer-fired', timer, effect: r.run().timers[timer]?.effect ?? 'none' }, afterMs);

export const person = (r: LedgerRun, ask: 'stop' | 'off' | 'pause' | 'resume', now = false): Entry =>
  r.onEvent({ type: 'person-asked', ask, now, by: 'me' });
