import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { closingLine } from '../../../src/core/index.ts';
import { call, hang, type ModelStep, say } from '../../../src/testkit/models/responses-steps.ts';
import { processesWith } from '../../process-kit.ts';
import { codexLab } from '../kit/codex-lab.ts';
import { type LiveRun, type LiveRunOptions, liveRun } from '../kit/live-run.ts';
import { promptsOf, shown, turnsSeen } from '../kit/model-saw.ts';

const makeIt = call('c1', 'exec_command', { cmd: 'echo made > made.txt' });
const hourMs = 3_600_000;

/** A run in the middle of a turn that will not end by itself: the model was asked and thinks. */
async function thinkingRun(options: LiveRunOptions = {}, steps: readonly ModelStep[] = [hang()]) {
  const run = await liveRun(options);
  run.model.push(...steps);
  const done = run.work();
  await expect.poll(() => run.model.requests.length, { timeout: 20_000 }).toBe(steps.length);
  await run.entry('the turn', ({ event }) => event.type === 'turn-started');
  return { run, done };
}

const ends = (run: LiveRun) =>
  run.entries().flatMap(({ event }) => (event.type === 'turn-ended' ? [event.status] : []));

export const interrupts = () =>
  describe('a turn of the real Codex that has to end', () => {
    it('pause lets it end and then nothing more is sent; resume goes on', async () => {
      const run = await liveRun({ policy: { approvals: 'pause' } });
      run.model.push(makeIt, say('made'));
      const done = run.work();
      const { gates } = await run.until('the question', (view) => view.gates.length === 1);
      await run.ask('pause');
      await run.entry('the wish', ({ event }) => event.type === 'person-asked');
      await run.approve(gates[0]);
      expect(await done).toMatchObject({ state: 'paused', cause: 'person', turns: 1 });
      expect(ends(run)).toEqual(['completed']);
      expect(run.model.requests).toHaveLength(2);
      run.model.push(say(closingLine));
      await run.ask('resume');
      expect(await run.work()).toMatchObject({ state: 'done', turns: 2 });
      expect(turnsSeen(run.model)).toHaveLength(2);
    });

    it('pause now interrupts it, and the next input says so', async () => {
      const { run, done } = await thinkingRun();
      await run.ask('pause', true);
      expect(await done).toMatchObject({ state: 'paused', cause: 'person' });
      expect(ends(run)).toEqual(['interrupted']);
      run.model.push(makeIt, say(closingLine));
      await run.ask('resume');
      expect(await run.work()).toMatchObject({ state: 'done' });
      expect(promptsOf(run.model)).toHaveLength(2);
    });

    it('a person’s words reach the running turn, which goes on with them', async () => {
      const { run, done } = await thinkingRun();
      run.model.push(makeIt, say(closingLine));
      await run.post({ type: 'steer-given', text: { text: 'Write it in French' }, by: 'me' });
      expect(await done).toMatchObject({ state: 'done', turns: 1 });
      expect(turnsSeen(run.model)).toHaveLength(1);
      expect(shown(run.model, 1)).toContain('Write it in French');
      expect(shown(run.model).match(/Write it in French/g)).toHaveLength(1);
    });

    it('stop now ends the turn, its command and its process', async () => {
      const slow = call('c1', 'exec_command', { cmd: 'touch begun; exec sleep 603', yield_time_ms: 60_000 });
      const run = await liveRun({ policy: { approvals: 'never-ask' } });
      run.model.push(slow);
      const done = run.work();
      await expect.poll(() => existsSync(join(run.workspace, 'begun')), { timeout: 20_000 }).toBe(true);
      await run.ask('stop', true);
      expect(await done).toMatchObject({ state: 'stopped', cause: 'person' });
      expect(ends(run)).toEqual(['interrupted']);
      expect(processesWith(`TIRELESS_RUN=${run.id}`)).toEqual([]);
    });

    it('stop while it waits for an answer withdraws the question: the action is not done', async () => {
      const run = await liveRun({ policy: { approvals: 'pause' } });
      run.model.push(makeIt);
      const done = run.work();
      await run.until('the question', (view) => view.gates.length === 1);
      await run.ask('stop');
      expect(await done).toMatchObject({ state: 'stopped', gates: [] });
      expect(ends(run)).toEqual(['interrupted']);
      expect(existsSync(join(run.workspace, 'made.txt'))).toBe(false);
    });

    it('a turn over its time is interrupted until it is over, and counts as failed', async () => {
      const { run, done } = await thinkingRun();
      run.clock.skip(4 * hourMs);
      const view = await run.until('the wait', (now) => now.waitingOn === 'backoff' && now.until !== null);
      expect(view.because).toContain('longer than a turn may take');
      expect(ends(run)).toEqual(['interrupted']);
      run.model.push(makeIt, say(closingLine));
      run.waitOut(view);
      expect(await done).toMatchObject({ state: 'done', turns: 2 });
    });

    it('a turn that says nothing for half an hour is interrupted for its silence', async () => {
      const { run, done } = await thinkingRun();
      run.clock.skip(hourMs / 2);
      const view = await run.until('the wait', (now) => now.waitingOn === 'backoff' && now.until !== null);
      expect(view.because).toContain('said nothing for too long');
      expect(ends(run)).toEqual(['interrupted']);
      run.model.push(makeIt, say(closingLine));
      run.waitOut(view);
      expect(await done).toMatchObject({ state: 'done', turns: 2 });
    });

    it('a command that works for hours without a word is not silence', async () => {
      const cmd = 'touch begun; while test ! -f go; do read -t 0.05 <> <(:); done; echo made > made.txt';
      const run = await liveRun({ policy: { approvals: 'never-ask' } });
      run.model.push(call('c1', 'exec_command', { cmd, yield_time_ms: 30_000 }), say(closingLine));
      const done = run.work();
      await expect.poll(() => existsSync(join(run.workspace, 'begun')), { timeout: 20_000 }).toBe(true);
      for (let hours = 0; hours < 2; hours += 0.5) {
        run.clock.skip(hourMs / 2);
        // One turn of the loop: the watch looks and finds the command at work.
        await new Promise((resolve) => setImmediate(resolve));
      }
      writeFileSync(join(run.workspace, 'go'), '');
      expect(await done).toMatchObject({ state: 'done', turns: 1 });
      expect(ends(run)).toEqual(['completed']);
    });

    it('a turn that waits for a person is neither silent nor over its time', async () => {
      const run = await liveRun({ policy: { approvals: 'pause', gates: { timeoutMs: 10 * hourMs } } });
      run.model.push(makeIt, say(closingLine));
      const done = run.work();
      const { gates } = await run.until('the question', (view) => view.gates.length === 1);
      run.clock.skip(9 * hourMs);
      await run.approve(gates[0]);
      expect(await done).toMatchObject({ state: 'done', turns: 1 });
      expect(ends(run)).toEqual(['completed']);
    });

    it('interrupted before it has begun, twice at once, and once more when it is over: it ends once', async () => {
      const lab = await codexLab({}, { otherwise: hang() });
      const { session, listener } = await lab.open();
      const { turn = '' } = await session.turn('d-1', 'Think');
      await Promise.all([session.interrupt(turn), session.interrupt(turn)]);
      await session.interrupt(turn);
      expect(listener.events.flatMap((event) => (event.type === 'turn-ended' ? [event.status] : []))).toEqual(
        ['interrupted'],
      );
      await session.turn('d-2', 'Again');
      await listener.received('turn-started', ({ dispatch }) => dispatch === 'd-2');
    });

    it('interrupted while two approvals are pending: both are withdrawn, and a late answer is refused', async () => {
      const lab = await codexLab();
      lab.model.push({
        do: 'stream',
        end: 'complete',
        outputs: ['a', 'b'].map((id) => ({
          out: 'function-call' as const,
          id,
          name: 'exec_command',
          args: `{"cmd":"touch ${id}"}`,
        })),
      });
      const { session, listener } = await lab.open();
      const { turn = '' } = await session.turn('d-1', 'Two things');
      const asked = await Promise.all(
        ['touch a', 'touch b'].map((cmd) =>
          listener.received('approval-asked', ({ action }) => action.rendered.text.includes(cmd)),
        ),
      );
      expect(new Set(asked.map(({ request }) => request)).size).toBe(2);
      await session.interrupt(turn);
      for (const { request } of asked) {
        await listener.received('request-withdrawn', (event) => event.request === request);
        await expect(session.answer(request, { answer: 'approve', because: 'late' })).rejects.toThrow(
          'does not wait',
        );
      }
      expect(existsSync(join(lab.home.workspace, 'a'))).toBe(false);
    });
  });
