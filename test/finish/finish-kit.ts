import { dirname } from 'node:path';
import { onTestFinished } from 'vitest';
import { createRun } from '../../src/app/create-run.ts';
import type { Dependencies } from '../../src/app/dependencies.ts';
import { entriesOf } from '../../src/app/entries.ts';
import { openRun } from '../../src/app/open-run.ts';
import { supervise } from '../../src/app/supervise.ts';
import {
  type Agent,
  type Certificate,
  type Check,
  type Entry,
  policySchema,
  type RunView,
} from '../../src/contract/index.ts';
import { closingLine, type Run, replay } from '../../src/core/index.ts';
import { makeClock } from '../../src/edge/clock.ts';
import { makeIds } from '../../src/edge/ids.ts';
import { makeIngest } from '../../src/edge/ingest/ingest.ts';
import { holderHere } from '../../src/edge/lock.ts';
import { openInline } from '../../src/edge/store/inline.ts';
import { openWorkspace } from '../../src/edge/workspace/index.ts';
import { freshFolder, personEnv, repoWith } from '../workspace/folders.ts';

/** The person's environment, with the node of these tests first on the path and whatever stands before it. */
export const envWith = (...before: readonly string[]): Record<string, string> => ({
  ...personEnv,
  PATH: [...before, dirname(process.execPath), personEnv.PATH].join(':'),
});

/** What the agent does in its n-th turn; every turn ends with the claim. */
export type Work = (workspace: string, turn: number) => void | Promise<void>;

export interface Story {
  readonly files?: Readonly<Record<string, string>>;
  /** What proves the end; default: what detection finds. */
  readonly checks?: readonly Check[];
  readonly work?: Work;
  /** What was there before the run that git does not know of: what is installed. */
  readonly prepare?: (workspace: string) => unknown;
  readonly env?: Readonly<Record<string, string>>;
  /** The person's answer to the first question, and what happens just before it is given. */
  readonly answers?: { readonly answer: 'approve' | 'deny'; readonly before?: Work };
  /** How many claims are judged, the last of them told; the ones before are refused. Default: one. */
  readonly claims?: number;
  /** Told when the checks of the claim begin: something that happens while they run. */
  readonly meanwhile?: Work;
}

export interface Finish {
  /** The rule that spoke on the claim: `certified`, `ask-altered`, `ask-to-accept`, or `continue` when refused. */
  readonly rule: string;
  readonly verdict: Certificate['verdict'] | null;
  readonly because: string;
  readonly certificate: Certificate | null;
  readonly run: Run;
  readonly entries: readonly Entry[];
  readonly workspace: string;
  readonly detected: readonly Check[];
}

export const check = (command: string, name = command): Check => ({
  name,
  command,
  cwd: '.',
  source: 'config',
});

/** An agent in this process: its work is real, its claim is the closing line. */
function claimingAgent(workspace: string, work: Work): Agent {
  let turns = 0;
  return {
    facts: {
      name: 'scripted',
      door: 'process',
      sees: 'every-action',
      usage: 'tokens',
      finds: false,
      steers: false,
      resumes: false,
    },
    open: async (listener) => ({
      id: 'session',
      async turn(dispatch) {
        turns += 1;
        const turn = `turn-${turns}`;
        const now = turns;
        setImmediate(async () => {
          listener.onEvent({ type: 'turn-started', session: 'session', turn, dispatch });
          await work(workspace, now);
          listener.onEvent({
            type: 'turn-ended',
            session: 'session',
            turn,
            dispatch,
            status: 'completed',
            message: { text: `Finished.\n\n${closingLine}` },
          });
        });
        return { turn };
      },
      interrupt: async () => undefined,
      answer: async () => undefined,
      close: async () => undefined,
    }),
  };
}

/** Has our own evidence spoken about a claim? Gives when, so that each judgement counts once. */
function judgedAt({ lastDecision, gates }: RunView, answered: string | null | undefined): number | null {
  if (lastDecision === null) return null;
  const { rule, verdict, because, at } = lastDecision;
  const isAsking =
    verdict === 'wait' &&
    rule.startsWith('ask-') &&
    answered !== null &&
    gates.some((gate) => gate.id !== answered);
  const isRefused = rule === 'continue' && because.startsWith('the claim is refused');
  return isAsking || isRefused ? at : null;
}

/**
 * Works claims through the real run loop: a git project, the workspace, checks that really run, a ledger on disk.
 * Ends when the last was judged. The ledger must replay to the same decisions.
 */
export async function finish(story: Story): Promise<Finish> {
  const path = repoWith(story.files ?? {});
  story.prepare?.(path);
  const env = story.env ?? envWith();
  const clock = makeClock();
  const store = openInline(`${freshFolder('home')}/tireless.db`);
  onTestFinished(() => store.close());
  const opened = await openWorkspace({ path, stateDir: freshFolder('state'), clock, env });
  const id = makeIds().run();
  const done = new AbortController();
  const detected = (await opened.detect()).checks;
  const checks = story.checks ?? detected;
  const judgements = new Set<number>();
  let isWorked = false;
  // Undefined: nobody answers; null: the first question will be.
  let answered: string | null | undefined = story.answers === undefined ? undefined : null;
  const answerFirst = async ([gate]: RunView['gates']): Promise<void> => {
    if (gate === undefined || story.answers === undefined || answered !== null) return;
    answered = gate.id;
    const { answer, before } = story.answers;
    await before?.(path, 1);
    await store.post(id, { type: 'gate-answered', gate: gate.id, answer, digest: gate.digest, by: 'me' });
  };
  const deps: Dependencies = {
    store,
    clock,
    version: 'test',
    holder: holderHere(id),
    notify: async () => undefined,
    workspace: {
      ...opened,
      async check(one, timeoutMs) {
        if (isWorked) await story.meanwhile?.(path, 0);
        return opened.check(one, timeoutMs);
      },
    },
    agent: claimingAgent(path, async (folder, turn) => {
      isWorked = true;
      await story.work?.(folder, turn);
    }),
    ingest: makeIngest({ clock, redact: (text) => text }),
    endOrphan: async () => undefined,
    startOf: () => null,
    onView(view) {
      const at = judgedAt(view, answered);
      if (at !== null) judgements.add(at);
      const isOver = view.state === 'done' || view.state === 'paused';
      if (isOver || judgements.size >= (story.claims ?? 1)) done.abort();
      else void answerFirst(view.gates);
    },
  };
  await createRun(deps, { id, mission: 'make it right', checks, created: createdWith(path, deps) });
  await supervise(deps, { run: id, signal: done.signal });
  return judged(await openRun(store, id), await all(entriesOf(store, id)), path, detected);
}

const createdWith = (workspace: string, deps: Dependencies) => ({
  agent: deps.agent.facts,
  policy: policySchema.parse({}),
  configDigest: 'a'.repeat(64),
  mode: 'once' as const,
  setup: {},
  by: 'me',
  workspace,
});

function judged(
  run: Run | null,
  entries: readonly Entry[],
  workspace: string,
  detected: readonly Check[],
): Finish {
  const last = entries.findLast(({ decision }) => decision !== undefined)?.decision;
  if (run === null || last === undefined) throw new Error('nothing was decided');
  const [divergence] = replay(entries).divergences;
  if (divergence !== undefined) throw new Error(`replay: #${divergence.seq} ${divergence.what}`);
  const certificate = last.certificate ?? run.proof?.certificate ?? null;
  const { rule, because } = last;
  return {
    rule,
    because,
    verdict: certificate?.verdict ?? null,
    certificate,
    run,
    entries,
    workspace,
    detected,
  };
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}
