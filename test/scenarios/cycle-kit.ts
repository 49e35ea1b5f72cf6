import type { Entry, Event, InputPart, Limits } from '../../src/contract/index.ts';
import { type LedgerRun, type LedgerRunOptions, ledgerRun } from '../../src/testkit/ledger-run.ts';

/** A run of three cycles of a thousand tokens, with nothing asked of the memory yet. */
export const cyclesRun = (limits: Partial<Limits> = {}, more: LedgerRunOptions = {}): LedgerRun =>
  ledgerRun({
    mode: 'autonomous',
    ...more,
    agent: { steers: false, ...more.agent },
    policy: { ...more.policy, limits: { cyclesMax: 3, cycleTokensMax: 1_000, ...limits } },
  });

/** The summariser and the memory answer. */
export const prepared = (r: LedgerRun, summary = 'so far', recalled: readonly string[] = []): Entry =>
  r.outcome('summarise', {
    of: 'summarise',
    cycle: r.pending('summarise').effect.cycle,
    summary: { text: summary },
    memories: [],
    recalled: [...recalled],
  });

/** The same run, in its first cycle and about to start a turn. */
export function begun(limits: Partial<Limits> = {}, more: LedgerRunOptions = {}): LedgerRun {
  const r = cyclesRun(limits, more);
  prepared(r);
  return r;
}

type Ended = Partial<Extract<Event, { type: 'turn-ended' }>>;

/** The agent says how much it has used in this session. */
export const used = (r: LedgerRun, totalTokens: number): Entry =>
  r.onEvent({ type: 'usage-reported', session: r.run().session?.id ?? '', usage: { totalTokens } });

/** One whole turn of an agent that has used so much of its session by then; what was decided after it. */
export function turn(r: LedgerRun, totalTokens: number | null, ended: Ended = {}, tree?: string): Entry {
  r.launch();
  r.started();
  if (totalTokens !== null) used(r, totalTokens);
  return r.ended(ended, tree);
}

/** An item of the turn in flight. */
export const item = (r: LedgerRun, label: string): Entry =>
  r.onEvent({
    type: 'item-ended',
    session: r.run().turn?.session ?? '',
    turn: r.run().turn?.turn ?? '',
    item: `i${r.entries.length}`,
    kind: 'command',
    outcome: 'ok',
    label,
  });

/** What the agent is about to be told, or was told last. */
export const parts = (r: LedgerRun): readonly InputPart['part'][] =>
  (r.run().launch ?? r.run().turn)?.input.parts.map(({ part }) => part) ?? [];

/** Every part of a kind that was ever sent, in inputs and as steering. */
export const sent = <T extends InputPart['part']>(r: LedgerRun, part: T): Extract<InputPart, { part: T }>[] =>
  r.entries
    .flatMap(({ effects = [] }) => effects)
    .flatMap((effect) =>
      effect.type === 'turn-start' || effect.type === 'turn-steer' ? effect.input.parts : [],
    )
    .filter((one) => one.part === part) as Extract<InputPart, { part: T }>[];

export const effects = (entry: Entry): readonly string[] => (entry.effects ?? []).map(({ type }) => type);

/** Works cycles until the one is over and summarised; gives the decision that begins the next, or ends the run. */
export function wholeCycle(r: LedgerRun, summary?: string): Entry {
  turn(r, r.run().policy.limits.cycleTokensMax);
  return prepared(r, summary);
}
