import type { Entry } from '../contract/entry.ts';
import type { Event } from '../contract/event.ts';
import type { RunView } from '../contract/view.ts';

/** A valid entry of about 600 bytes, the size of an ordinary one; `with` replaces what a test is about. */
export function sampleEntry(run: string, seq: number, changes: Partial<Entry> = {}): Entry {
  return {
    v: 1,
    run,
    seq,
    at: 1_800_000_000_000 + seq,
    mono: seq,
    event: {
      type: 'item-ended',
      session: 'th_01J9Z7Q0000000000000000000',
      turn: `turn_${Math.ceil(seq / 20)}`,
      item: `item_${seq}`,
      kind: 'command',
      outcome: 'ok',
      label: `npm test -- --run packages/ledger/src/chain.test.ts (attempt ${seq}): 41 passed, 0 failed, 2 skipped in 3.9 s; coverage of lines 91.2 %, of branches 84.7 %, as the last time this was asked; the slowest was the one about a page that went bad in the middle`,
      exitCode: 0,
      body: seq.toString(16).padStart(64, 'b'),
    },
    ...changes,
  };
}

/** Entries `fromSeq` to `toSeq` of a run. */
export function sampleEntries(run: string, fromSeq: number, toSeq: number): Entry[] {
  return Array.from({ length: toSeq - fromSeq + 1 }, (_, index) => sampleEntry(run, fromSeq + index));
}

export function sampleView(run: string, seq: number, changes: Partial<RunView> = {}): RunView {
  return {
    id: run,
    state: 'running',
    toggle: 'running',
    waitingOn: null,
    until: null,
    because: 'turn 3 is at work',
    cause: null,
    workspace: '/home/someone/project',
    agent: 'scripted',
    mission: 'make the tests pass',
    turns: 3,
    turnsMax: 200,
    tokens: null,
    tokensMax: null,
    money: null,
    activeMs: 60_000,
    plan: null,
    lastDecision: null,
    gates: [],
    checks: [],
    createdAt: 1_800_000_000_000,
    updatedAt: 1_800_000_000_000 + seq,
    seq,
    ...changes,
  };
}

/** A message a person may leave for a run. */
export function sampleMessage(text: string): Event {
  return { type: 'steer-given', text: { text }, by: 'person' };
}
