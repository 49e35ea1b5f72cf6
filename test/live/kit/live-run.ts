import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createRun } from '../../../src/app/create-run.ts';
import { makeSkippingClock, type SkippingClock } from '../../../src/app/demo/skipping-clock.ts';
import type { Dependencies } from '../../../src/app/dependencies.ts';
import { endings } from '../../../src/app/orphans.ts';
import { siteHere } from '../../../src/app/site.ts';
import { supervise } from '../../../src/app/supervise.ts';
import {
  type Agent,
  type Entry,
  type Event,
  policySchema,
  type RunView,
  type Store,
} from '../../../src/contract/index.ts';
import { codexAgent } from '../../../src/edge/agents/codex/adapter.ts';
import type { CodexOptions } from '../../../src/edge/agents/codex/options.ts';
import { makeIds } from '../../../src/edge/ids.ts';
import { makeIngest } from '../../../src/edge/ingest/ingest.ts';
import { holderHere, processStart } from '../../../src/edge/lock.ts';
import { openInline } from '../../../src/edge/store/inline.ts';
import { type OpenWorkspace, openWorkspace } from '../../../src/edge/workspace/index.ts';
import {
  type ScriptedModel,
  type ScriptedModelOptions,
  scriptedResponses,
} from '../../../src/testkit/models/responses.ts';
import { type CodexHome, type CodexHomeOptions, codexHome, installedCodex } from './codex-home.ts';
import { assertSound } from './sound.ts';

const patienceMs = 30_000;

export interface LiveRunOptions {
  readonly home?: Partial<CodexHomeOptions>;
  readonly script?: ScriptedModelOptions;
  /** What is committed in the workspace before the run. */
  readonly files?: Readonly<Record<string, string>>;
  /** Commands that prove the end. */
  readonly checks?: readonly string[];
  readonly policy?: Parameters<typeof policySchema.parse>[0];
  readonly mission?: string;
  /** How Codex is made from what the run records of it. */
  readonly agent?: (options: CodexOptions) => Agent;
}

/** A run of the real Codex in this process: real run loop, ledger, workspace and checks; only waiting is skipped. */
export interface LiveRun {
  readonly id: string;
  readonly model: ScriptedModel;
  readonly home: CodexHome;
  readonly clock: SkippingClock;
  readonly store: Store;
  readonly workspace: string;
  /** Works the run; ends when it is over, paused or let go. */
  work(): Promise<RunView>;
  /** The keeper lets go; the run stays as it is. */
  release(): Promise<void>;
  /** The run as soon as it is as wanted. */
  until(what: string, wanted: (view: RunView) => boolean): Promise<RunView>;
  /** The first entry that is as wanted, written already or yet to come. */
  entry(what: string, wanted: (entry: Entry) => boolean): Promise<Entry>;
  entries(): readonly Entry[];
  /** A person speaks, through the inbox as every other process would. */
  post(event: Event): Promise<void>;
  approve(gate: RunView['gates'][number] | undefined, more?: { shape?: true }): Promise<void>;
  deny(gate: RunView['gates'][number] | undefined, text: string): Promise<void>;
  ask(ask: 'stop' | 'pause' | 'resume', now?: boolean): Promise<void>;
  /** The process of the agent at work. */
  agentPid(): Promise<number>;
  /** Lets the time pass that a wait still takes. */
  waitOut(view: RunView): void;
  savepoints(): ReturnType<OpenWorkspace['savepoints']>;
  restore(from: string): Promise<unknown>;
}

/** Creates the run. Whatever the test does, its ledger must replay to the same decisions and nothing may be left running. */
export async function liveRun(options: LiveRunOptions = {}): Promise<LiveRun> {
  const model = await scriptedResponses(options.script);
  onTestFinished(() => model.close());
  const home = codexHome({ modelUrl: model.url, ...options.home });
  onTestFinished(() => home.remove());
  const path = home.workspace;
  commit(path, { 'README.md': 'a project\n', ...options.files });
  const stateDir = join(home.folder, 'tireless');
  mkdirSync(stateDir);
  const store = openInline(join(stateDir, 'tireless.db'));
  onTestFinished(() => store.close());
  const clock = makeSkippingClock();
  const id = makeIds().run();
  const watch = watching();
  const files = await openWorkspace({ path, stateDir, clock, env: home.env });
  const deps = dependenciesOf({ id, home, store, clock, files, watch, options });
  await createRun(deps, {
    id,
    mission: options.mission ?? 'make the file made.txt',
    checks: (options.checks ?? ['test -f made.txt']).map((command) => ({
      name: command,
      command,
      cwd: '.',
      source: 'config' as const,
    })),
    created: {
      agent: deps.agent.facts,
      policy: policySchema.parse(options.policy ?? {}),
      configDigest: 'a'.repeat(64),
      mode: 'once',
      setup: {},
      by: 'me',
      workspace: path,
      site: siteHere(home.env, stateDir),
    },
  });
  const working: { go: AbortController; done: Promise<RunView> }[] = [];
  const release = async (): Promise<void> => {
    const now = working.pop();
    now?.go.abort();
    await now?.done;
  };
  onTestFinished(async () => {
    await release();
    await assertSound(store, id);
  });
  const post = async (event: Event): Promise<void> => void (await store.post(id, event));
  const answer = (gate: RunView['gates'][number] | undefined, more: object): Promise<void> => {
    if (gate === undefined) throw new Error('there is no question to answer');
    return post({ type: 'gate-answered', gate: gate.id, digest: gate.digest, by: 'me', ...more } as Event);
  };
  return {
    id,
    model,
    home,
    clock,
    store,
    release,
    post,
    workspace: path,
    until: watch.until,
    entry: watch.entry,
    entries: () => watch.entries,
    work() {
      const go = new AbortController();
      const done = supervise(deps, { run: id, signal: go.signal });
      // Who waits for the run hears what went wrong with it; nobody else must.
      done.catch(watch.broke);
      working.push({ go, done });
      return done;
    },
    approve: (gate, more = {}) => answer(gate, { answer: 'approve', ...more }),
    deny: (gate, text) => answer(gate, { answer: 'deny', text: { text } }),
    ask: (ask, now) => post({ type: 'person-asked', ask, now: now || undefined, by: 'me' }),
    savepoints: () => files.savepoints(),
    restore: (from) => files.restore(from),
    agentPid: async () => (await store.children(id)).at(-1)?.pid ?? 0,
    waitOut: ({ until, waitingOn }) => {
      if (until === null) throw new Error(`the run waits for ${waitingOn} without an end`);
      clock.skip(Math.max(0, until - clock.at()) + 1);
    },
  };
}

/** The person's commit of these files. */
export function commit(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@localhost', ...args], { cwd: folder });
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'begin');
}

interface Parts {
  readonly id: string;
  readonly home: CodexHome;
  readonly store: Store;
  readonly clock: SkippingClock;
  readonly files: OpenWorkspace;
  readonly watch: Watching;
  readonly options: LiveRunOptions;
}

function dependenciesOf({ id, home, store, clock, files, watch, options }: Parts): Dependencies {
  const agent = (options.agent ?? codexAgent)({
    run: id,
    cwd: home.workspace,
    env: home.env,
    command: installedCodex() ?? ['codex'],
    sandbox: 'danger-full-access',
  });
  return {
    store,
    clock,
    version: 'test',
    holder: holderHere(id),
    notify: async () => undefined,
    agent,
    workspace: files,
    ingest: makeIngest({ clock, redact: (text) => text }),
    startOf: processStart,
    ...endings,
    onView: watch.view,
    onEntry: watch.stamped,
  };
}

type Watching = ReturnType<typeof watching>;

function watching() {
  const entries: Entry[] = [];
  const looking = new Set<() => void>();
  let last: RunView | null = null;
  let broken: unknown;
  const look = (): void => {
    for (const one of looking) one();
  };
  const wait = <T>(what: string, find: () => T | undefined): Promise<T> =>
    new Promise((resolve, reject) => {
      const finish = (settled: () => void): void => {
        clearTimeout(timer);
        looking.delete(one);
        settled();
      };
      const one = (): void => {
        const found = find();
        if (found !== undefined) finish(() => resolve(found));
        else if (broken !== undefined) finish(() => reject(broken));
      };
      const timer = setTimeout(() => {
        const told = entries.slice(-25).map((e) => JSON.stringify(e).slice(0, 260));
        finish(() => reject(new Error(`never came: ${what}; the last entries:\n${told.join('\n')}`)));
      }, patienceMs);
      looking.add(one);
      one();
    });
  return {
    entries,
    view(view: RunView): void {
      last = view;
      look();
    },
    stamped(entry: Entry): void {
      entries.push(entry);
      look();
    },
    broke(error: unknown): void {
      broken = error;
      look();
    },
    until: (what: string, wanted: (view: RunView) => boolean) =>
      wait(what, () => (last !== null && wanted(last) ? last : undefined)),
    entry: (what: string, wanted: (entry: Entry) => boolean) => wait(what, () => entries.find(wanted)),
  };
}
