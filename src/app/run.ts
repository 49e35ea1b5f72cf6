import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ConfigFile } from '../contract/config.ts';
import type { Agent, Certificate, Check, Entry, Event, GateView, RunView, Store } from '../contract/index.ts';
import { isTerminal } from '../core/index.ts';
import { nextAction } from '../core/report/next-action.ts';
import { type Env, findHome, type Home } from '../edge/home.ts';
import { makeIds } from '../edge/ids.ts';
import { openInline } from '../edge/store/inline.ts';
import { entriesOf } from './entries.ts';
import { keep } from './keeper.ts';
import { forgetRun, prepareRun, recordRun, type WantedRun } from './prepare-run.ts';

/** Any interval does: it only has to be there. */
const aliveMs = 60_000;

/** What a question is answered with. */
export type Answer = 'approve' | 'deny' | { readonly deny: string } | { readonly text: string };

export interface RunOptions {
  /** What you want, in your words. */
  readonly mission: string;
  /** The folder the agent works in. */
  readonly workspace: string;
  /** A known agent by its name, or an adapter of your own. */
  readonly agent: string | Agent;
  /** What proves the end, as shell commands; absent: what the workspace shows. */
  readonly checks?: readonly (string | Pick<Check, 'name' | 'command'>)[];
  readonly limits?: ConfigFile['limits'];
  /** Anything else a config file can say. It counts before the person's and the project's files. */
  readonly settings?: Omit<ConfigFile, 'checks' | 'limits'>;
  /** Where records are kept; absent: where the command line keeps this person's. */
  readonly home?: string;
  /** Absent: this process's. */
  readonly env?: Env;
  /** Answers what the guard or the agent asks. Undefined leaves a question open: `answer`, or the command line. */
  readonly onQuestion?: (question: GateView) => Answer | undefined | Promise<Answer | undefined>;
  /** Lets go of the run and leaves it resumable. */
  readonly signal?: AbortSignal;
}

export interface StartedRun {
  readonly id: string;
  /** Every entry from the first to the last, each time it is iterated. Throws where the run could not be worked. */
  readonly entries: AsyncIterable<Entry>;
  /** The evidence that the mission is finished. Rejects with a `RunError` when the run ends otherwise. */
  readonly certificate: Promise<Certificate>;
  /** Tells the agent what to know or do next. */
  steer(words: string): Promise<void>;
  /** Ends the work after this turn, or `now`; a paused run can be resumed, a stopped one cannot. */
  pause(now?: 'now'): Promise<void>;
  stop(now?: 'now'): Promise<void>;
  /** Answers an open question by its id. */
  answer(question: string, answer: Answer): Promise<void>;
}

/** A run that could not start, or did not end with a certificate. The message names the state and the next step. */
export class RunError extends Error {
  override readonly name = 'RunError';
  /** The run as it was left; absent where none was recorded. */
  readonly view: RunView | undefined;
  constructor(message: string, view?: RunView) {
    super(message);
    this.view = view;
  }
}

/**
 * Starts a run and works it in this process until it is over or paused. Calling it is the consent that the command
 * line asks a person for. It keeps no state outside, so any number of runs share a process.
 */
export function run(options: RunOptions): StartedRun {
  const { env = process.env, mission } = options;
  const home = findHome(options.home === undefined ? env : { ...env, TIRELESS_HOME: resolve(options.home) });
  const id = makeIds().run();
  const by = `${env.USER ?? env.LOGNAME ?? 'person'}@library`;
  const wanted = {
    id,
    home,
    env,
    workspace: resolve(options.workspace),
    agent: options.agent,
    self: [ownProgram()],
  };
  const news = makeNews();
  const recorded = record({ ...wanted, flags: flagsOf(options) }, mission, by);
  const post = async (event: (view: RunView) => Event): Promise<void> => {
    await recorded;
    await withStore(home, async (store) => {
      const view = await viewOf(store, id);
      if (isTerminal(view.state)) throw new RunError(`Run ${id} is ${view.state}; start a new one.`, view);
      await store.post(id, event(view));
    });
  };
  const answer = (question: string, given: Answer): Promise<void> =>
    post((view) => answerOf(view, question, given, by));
  const asks =
    (ask: 'pause' | 'stop') =>
    (now?: 'now'): Promise<void> =>
      post(() => ({ type: 'person-asked', ask, now: now === 'now', by }));
  const worked = recorded.then((agent) => work({ home, env, id, agent, options, news, answer }));
  // The store works on a thread that does not keep this process alive.
  const alive = setInterval(() => undefined, aliveMs);
  const ended = worked.finally(() => {
    clearInterval(alive);
    news.end();
  });
  const certificate = ended.then((view) => withStore(home, (store) => certificateOf(store, view)));
  // Whoever only reads the entries is told there; nobody has to look at the certificate.
  certificate.catch(() => undefined);
  return {
    id,
    entries: { [Symbol.asyncIterator]: () => follow(home, id, recorded, ended, news) },
    certificate,
    steer: (words) => post(() => ({ type: 'steer-given', text: { text: words }, by })),
    pause: asks('pause'),
    stop: asks('stop'),
    answer,
  };
}

/** Records the run; gives the agent where that is the caller's own. */
async function record(wanted: WantedRun, mission: string, by: string): Promise<Agent | undefined> {
  try {
    if (mission.trim() === '') throw new RunError('The mission is empty. Say what you want.');
    const prepared = await prepareRun(wanted);
    if ('problem' in prepared) throw new RunError(prepared.problem);
    await recordRun(wanted, prepared, { mission, by });
  } catch (error) {
    forgetRun(wanted);
    throw error;
  }
  return typeof wanted.agent === 'string' ? undefined : wanted.agent;
}

interface Work {
  readonly home: Home;
  readonly env: Env;
  readonly id: string;
  readonly agent: Agent | undefined;
  readonly options: RunOptions;
  readonly news: News;
  readonly answer: (question: string, given: Answer) => Promise<void>;
}

/** Works the run. A caller whose `onQuestion` fails lets go of it: nobody would answer. */
async function work({ home, env, id, agent, options, news, answer }: Work): Promise<RunView> {
  const { onQuestion, signal } = options;
  const failed = new AbortController();
  const asked = new Set<string>();
  const ask = async (question: GateView): Promise<void> => {
    const given = await onQuestion?.(question);
    if (given !== undefined) await answer(question.id, given);
  };
  const onView = (view: RunView): void => {
    for (const question of view.gates.filter(({ id: gate }) => !asked.has(gate))) {
      asked.add(question.id);
      ask(question).catch((error: unknown) => failed.abort(error));
    }
  };
  const view = await keep({
    home,
    env,
    run: id,
    agent,
    signal: AbortSignal.any([failed.signal, ...(signal === undefined ? [] : [signal])]),
    onEntry: news.tell,
    onView: onQuestion === undefined ? undefined : onView,
  });
  if (failed.signal.aborted) throw failed.signal.reason;
  return view;
}

/** Wakes whoever follows the run; keeps no entry. */
interface News {
  tell(): void;
  end(): void;
  isOver(): boolean;
  next(): Promise<void>;
}

function makeNews(): News {
  let over = false;
  let next = Promise.withResolvers<void>();
  const tell = (): void => {
    next.resolve();
    next = Promise.withResolvers();
  };
  return {
    tell,
    end() {
      over = true;
      tell();
    },
    isOver: () => over,
    next: () => next.promise,
  };
}

async function* follow(
  home: Home,
  id: string,
  recorded: Promise<unknown>,
  ended: Promise<unknown>,
  news: News,
): AsyncGenerator<Entry, void> {
  await recorded;
  const store = openInline(home.store);
  try {
    for (let seq = 1; ; ) {
      const changed = news.next();
      const isOver = news.isOver(); // before reading, so that the last entries are read
      for await (const entry of entriesOf(store, id, seq)) {
        seq = entry.seq + 1;
        yield entry;
      }
      if (isOver) break;
      await changed;
    }
  } finally {
    await store.close();
  }
  await ended;
}

const flagsOf = ({ checks, limits, settings }: RunOptions): Record<string, unknown> => ({
  ...settings,
  limits,
  checks: checks?.map((check) =>
    typeof check === 'string' ? { name: check.slice(0, 200), command: check } : check,
  ),
});

/** The command line, which serves the agent's tools: beside the built library, or its source. */
function ownProgram(): string {
  const here = import.meta.url;
  return fileURLToPath(new URL(here.endsWith('.ts') ? './cli/main.ts' : './tireless.js', here));
}

async function withStore<T>(home: Home, use: (store: Store) => Promise<T>): Promise<T> {
  const store = openInline(home.store);
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

async function viewOf(store: Store, id: string): Promise<RunView> {
  const view = await store.view(id);
  if (view === null) throw new RunError(`There is no run ${id}.`);
  return view;
}

async function certificateOf(store: Store, view: RunView): Promise<Certificate> {
  if (view.state === 'done')
    for await (const { decision } of entriesOf(store, view.id))
      if (decision?.to === 'done' && decision.certificate !== undefined) return decision.certificate;
  const next =
    nextAction(view) ?? (isTerminal(view.state) ? 'start a new run' : `tireless resume ${view.id}`);
  throw new RunError(`Run ${view.id} is ${view.state}, not done: ${view.because}. Next: ${next}`, view);
}

function answerOf(view: RunView, question: string, given: Answer, by: string): Event {
  const gate = view.gates.find(({ id }) => id === question);
  if (gate === undefined)
    throw new RunError(`No open question "${question}": it was answered, expired or never asked.`, view);
  const isText = typeof given !== 'string' && 'text' in given;
  if (isText !== (gate.kind === 'input') && given !== 'deny')
    throw new RunError(
      `${question} ${gate.kind === 'input' ? 'is a question: answer it with { text }' : "asks for permission: answer 'approve' or 'deny'"}.`,
      view,
    );
  const answer = isText ? 'text' : given === 'approve' ? 'approve' : 'deny';
  const words = typeof given === 'string' ? undefined : 'text' in given ? given.text : given.deny;
  const text = words === undefined ? undefined : { text: words };
  return { type: 'gate-answered', gate: question, answer, digest: gate.digest, by, text };
}
