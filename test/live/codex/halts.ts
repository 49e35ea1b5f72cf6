import { describe, expect, it } from 'vitest';
import { closingLine } from '../../../src/core/index.ts';
import { call, say } from '../../../src/testkit/models/responses-steps.ts';
import { liveRun } from '../kit/live-run.ts';
import { promptsOf, shown, turnsSeen } from '../kit/model-saw.ts';
import { otherClient, sharedRun, threadOf } from '../kit/other-client.ts';

const makeIt = call('c1', 'exec_command', { cmd: 'echo made > made.txt' });

export const halts = () =>
  describe('a run of the real Codex that should not go on blindly', () => {
    it('three questions in a row that nobody answered: it pauses and waits for a person', async () => {
      const run = await liveRun({ policy: { approvals: 'pause', limits: { denialsMax: 10 } } });
      const names = ['one', 'two', 'three'];
      run.model.push(
        ...names.map((name) => call(name, 'exec_command', { cmd: `touch ${name}` })),
        say('Stuck.'),
      );
      const done = run.work();
      for (const name of names)
        run.waitOut(
          await run.until(name, (now) => now.gates[0]?.asks.includes(name) === true && now.until !== null),
        );
      expect(await done).toMatchObject({ state: 'paused', cause: 'unanswered', turns: 1 });
      expect(turnsSeen(run.model)).toHaveLength(1);
    });

    it('three claims in a row that the same check refused: a person is asked, and their words are the next input', async () => {
      const run = await liveRun();
      run.model.push(...Array.from({ length: 3 }, () => say(`Done!\n${closingLine}`)));
      const done = run.work();
      const asking = (): Promise<Awaited<ReturnType<typeof run.until>>> =>
        run.until('the question', (now) => now.gates.length === 1 || now.waitingOn === 'backoff');
      let view = await asking();
      // A short turn that changed nothing cools down; that is not what is shown here.
      while (view.gates.length === 0) {
        run.waitOut(view);
        const { seq } = view;
        await run.until('more', (now) => now.seq > seq);
        view = await asking();
      }
      expect(view).toMatchObject({ state: 'waiting', waitingOn: 'input', turns: 3 });
      expect(view.gates[0]?.asks).toContain('3 claims in a row were refused');
      run.model.push(makeIt, say(closingLine));
      await run.post({
        type: 'gate-answered',
        gate: view.gates[0]?.id ?? '',
        answer: 'text',
        by: 'me',
        text: { text: 'Use echo, not hope' },
      });
      expect(await done).toMatchObject({ state: 'done', turns: 4 });
      expect(promptsOf(run.model).at(-1)).toContain('Use echo, not hope');
    });

    it('the agent that waits for something outside is looked at again on our own clock', async () => {
      const run = await liveRun();
      run.model.push(call('s1', 'report_status', { status: 'waiting', evidence: 'the nightly build' }));
      run.model.push(say('I wait.'));
      const done = run.work();
      const view = await run.until('the wait', (now) => now.waitingOn === 'agent' && now.until !== null);
      expect(view.because).toContain('the nightly build');
      expect((view.until ?? 0) - view.updatedAt).toBe(60_000);
      run.model.push(makeIt, say(closingLine));
      run.waitOut(view);
      expect(await done).toMatchObject({ state: 'done', turns: 2 });
    });

    it('somebody who loosens the approvals of our thread: the turn is interrupted, and the run pauses as unsafe', async () => {
      const { run, start } = await sharedRun({ policy: { approvals: 'pause' } });
      run.model.push(makeIt, say('made'), say(closingLine));
      const done = run.work();
      await run.until('the question', (now) => now.gates.length === 1);
      const other = await otherClient(start());
      await other.ask('thread/settings/update', { threadId: await threadOf(run), approvalPolicy: 'never' });
      await run.entry('the news', ({ event }) => event.type === 'mode-raised');
      expect(await done).toMatchObject({ state: 'paused', cause: 'unsafe' });
      expect(shown(run.model)).not.toContain('## Where you stand');
    });
  });
