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
import type { HandlerContext } from '../edge/effects/context.ts';
import { handle } from '../edge/effects/handlers.ts';
import type { HookJudge } from '../edge/sockets/judge.ts';
import { makeTimers, type Timers } from '../edge/timers.ts';
import { appendPatiently } from './append.ts';
import type { Dependencies } from './dependencies.ts';
import { entriesOf } from './entries.ts';
import { makeListener, type RunListener } from './listener.ts';
import { type Mailbox, makeMailbox } from './mailbox.ts';
import { type Opened, snapshotEntries } from './open-run.ts';

/** A summary that takes longer is given up; the facts are then kept as they are. */
const summaryMs = 300_000;
/** Entries of one cycle that are read for its summary: the newest. */
const cycleEntriesMax = 20_000;

/** An event on its way to ingest. */
export interface Draft {
  readonly event: Event;
  readonly body?: string;
  readonly cause?: string;
}

/** What waits in the run loop's queue: a draft, our own failure, or the request to release the run. */
export type Mail = Draft | { readonly broken: unknown } | { readonly release: true };

/** One supervised run in this process. Only `pass` changes it. */
export interface RunLoop {
  readonly deps: Dependencies;
  readonly id: string;
  readonly epoch: number;
  readonly mailbox: Mailbox<Mail>;
  readonly sessions: Map<string, AgentSession>;
  readonly listener: RunListener;
  readonly timers: Timers;
  readonly context: HandlerContext;
  /** Ends what runs on our side, such as a check, when the run loop does. */
  readonly ending: AbortController;
  /** Ends what may still be written down after the last decision. */
  readonly draining: AbortController;
  /** Effects under way: started by the run loop, never awaited by it. */
  readonly under: Set<Promise<void>>;
  /** Aborted: release the run as soon as possible, also when waiting for a disk that cannot be written. */
  readonly release: AbortSignal | undefined;
  /** Hooks and plugins that wait at the agent's socket, while it is open. */
  hooks: Pick<HookJudge, 'deliver'> | null;
  run: Run;
  sinceSnapshot: number;
}

export function makeRunLoop(
  deps: Dependencies,
  { run, sinceSnapshot }: Opened,
  epoch: number,
  release?: AbortSignal,
): RunLoop {
  const mailbox = makeMailbox<Mail>();
  const put = (event: Event, body?: string): void =>
    mailbox.put(body === undefined ? { event } : { event, body });
  const sessions = new Map<string, AgentSession>();
  const now = (): Run => loop.run;
  const listener = makeListener(deps, run.id, put, now, sessions);
  const ending = new AbortController();
  const draining = new AbortController();
  const loop: RunLoop = {
    ending,
    draining,
    deps,
    id: run.id,
    epoch,
    mailbox,
    sessions,
    listener,
    run,
    release,
    sinceSnapshot,
    hooks: null,
    under: new Set(),
    timers: makeTimers(deps.clock, (timer, effect) => put({ type: 'timer-fired', timer, effect })),
    context: {
      run: now,
      agent: deps.agent,
      listener,
      sessions,
      // What nobody waits for any more ends with the run loop.
      workspace: abortable(deps.workspace, ending.signal),
      notify: deps.notify,
      advise: heeding(deps.advise, ending.signal),
      adviseTool: heeding(deps.adviseTool, ending.signal),
      summarise: timely(deps.summarise, deps.clock, draining.signal),
      answerHook: (request, answer) => loop.hooks?.deliver(request, answer) === true,
      recall: deps.recall,
      remember: deps.remember,
      alone: oneAfterTheOther(),
      slots: deps.slots ?? { request: async () => undefined },
      bodyOf: (digest) => deps.store.body(digest),
      entries: (fromSeq) => newest(deps.store, run.id, fromSeq),
    },
  };
  return loop;
}

function oneAfterTheOther(): HandlerContext['alone'] {
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

/** A summariser that is slow, or still at it when the run loop ends, has failed. */
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
export async function pass(loop: RunLoop, drafts: readonly Draft[]): Promise<void> {
  const { deps, id, epoch, timers, listener } = loop;
  const stamped = drafts.map((draft) => deps.ingest(draft.event, draft.body, draft.cause));
  const { run, entries } = stepAll(
    loop.run,
    stamped.map((h) => h.stamped),
    id,
  );
  const isDue = loop.sinceSnapshot + entries.length >= snapshotEntries;
  const extras = {
    view: viewOf(run),
    bodies: stamped.flatMap((h) => h.bodies),
    snapshot: isDue ? { seq: run.seq, foldVersion, json: JSON.stringify(run) } : undefined,
  };
  const fromSeq = loop.run.seq + 1;
  await appendPatiently(deps, { run: id, epoch, fromSeq, entries, extras }, loop.release);
  loop.run = run;
  loop.sinceSnapshot = isDue ? 0 : loop.sinceSnapshot + entries.length;
  timers.sync(run.timers);
  for (const entry of entries)
    for (const { id: effectId, effect } of effectsOf(entry)) start(loop, effectId, effect);
  listener.watchSilence();
  for (const entry of entries) deps.onEntry?.(entry);
  deps.onView?.(extras.view);
}

/** Starts an effect. Its outcome goes back into the queue; what a handler throws is our own bug and ends the run loop. */
function start({ mailbox, context, under }: RunLoop, id: string, effect: Effect): void {
  if (effect.type === 'timer-set' || effect.type === 'timer-cancel') return; // synced with the run's timers after each pass
  const done = handle(effect, context).then(
    ({ outcome, body }) => mailbox.put({ event: { type: 'effect-ended', effect: id, outcome }, body }),
    (error: unknown) => mailbox.put({ broken: error }),
  );
  under.add(done);
  void done.finally(() => under.delete(done));
}
