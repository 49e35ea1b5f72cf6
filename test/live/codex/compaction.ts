import { describe, expect, it } from 'vitest';
import { closingLine } from '../../../src/core/index.ts';
import type { ModelRequest } from '../../../src/testkit/models/responses.ts';
import { call, fail, type ModelStep, say } from '../../../src/testkit/models/responses-steps.ts';
import { codexLab } from '../kit/codex-lab.ts';
import { type LiveRun, liveRun } from '../kit/live-run.ts';
import { shown, turnFacts, turnsSeen } from '../kit/model-saw.ts';

const makeIt = call('c1', 'exec_command', { cmd: 'echo made > made.txt' });
const isCompaction = (request: ModelRequest) => turnFacts(request).request_kind === 'compaction';
const summary = say('SUMMARY: half of it is done', { usage: { input: 300, output: 20 } });

/** The summary when Codex asks for one, else the next step of the script. */
const scripted = (steps: ModelStep[]) => (request: ModelRequest) =>
  isCompaction(request) ? summary : steps.shift();

const compactions = (run: LiveRun) => run.entries().filter(({ event }) => event.type === 'compaction-seen');

export const compaction = () =>
  describe('when the context is full', () => {
    it('Codex compacts in the middle of a mission: it is told, billed, and the mission goes on', async () => {
      const steps = [
        call('c0', 'exec_command', { cmd: 'echo one > one.txt' }, { usage: { input: 5_000, output: 10 } }),
        say('one is there', { usage: { input: 100, output: 10 } }),
        makeIt,
        say(closingLine),
      ];
      const run = await liveRun({
        home: { top: 'model_auto_compact_token_limit = 2000' },
        script: { choose: scripted(steps) },
      });
      const view = await run.work();
      expect(view).toMatchObject({ state: 'done', turns: 2 });
      expect(compactions(run)).toHaveLength(1);
      expect(run.model.requests.filter(isCompaction)).toHaveLength(1);
      // Every model call once, the one that compacted too: from the totals, since the last report is an estimate.
      expect(view.tokens).toBe(5_010 + 320 + 110 + 15 + 15);
      expect(shown(run.model)).toContain('SUMMARY: half of it is done');
      expect(shown(run.model)).toContain('## Mission');
    });

    it('nobody waits for `thread/compacted`, which never comes: the item says it all', async () => {
      const steps = [
        say('long', { usage: { input: 5_000, output: 10 } }),
        say('short', { usage: { input: 10, output: 1 } }),
      ];
      const lab = await codexLab(
        { top: 'model_auto_compact_token_limit = 2000' },
        { choose: scripted(steps) },
      );
      const { session, listener } = await lab.open();
      await session.turn('d-1', 'Talk');
      await listener.received('turn-ended', ({ dispatch }) => dispatch === 'd-1');
      const { turn } = await session.turn('d-2', 'Talk on');
      expect(await listener.received('compaction-seen')).toMatchObject({ turn });
      expect(await listener.received('turn-ended', ({ dispatch }) => dispatch === 'd-2')).toMatchObject({
        turn,
        status: 'completed',
        message: { text: 'short' },
      });
      expect(listener.events.filter(({ type }) => type === 'compaction-seen')).toHaveLength(1);
      expect(listener.events.filter(({ type }) => type === 'unreadable')).toEqual([]);
    });

    it('a prompt that overflows is a failed turn; the next one begins with a compaction and goes on', async () => {
      const steps = [fail('context_length_exceeded', 'too long'), makeIt, say(closingLine)];
      const run = await liveRun({ script: { choose: scripted(steps) } });
      const done = run.work();
      const view = await run.until('the wait', (now) => now.waitingOn === 'backoff' && now.until !== null);
      expect(view.because).toContain('the turn failed');
      expect(run.entries().map(({ event }) => event)).toContainEqual(
        expect.objectContaining({
          type: 'turn-ended',
          status: 'failed',
          failure: expect.objectContaining({ kind: 'context-full' }),
        }),
      );
      run.waitOut(view);
      expect(await done).toMatchObject({ state: 'done', turns: 2 });
      expect(turnsSeen(run.model)).toHaveLength(2);
      // The whole window that Codex books after an overflow was never used.
      expect((await run.store.view(run.id))?.tokens).toBeLessThan(1_000);
    });

    it('compacting again and again pauses the run', async () => {
      let made = 0;
      const choose = (request: ModelRequest) =>
        isCompaction(request)
          ? summary
          : JSON.stringify(request.body).includes(`made ${made}`)
            ? say('more', { usage: { input: 5_000, output: 10 } })
            : call(`c${made}`, 'exec_command', { cmd: `echo made ${++made} > file-${made}` });
      const run = await liveRun({
        home: { top: 'model_auto_compact_token_limit = 2000' },
        script: { choose },
      });
      expect(await run.work()).toMatchObject({ state: 'paused', cause: 'compaction-loop' });
      expect(compactions(run)).toHaveLength(3);
    });
  });
