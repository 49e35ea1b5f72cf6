import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { closingLine } from '../../../src/core/index.ts';
import { type ScriptedModelOptions, scriptedResponses } from '../../../src/testkit/models/responses.ts';
import { call, hang, refuse, say } from '../../../src/testkit/models/responses-steps.ts';
import { processesWith } from '../../process-kit.ts';
import { codexHome, installedCodex } from '../kit/codex-home.ts';
import { codexLab } from '../kit/codex-lab.ts';
import { commit, type LiveRun, liveRun } from '../kit/live-run.ts';
import { promptsOf, shown, turnsSeen } from '../kit/model-saw.ts';
import { tirelessLab } from '../kit/tireless.ts';

const makeIt = call('c1', 'exec_command', { cmd: 'echo made > made.txt' });
const recovery = '## After an interruption';

const backoff = (run: LiveRun) =>
  run.until('the backoff', (now) => now.waitingOn === 'backoff' && now.until !== null);
const crash = expect.objectContaining({
  type: 'session-ended',
  failure: expect.objectContaining({ kind: 'crashed' }),
});

/** The command line as a person has it. */
async function keptRun(settings: Record<string, unknown> = {}, script?: ScriptedModelOptions) {
  const model = await scriptedResponses(script);
  onTestFinished(model.close);
  const home = codexHome({ modelUrl: model.url });
  onTestFinished(home.remove);
  commit(home.workspace, { 'README.md': 'a project\n' });
  const tireless = tirelessLab(home, installedCodex() ?? ['codex'], settings);
  const begin = () =>
    tireless.start('run', '--foreground', '--yes', '--check', 'test -f made.txt', 'make the file');
  return { model, tireless, begin, made: join(home.workspace, 'made.txt') };
}

export const crashes = () =>
  describe('when something is killed', () => {
    it.each([
      ['first', 0],
      ['third', 2],
    ])(
      'Codex, at the very moment the model hears the %s prompt: the prompt is found again',
      async (_which, before) => {
        let pid = 0;
        const choose = () => {
          if (pid !== 0) process.kill(-pid, 'SIGKILL');
          return pid === 0 ? say('ready') : hang();
        };
        const lab = await codexLab({}, { choose });
        const { session, listener } = await lab.open();
        for (let n = 0; n < before; n++) {
          await session.turn(`early-${n}`, 'Get ready');
          await listener.received('turn-ended', ({ dispatch }) => dispatch === `early-${n}`);
        }
        pid = listener.pids[0] ?? 0;
        const { turn } = await session.turn('d-1', 'Work');
        await listener.received('session-ended');
        const next = await lab.resume(session.id);
        expect(await next.session.find?.('d-1')).toEqual({ found: 'ended', turn, status: 'interrupted' });
        expect(await next.session.find?.('d-2')).toEqual({ found: 'absent' });
      },
    );

    it('Codex, in the middle of an approval: the question outlives it, and the answer counts for the same wish, once', async () => {
      const run = await liveRun({ policy: { approvals: 'pause' } });
      run.model.push(makeIt);
      const done = run.work();
      const { gates } = await run.until('the question', (now) => now.gates.length === 1);
      process.kill(-(await run.agentPid()), 'SIGKILL');
      const view = await backoff(run);
      expect(run.entries().map(({ event }) => event)).toContainEqual(crash);
      expect(view.gates).toEqual(gates);
      await run.approve(gates[0]);
      run.model.push(makeIt, makeIt, say(closingLine));
      await run.until('no question', (now) => now.gates.length === 0);
      run.waitOut(view);
      // Asked once more, the same wish is a new one: its approval is used up.
      const again = await run.until('the second wish', (now) => now.gates.length === 1);
      expect(existsSync(join(run.workspace, 'made.txt'))).toBe(true);
      await run.approve(again.gates[0]);
      expect(await done).toMatchObject({ state: 'done', turns: 2 });
      expect(promptsOf(run.model)).toHaveLength(2);
      expect(promptsOf(run.model).at(-1)).toContain(recovery);
      expect(turnsSeen(run.model)).toHaveLength(2);
    });

    it('Codex, politely and in the middle of a turn: it ends without a word about the turn, and is resumed', async () => {
      const run = await liveRun();
      run.model.push(hang());
      const done = run.work();
      await expect.poll(() => run.model.requests.length, { timeout: 20_000 }).toBe(1);
      process.kill(await run.agentPid(), 'SIGTERM');
      const view = await backoff(run);
      expect(run.entries().map(({ event }) => event)).toContainEqual(crash);
      run.model.push(makeIt, say(closingLine));
      run.waitOut(view);
      expect(await done).toMatchObject({ state: 'done', turns: 2 });
      expect(new Set(run.model.requests.map(({ thread }) => thread)).size).toBe(1);
      expect(turnsSeen(run.model)).toHaveLength(2);
    });

    it('Tireless, at the very moment the model hears the prompt: nothing is said twice', async () => {
      let keeper = 0;
      const choose = () => {
        if (keeper !== 0) process.kill(keeper, 'SIGKILL');
        return keeper === 0 ? undefined : hang();
      };
      const { model, tireless, begin, made } = await keptRun({}, { choose });
      const first = begin();
      keeper = first.child.pid ?? 0;
      expect((await first.ended).code).toBeNull();
      keeper = 0;
      model.push(makeIt, say(closingLine));
      const second = await tireless.tell('resume', '--foreground');
      expect(second, second.out + second.err).toMatchObject({ code: 0 });
      expect(existsSync(made)).toBe(true);
      expect(turnsSeen(model)).toHaveLength(2);
      const [one, two, ...more] = promptsOf(model);
      expect([one, more]).toEqual([expect.not.stringContaining(recovery), []]);
      expect(two).toContain(recovery);
    });

    it('Tireless, when half of a turn is done: it is told to look first, and the work is not done twice', async () => {
      const { model, tireless, begin, made } = await keptRun();
      model.push(makeIt, hang());
      const first = begin();
      await expect.poll(() => model.requests.length, { timeout: 30_000 }).toBe(2);
      expect(existsSync(made)).toBe(true);
      first.child.kill('SIGKILL');
      await first.ended;
      model.push(say(`It was there.\n${closingLine}`));
      const second = await tireless.tell('resume', '--foreground');
      expect(second, second.out + second.err).toMatchObject({ code: 0 });
      expect(model.requests).toHaveLength(3);
      expect(turnsSeen(model)).toHaveLength(2);
      expect(promptsOf(model).map((text) => text.includes(recovery))).toEqual([false, true]);
    });

    it('Tireless, between two turns: the next keeper waits on, and each turn is sent once', async () => {
      const { model, tireless, begin } = await keptRun();
      model.push(refuse(500, { error: { message: 'oops' } }));
      const first = begin();
      const { until } = await tireless.until('the wait', (view) => view.waitingOn === 'backoff');
      first.child.kill('SIGKILL');
      await first.ended;
      expect(await tireless.view()).toMatchObject({ waitingOn: 'backoff', until, turns: 1 });
      model.push(makeIt, say(closingLine));
      const second = await tireless.tell('resume', '--foreground');
      expect(second, second.out + second.err).toMatchObject({ code: 0 });
      expect(turnsSeen(model)).toHaveLength(2);
      expect(await tireless.view()).toMatchObject({ state: 'done', turns: 2 });
    });

    it('Tireless, in the middle of an approval: the question is still there, and the answer given meanwhile counts', async () => {
      const { model, tireless, begin, made } = await keptRun({ approvals: 'pause' });
      model.push(makeIt);
      const first = begin();
      const asked = await tireless.until('the question', (view) => view.gates.length === 1);
      first.child.kill('SIGKILL');
      await first.ended;
      expect((await tireless.view()).gates).toEqual(asked.gates);
      expect((await tireless.tell('approve', asked.gates[0]?.id ?? '')).code).toBe(0);
      model.push(makeIt, say(closingLine));
      const second = await tireless.tell('resume', '--foreground');
      expect(second, second.out + second.err).toMatchObject({ code: 0 });
      expect(existsSync(made)).toBe(true);
      expect(turnsSeen(model)).toHaveLength(2);
      expect(shown(model)).toContain(recovery);
    });

    it('Tireless in the background: Codex ends by itself when nobody listens, and a new keeper goes on', async () => {
      const { model, tireless } = await keptRun();
      model.push(hang());
      const told = await tireless.tell(
        'run',
        '--yes',
        '--detach',
        '--check',
        'test -f made.txt',
        'make the file',
      );
      expect(told, told.out + told.err).toMatchObject({ code: 0 });
      await expect.poll(() => model.requests.length, { timeout: 30_000 }).toBe(1);
      const { id } = await tireless.view();
      const keepers = (await tireless.entries()).flatMap(({ event }) =>
        event.type === 'keeper-started' ? [event.pid] : [],
      );
      expect(keepers).toHaveLength(1);
      expect(processesWith(`TIRELESS_RUN=${id}`)).not.toEqual([]);
      process.kill(keepers[0] ?? 0, 'SIGKILL');
      await expect.poll(() => processesWith(`TIRELESS_RUN=${id}`), { timeout: 10_000 }).toEqual([]);
      model.push(makeIt, say(closingLine));
      const second = await tireless.tell('resume', '--foreground');
      expect(second, second.out + second.err).toMatchObject({ code: 0 });
      expect(turnsSeen(model)).toHaveLength(2);
      expect(promptsOf(model).map((text) => text.includes(recovery))).toEqual([false, true]);
    });
  });
