import { describe, expect, it } from 'vitest';
import type { Entry } from '../../../src/contract/index.ts';
import { closingLine } from '../../../src/core/index.ts';
import { scriptedResponses } from '../../../src/testkit/models/responses.ts';
import {
  babble,
  call,
  cut,
  fail,
  type ModelStep,
  refuse,
  say,
  together,
} from '../../../src/testkit/models/responses-steps.ts';
import { type LiveRun, liveRun } from '../kit/live-run.ts';
import { promptsOf, shown, turnsSeen } from '../kit/model-saw.ts';

const makeIt = call('c1', 'exec_command', { cmd: 'echo made > made.txt' });
const finish = [makeIt, say(`Made it.\n${closingLine}`)];
const minuteMs = 60_000;

const failureIn = (entries: readonly Entry[]) =>
  entries
    .flatMap(({ event }) => (event.type === 'turn-ended' && event.failure ? [event.failure] : []))
    .at(-1);

/** Waits until the run waits for `on`, and says for how long it means to. */
async function waiting(run: LiveRun, on: string) {
  const view = await run.until(`waiting for ${on}`, (now) => now.waitingOn === on && now.until !== null);
  return { view, forMs: (view.until ?? 0) - view.updatedAt };
}

const usageLimit = (resetsAtS: number): ModelStep =>
  refuse(429, {
    error: { type: 'usage_limit_reached', message: 'limit', plan_type: 'plus', resets_at: resetsAtS },
  });

/** What the model does once, the kind we call it, what the run then waits for, and whether it cost a turn. */
const wrongs: readonly [string, ModelStep, string, 'backoff' | 'provider', number][] = [
  [
    'a 429 that says nothing of a plan',
    refuse(429, { error: { message: 'slow' } }),
    'rate-limited',
    'backoff',
    2,
  ],
  [
    'a rate limit told inside the stream',
    fail('rate_limit_exceeded', 'slow down'),
    'rate-limited',
    'backoff',
    2,
  ],
  ['a 500', refuse(500, { error: { message: 'oops' } }), 'server-error', 'backoff', 2],
  ['a cut stream', cut(), 'stream-cut', 'backoff', 2],
  ['bytes that mean nothing', babble(), 'stream-cut', 'backoff', 2],
  [
    'an overloaded provider',
    refuse(503, { error: { code: 'server_is_overloaded' } }),
    'overloaded',
    'provider',
    1,
  ],
];

export const failures = () =>
  describe('when the model fails', () => {
    it.each(wrongs)(
      '%s is waited out for a minute, and then the work goes on',
      async (_what, step, kind, on, turns) => {
        const run = await liveRun();
        run.model.push(step);
        const done = run.work();
        const { view, forMs } = await waiting(run, on);
        expect(failureIn(run.entries())).toMatchObject({ kind });
        expect(forMs).toBe(minuteMs);
        expect(run.model.requests).toHaveLength(1);
        run.model.push(...finish);
        run.waitOut(view);
        expect(await done).toMatchObject({ state: 'done', turns });
        expect(turnsSeen(run.model)).toHaveLength(2);
        expect(promptsOf(run.model).join()).not.toMatch(/slow|oops|too long|disconnected/);
      },
    );

    it('a used-up plan is waited out until its reset, through a restart, and nothing is spent meanwhile', async () => {
      const run = await liveRun();
      const resetAt = Math.ceil((run.clock.at() + 3 * 60 * minuteMs) / 1_000) * 1_000;
      run.model.push(usageLimit(resetAt / 1_000));
      const first = run.work();
      const { view } = await waiting(run, 'usage-limit');
      // Codex tells the reset by the minute; we come two minutes later, and a little apart from the others.
      expect((view.until ?? 0) - resetAt).toBeGreaterThan(minuteMs);
      expect((view.until ?? 0) - resetAt).toBeLessThanOrEqual(3 * minuteMs);
      await run.release();
      await first;
      expect(await run.store.view(run.id)).toMatchObject({ waitingOn: 'usage-limit', until: view.until });
      const second = run.work();
      await run.entry('the second keeper', ({ event }) => event.type === 'keeper-ended');
      run.clock.skip(60 * minuteMs);
      await run.until('still waiting', (now) => now.waitingOn === 'usage-limit');
      expect(run.model.requests).toHaveLength(1);
      run.model.push(...finish);
      run.waitOut(view);
      expect(await second).toMatchObject({ state: 'done', turns: 1 });
      expect(turnsSeen(run.model)).toHaveLength(2);
    });

    it('a person need not wait for the reset', async () => {
      const run = await liveRun();
      run.model.push(usageLimit(Math.ceil(run.clock.at() / 1_000) + 7_200));
      const done = run.work();
      await waiting(run, 'usage-limit');
      run.model.push(...finish);
      await run.ask('resume');
      expect(await done).toMatchObject({ state: 'done', turns: 1 });
    });

    it('a plan that is used up without saying until when is tried again after half an hour', async () => {
      const run = await liveRun();
      run.model.push(refuse(429, { error: { code: 'insufficient_quota', message: 'no credit' } }));
      const done = run.work();
      const { view, forMs } = await waiting(run, 'usage-limit');
      expect(forMs).toBe(30 * minuteMs);
      run.model.push(...finish);
      run.waitOut(view);
      expect(await done).toMatchObject({ state: 'done' });
    });

    it('a host that cannot be reached is tried again, each time later, until it is back', async () => {
      const run = await liveRun();
      const { port } = new URL(run.model.url);
      await run.model.close();
      const done = run.work();
      const first = await waiting(run, 'provider');
      expect(failureIn(run.entries())).toMatchObject({ kind: 'unreachable' });
      run.waitOut(first.view);
      const second = await run.until(
        'the second wait',
        (now) => now.waitingOn === 'provider' && now.until !== null && now.until !== first.view.until,
      );
      expect([first.forMs, (second.until ?? 0) - second.updatedAt]).toEqual([minuteMs, 2 * minuteMs]);
      const back = await scriptedResponses({ port: Number(port) });
      back.push(...finish);
      run.waitOut(second);
      expect(await done).toMatchObject({ state: 'done', turns: 1 });
      expect(promptsOf(back)).toHaveLength(3);
      await back.close();
    });

    it('a refused key ends the run at once: another turn would not cure it', async () => {
      const run = await liveRun();
      run.model.push(refuse(401, { error: { message: 'bad key' } }));
      expect(await run.work()).toMatchObject({ state: 'failed', cause: 'failure:auth' });
      expect(run.model.requests).toHaveLength(1);
    });

    it('five failures in a row pause the run, each waited for twice as long; one more try is a person’s to give', async () => {
      const run = await liveRun({
        script: { choose: () => (isWell ? undefined : refuse(500, { error: {} })) },
      });
      let isWell = false;
      const done = run.work();
      const waits: number[] = [];
      for (let times = 1; times <= 4; times++) {
        const view = await run.until(
          `failure ${times}`,
          (now) => now.turns === times && now.waitingOn === 'backoff' && now.until !== null,
        );
        waits.push(((view.until ?? 0) - view.updatedAt) / minuteMs);
        run.waitOut(view);
      }
      expect(await done).toMatchObject({ state: 'paused', cause: 'limit:failuresMax' });
      expect(waits).toEqual([1, 2, 4, 8]);
      expect(turnsSeen(run.model)).toHaveLength(5);
      isWell = true;
      run.model.push(...finish);
      await run.ask('resume');
      expect(await run.work()).toMatchObject({ state: 'done', turns: 6 });
    });

    it('a stream that Codex mends by itself is one turn, told with its retry', async () => {
      const run = await liveRun({ home: { streamRetries: 2 } });
      run.model.push(cut(), ...finish);
      expect(await run.work()).toMatchObject({ state: 'done', turns: 1 });
      expect(run.entries().map(({ event }) => event)).toContainEqual(
        expect.objectContaining({ type: 'error-seen', willRetry: true }),
      );
      expect(turnsSeen(run.model)).toHaveLength(1);
    });

    it('work that was cut off half way is looked at first, not repeated blindly', async () => {
      const run = await liveRun();
      run.model.push(makeIt, cut());
      const done = run.work();
      const { view } = await waiting(run, 'backoff');
      run.model.push(say(closingLine));
      run.waitOut(view);
      expect(await done).toMatchObject({ state: 'done', turns: 2 });
      expect(promptsOf(run.model).at(-1)).toContain('## After an interruption');
    });

    it('an answer with nothing in it is a short turn that changed nothing: it cools down', async () => {
      const run = await liveRun();
      run.model.push(together([]));
      const done = run.work();
      const { view, forMs } = await waiting(run, 'backoff');
      expect(view.because).toContain('changed nothing');
      expect(forMs).toBe(1_000);
      run.model.push(...finish);
      run.waitOut(view);
      expect(await done).toMatchObject({ state: 'done', turns: 2 });
      expect(shown(run.model)).toContain('## Where you stand');
    });
  });
