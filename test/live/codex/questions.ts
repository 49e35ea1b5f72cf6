import { describe, expect, it } from 'vitest';
import { closingLine } from '../../../src/core/index.ts';
import { call, say } from '../../../src/testkit/models/responses-steps.ts';
import { liveRun } from '../kit/live-run.ts';
import { shown } from '../kit/model-saw.ts';

const makeIt = call('c1', 'exec_command', { cmd: 'echo made > made.txt' });
const options = ['Red', 'Blue'].map((label) => ({ label, description: `the ${label} one` }));
const question = call('q1', 'request_user_input', {
  questions: [{ id: 'colour', header: 'Colour', question: 'Which colour?', options }],
});
const home = { features: { default_mode_request_user_input: true } };

export const questions = () =>
  describe('a question the real Codex asks a person', () => {
    it('waits with its options, and the answer reaches the model in the same turn', async () => {
      const run = await liveRun({ home });
      run.model.push(question, makeIt, say(closingLine));
      const done = run.work();
      const { gates, waitingOn } = await run.until('the question', (view) => view.gates.length === 1);
      expect(waitingOn).toBe('input');
      expect(gates[0]).toMatchObject({ kind: 'input', options: ['Red', 'Blue'] });
      expect(gates[0]?.asks).toContain('Which colour?');
      await run.post({
        type: 'gate-answered',
        gate: gates[0]?.id ?? '',
        answer: 'text',
        by: 'me',
        text: { text: 'Blue, but not too dark' },
      });
      expect(await done).toMatchObject({ state: 'done', turns: 1 });
      expect(shown(run.model, 1)).toContain('Blue, but not too dark');
    });

    it('that nobody answers ends without an answer, and the turn goes on', async () => {
      const run = await liveRun({ home });
      run.model.push(question, makeIt, say(closingLine));
      const done = run.work();
      run.waitOut(await run.until('the question', (view) => view.gates.length === 1 && view.until !== null));
      expect(await done).toMatchObject({ state: 'done', turns: 1 });
      expect(shown(run.model, 1)).not.toMatch(/"output":"[^"]*(Red|Blue)/);
    });

    it('the agent that says it is blocked is believed: the run pauses with its words', async () => {
      const run = await liveRun();
      run.model.push(call('s1', 'report_status', { status: 'blocked', evidence: 'no access to the store' }));
      run.model.push(say('I cannot go on.'));
      const view = await run.work();
      expect(view).toMatchObject({ state: 'paused', cause: 'blocked' });
      expect(view.because).toContain('no access to the store');
    });

    it('the agent that says it is done is asked for proof: the report is a claim, our check decides', async () => {
      const run = await liveRun();
      run.model.push(call('s1', 'report_status', { status: 'done', evidence: 'I looked' }), say('Done.'));
      run.model.push(
        makeIt,
        call('s2', 'report_status', { status: 'done', evidence: 'now really' }),
        say('Done.'),
      );
      expect(await run.work()).toMatchObject({ state: 'done', turns: 2 });
      expect(shown(run.model)).toContain('## Not finished yet: test -f made.txt does not pass');
      expect(run.entries().at(-1)?.event.type).toBe('keeper-ended');
    });
  });
