import { describe, expect, it } from 'vitest';
import { closingLine } from '../../../src/core/index.ts';
import { call, hang, type ModelStep, say } from '../../../src/testkit/models/responses-steps.ts';
import { type LiveRun, liveRun } from '../kit/live-run.ts';
import { promptsOf, shown, turnsSeen } from '../kit/model-saw.ts';

/** One turn of work that leaves a result: a command and a word. 400 tokens in all. */
const work = (name: string): ModelStep[] => [
  call(name, 'exec_command', { cmd: `echo ${name} > ${name}.txt` }, { usage: { input: 180, output: 20 } }),
  say(`wrote ${name}`, { usage: { input: 190, output: 10 } }),
];
const many = ['a', 'b', 'c', 'd', 'e', 'f'].flatMap(work);
const makeIt = call('c1', 'exec_command', { cmd: 'echo made > made.txt' });
const minuteMs = 60_000;

/** Raises limits as a person does, and works on. */
async function raised(run: LiveRun, limits: object) {
  await run.post({ type: 'limits-changed', limits, by: 'me' });
  await run.ask('resume');
  return run.work();
}

export const budgets = () =>
  describe('a run of the real Codex that reaches its limits', () => {
    it('tokens: pauses before the turn that would overrun them; raised, the same run goes on', async () => {
      const run = await liveRun({ policy: { limits: { tokensMax: 1_000 } } });
      run.model.push(...many);
      expect(await run.work()).toMatchObject({
        state: 'paused',
        cause: 'limit:tokensMax',
        turns: 2,
        tokens: 800,
      });
      expect(turnsSeen(run.model)).toHaveLength(2);
      expect(await raised(run, { tokensMax: 1_300 })).toMatchObject({
        cause: 'limit:tokensMax',
        turns: 3,
        tokens: 1_200,
      });
    });

    it('turns: the last one ends, and no other is sent', async () => {
      const run = await liveRun({ policy: { limits: { turnsMax: 3 } } });
      run.model.push(...many);
      expect(await run.work()).toMatchObject({ state: 'paused', cause: 'limit:turnsMax', turns: 3 });
      expect(turnsSeen(run.model)).toHaveLength(3);
    });

    it('a claim is verified although the budget is spent: checks cost no turn', async () => {
      const run = await liveRun({ policy: { limits: { turnsMax: 1 } } });
      run.model.push(makeIt, say(closingLine));
      expect(await run.work()).toMatchObject({ state: 'done', turns: 1 });
    });

    it('time of work: what a turn took counts, what was waited does not', async () => {
      const run = await liveRun({ policy: { approvals: 'pause', limits: { activeHoursMax: 0.5 } } });
      run.model.push(...work('a'), hang());
      const done = run.work();
      const { gates } = await run.until('the question', (now) => now.gates.length === 1);
      run.clock.skip(29 * minuteMs);
      await run.approve(gates[0]);
      await run.until('the second turn', (now) => now.turns === 1 && now.state === 'running');
      await expect.poll(() => run.model.requests.length, { timeout: 20_000 }).toBe(3);
      run.clock.skip(29 * minuteMs);
      run.model.push(...work('b'));
      await run.post({ type: 'steer-given', text: { text: 'Go on' }, by: 'me' });
      const again = await run.until(
        'the second question',
        (now) => now.gates[0]?.asks.includes('b.txt') === true,
      );
      await run.approve(again.gates[0]);
      const view = await done;
      expect(view).toMatchObject({ state: 'paused', cause: 'limit:activeHoursMax', turns: 2 });
      expect(Math.floor(view.activeMs / minuteMs)).toBe(29);
    });

    it('clock time: no turn starts after it', async () => {
      const run = await liveRun({
        policy: { limits: { until: Date.now() + 10 * minuteMs }, approvals: 'pause' },
      });
      run.model.push(...many);
      const done = run.work();
      const { gates } = await run.until('the question', (now) => now.gates.length === 1);
      run.clock.skip(11 * minuteMs);
      await run.approve(gates[0]);
      expect(await done).toMatchObject({ state: 'paused', cause: 'limit:until', turns: 1 });
      expect(turnsSeen(run.model)).toHaveLength(1);
    });

    it('no progress: after three idle turns one nudge, after six the run pauses', async () => {
      const run = await liveRun({ script: { otherwise: say('Thinking about it.') } });
      const done = run.work();
      for (let turns = 1; turns <= 5; turns++)
        run.waitOut(
          await run.until(
            `the wait after turn ${turns}`,
            (now) => now.turns === turns && now.waitingOn === 'backoff' && now.until !== null,
          ),
        );
      expect(await done).toMatchObject({ state: 'paused', cause: 'no-progress', turns: 6 });
      const nudges = promptsOf(run.model).filter((prompt) =>
        prompt.includes('## Nothing has changed for 3 turns'),
      );
      expect(nudges).toHaveLength(1);
      expect(shown(run.model)).toContain('Thinking about it.');
    });
  });
