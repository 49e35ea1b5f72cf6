import type {
  Aborting,
  AgentSession,
  Clock,
  Effect,
  Entry,
  Event,
  Store,
  Summariser,
  Workspace,
} from '../contract/index.ts';
import { effectsOf, foldVersion, type Run, stepAll, viewOf } from '../core/index.ts';
import type { HandsContext } from '../edge/effects/context.ts';
import { handle } from '../edge/effects/hands.ts';
import { makeTimers, type Timers } from '../edge/timers.ts';
import { appendPatiently } from './append.ts';
import { type Ears, makeEars } from './ears.ts';
import type { House } from './house.ts';
import { type Mailbox, makeMailbox } from './mailbox.ts';
import { entriesOf, type Opened, snapshotEntries } from './open-run.ts';

/** A summary that takes longer is given up; the facts are then kept as they are. */
const summaryMs = 300_000;
/** Entries of one cycle that are read for its summary: the newest. */
const cycleEntriesMax = 20_000;

/** Something heard on its way to the door. */
export interface Draft {
  readonly event: Event;
  readonly body?: string;
  readonly cause?: string;
}

/** What lies in the corridor's queue: a draft, our own failure, or the wish to let go. */
export type Mail = Draft | { readonly broken: unknown } | { readonly letGo: true };

/** One supervised run in this process. Only `pass` changes it. */
export interface Corridor {
  readonly house: House;
  readonly id: string;
  readonly epoch: number;
  readonly mailbox: Mailbox<Mail>;
  readonly sessions: Map<string, AgentSession>;
  readonly ears: Ears;
  readonly timers: Timers;
  readonly context: HandsContext;
  /** Ends what runs on our side, such as a check, when the corridor does. */
  readonly ending: AbortController;
  /** Ends what may still be written down after the last decision. */
  readonly parting: AbortController;
  /** Effects under way: started by the corridor, never awaited by it. */
  readonly under: Set<Promise<void>>;
  /** Aborted: let go as soon as possible, also of a disk that cannot be written. */
  readonly letGo: AbortSignal | undefined;
  run: Run;
  sinceSnapshot: number;
}

export function makeCorridor(
  house: House,
  { run, sinceSnapshot }: Opened,
  epoch: number,
  letGo?: AbortSignal,
): Corridor {
  const mailbox = makeMailbox<Mail>();
  const put = (event: Event, body?: string): void =>
    mailbox.put(body === undefined ? { event } : { event, body });
  const sessions = new Map<string, AgentSession>();
  const now = (): Run => corridor.run;
  const ears = makeEars(house, run.id, put, now, sessions);
  const ending = new AbortController();
  const parting = new AbortController();
  const corridor: Corridor = {
    ...{ ending, parting },
    ...{ house, id: run.id, epoch, mailbox, sessions, ears, run, letGo, sinceSnapshot, under: new Set() },
    timers: makeTimers(house.clock, (timer, effect) => put({ type: 'timer-fired', timer, effect })),
    context: {
      ...{
        run: now,
        agent: house.agent,
        ears,
        sessions,
        // What nobody waits for any more ends with the corridor.
        workspace: abortable(house.workspace, ending.signal),
        notify: house.notify,
        advise: heeding(house.advise, ending.signal),
        adviseTool: heeding(house.adviseTool, ending.signal),
        summarise: timely(house.summarise, house.clock, parting.signal),
        recall: house.recall,
        remember: house.remember,
      },
      alone: oneAfterTheOther(),
      slots: house.slots ?? { request: async () => undefined },
      bodyOf: (digest) => house.store.body(digest),
      entries: (fromSeq) => newest(house.store, run.id, fromSeq),
    },
  };
  return corridor;
}

function oneAfterTheOther(): HandsContext['alone'] {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work);
    last = mine.catch(() => undefined); // whoever asked for it hears of its failure
    return mine;
  };
}

const abortable = (workspace: Workspace, signal: AbortSignal): Workspace => ({
  ...workspace,
  check: (check, timeoutMs) => workspace.check(check, timeoutMs, signal),
});

const heeding = <Asked, Answer>(
  ask: ((asked: Asked, signal?: Aborting) => Promise<Answer>) | undefined,
  signal: AbortSignal,
): ((asked: Asked) => Promise<Answer>) | undefined =>
  ask === undefined ? undefined : (asked) => ask(asked, signal);

/** A summariser that is slow, or still at it when the corridor ends, has failed. */
const timely = (
  summarise: Summariser | undefined,
  clock: Clock,
  signal: AbortSignal,
): Summariser | undefined =>
  summarise === undefined
    ? undefined
    : async (request) => {
        const late = new AbortController();
        const given = new Promise<never>((_, reject) => {
          late.signal.addEventListener('abort', () => reject(new Error('it took too long')), { once: true });
        });
        const off = clock.after(summaryMs, () => late.abort());
        const stop = (): void => late.abort();
        signal.addEventListener('abort', stop, { once: true });
        if (signal.aborted) stop();
        try {
          return await Promise.race([summarise(request, late.signal), given]);
        } finally {
          off();
          signal.removeEventListener('abort', stop);
        }
      };

async function newest(store: Store, run: string, fromSeq: number): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  for await (const entry of entriesOf(store, run, fromSeq)) {
    entries.push(entry);
    if (entries.length > cycleEntriesMax * 2) entries.splice(0, cycleEntriesMax);
  }
  return entries.slice(-cycleEntriesMax);
}

/** Hear, remember, judge, write: and only when it is written, act. */
export async function pass(corridor: Corridor, drafts: readonly Draft[]): Promise<void> {
  const { house, id, epoch, timers, ears } = corridor;
  const heard = drafts.map((draft) => house.door(draft.event, draft.body, draft.cause));
  const { run, entries } = stepAll(
    corridor.run,
    heard.map((h) => h.heard),
    id,
  );
  const isDue = corridor.sinceSnapshot + entries.length >= snapshotEntries;
  const extras = {
    view: viewOf(run),
    bodies: heard.flatMap((h) => h.bodies),
    ...(isDue ? { snapshot: { seq: run.seq, foldVersion, json: JSON.stringify(run) } } : {}),
  };
  const fromSeq = corridor.run.seq + 1;
  await appendPatiently(house, { run: id, epoch, fromSeq, entries, extras }, corridor.letGo);
  corridor.run = run;
  corridor.sinceSnapshot = isDue ? 0 : corridor.sinceSnapshot + entries.length;
  timers.sync(run.timers);
  for (const entry of entries)
    for (const { id: effectId, effect } of effectsOf(entry)) start(corridor, effectId, effect);
  ears.watchSilence();
  for (const entry of entries) house.onEntry?.(entry);
  house.onView?.(extras.view);
}

/** Starts an effect. Its outcome goes back into the queue; what a hand throws is our own bug and ends the corridor. */
function start({ mailbox, context, under }: Corridor, id: string, effect: Effect): void {
  if (effect.type === 'timer-set' || effect.type === 'timer-cancel') return; // synced with the run's timers after each pass
  const done = handle(effect, context).then(
    ({ outcome, body }) =>
      mailbox.put({
        event: { type: 'effect-ended', effect: id, outcome },
        ...(body === undefined ? {} : { body }),
      }),
    (error: unknown) => mailbox.put({ broken: error }),
  );
  under.add(done);
  void done.finally(() => under.delete(done));
}
