import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { closingLine } from '../../../src/core/index.ts';
import { codexServer } from '../../../src/edge/agents/codex/server.ts';
import type { ModelRequest } from '../../../src/testkit/models/responses.ts';
import { call, hang, say } from '../../../src/testkit/models/responses-steps.ts';
import { installedCodex } from '../kit/codex-home.ts';
import { codexLab } from '../kit/codex-lab.ts';
import { liveRun } from '../kit/live-run.ts';
import { promptsOf, shown, turnsSeen } from '../kit/model-saw.ts';
import { otherClient, sharedRun, threadOf } from '../kit/other-client.ts';

const input = (text: string) => [{ type: 'text', text, text_elements: [] }];
const makeIt = call('c1', 'exec_command', { cmd: 'echo made > made.txt' });

/** A model that spawns one sub-agent, which runs one command; both are billed by the token. */
const withSubAgent = () => {
  let parent: string | undefined;
  return ({ thread, body }: ModelRequest) => {
    parent ??= thread;
    const text = JSON.stringify(body);
    const outputs = text.match(/function_call_output/g)?.length ?? 0;
    const [, child = 'unknown'] = /agent_id\\+":\\+"([0-9a-f-]+)/.exec(text) ?? [];
    const inTeam = { namespace: 'multi_agent_v1', usage: { input: 100, output: 10 } };
    if (thread !== parent)
      return outputs === 0
        ? call('k1', 'exec_command', { cmd: 'touch child.txt' }, { usage: { input: 1_000, output: 1 } })
        : say('the child is done', { usage: { input: 2_000, output: 2 } });
    if (outputs === 0) return call('s1', 'spawn_agent', { message: 'touch the file' }, inTeam);
    if (outputs === 1) return call('w1', 'wait_agent', { targets: [child], timeout_ms: 20_000 }, inTeam);
    return say(`All done.\n${closingLine}`, { usage: { input: 100, output: 10 } });
  };
};

export const strangers = () =>
  describe('turns and threads that are not ours', () => {
    it('a turn somebody else started is followed and billed, and ours waits until it is over', async () => {
      const { run, start } = await sharedRun();
      run.model.push(say('First turn.', { usage: { input: 100, output: 1 } }));
      const done = run.work();
      const thread = await threadOf(run);
      await run.entry('the cooldown', ({ decision }) => decision?.rule === 'cooldown');
      const other = await otherClient(start());
      run.model.push(hang('a person thinks'));
      const { turn } = (await other.ask('turn/start', { threadId: thread, input: input('By hand') })) as {
        turn: { id: string };
      };
      await run.entry('their turn', ({ event }) => event.type === 'turn-started' && event.turn === turn.id);
      run.waitOut(await run.until('the cooldown', (view) => view.until !== null));
      await run.entry(
        'our next turn',
        ({ decision }) => decision?.verdict === 'continue' && decision.summary.turn === 1,
      );
      await expect.poll(() => run.model.requests.length).toBe(2);
      run.model.push(makeIt, say(closingLine));
      await other.ask('turn/interrupt', { threadId: thread, turnId: turn.id });
      expect(await done).toMatchObject({ state: 'done', turns: 2 });
      const order = run
        .entries()
        .flatMap(({ event }) =>
          event.type === 'turn-started' || event.type === 'turn-ended'
            ? [`${event.type} ${event.dispatch === undefined ? 'theirs' : 'ours'}`]
            : [],
        );
      expect(order.slice(2)).toEqual([
        'turn-started theirs',
        'turn-ended theirs',
        'turn-started ours',
        'turn-ended ours',
      ]);
      expect(turnsSeen(run.model)).toHaveLength(3);
    });

    it('somebody who speaks into our turn steers it: no second turn, and the message is told as a person’s', async () => {
      const { run, start } = await sharedRun({ policy: { approvals: 'pause' } });
      run.model.push(makeIt);
      const done = run.work();
      const { gates } = await run.until('the question', (view) => view.gates.length > 0);
      const thread = await threadOf(run);
      const other = await otherClient(start());
      const spoken = (await other.ask('turn/start', { threadId: thread, input: input('Use tabs') })) as {
        turn: { id: string };
      };
      run.model.push(say(closingLine), say(closingLine));
      await run.approve(gates[0]);
      expect(await done).toMatchObject({ state: 'done', turns: 1 });
      const ours = run.entries().find(({ event }) => event.type === 'turn-started')?.event;
      expect(ours).toMatchObject({ turn: spoken.turn.id });
      expect(run.entries().map(({ event }) => event)).toContainEqual(
        expect.objectContaining({ type: 'item-ended', kind: 'person', label: 'Use tabs' }),
      );
      expect(turnsSeen(run.model)).toHaveLength(1);
      expect(shown(run.model)).toContain('Use tabs');
    });

    it('a second turn of ours on a busy thread is refused before Codex sees it', async () => {
      const lab = await codexLab({}, { otherwise: hang() });
      const { session, listener } = await lab.open();
      await session.turn('d-1', 'Think');
      await listener.received('turn-started');
      await expect(session.turn('d-2', 'And this')).rejects.toMatchObject({ failure: { kind: 'refused' } });
      await expect.poll(() => lab.model.requests.length).toBe(1);
      expect(shown(lab.model)).not.toContain('And this');
    });

    it('a sub-agent is filtered out of the turn and asked about, and its tokens are billed beside ours', async () => {
      const run = await liveRun({ script: { choose: withSubAgent() }, checks: ['test -f child.txt'] });
      expect(await run.work()).toMatchObject({ state: 'done', turns: 1, tokens: 330 + 3_003 });
      expect(existsSync(join(run.workspace, 'child.txt'))).toBe(true);
      const events = run.entries().map(({ event }) => event);
      expect(events.filter(({ type }) => type === 'turn-ended')).toHaveLength(1);
      expect(events).not.toContainEqual(
        expect.objectContaining({ type: 'item-ended', label: expect.stringContaining('the child is done') }),
      );
      const [ours] = events.filter(({ type }) => type === 'turn-started');
      expect(events.find(({ type }) => type === 'approval-asked')).toMatchObject({
        session: ours?.type === 'turn-started' ? ours.session : '',
        action: { rendered: { text: expect.stringContaining('touch child.txt') } },
      });
      expect(new Set(run.model.requests.map(({ thread }) => thread)).size).toBe(2);
    });

    it('in a shared server a sub-agent belongs to the session whose turn it came from', async () => {
      const lab = await codexLab({}, { choose: withSubAgent() });
      const { start } = codexServer({
        cwd: lab.home.workspace,
        env: lab.home.env,
        command: installedCodex() ?? ['codex'],
      });
      const [one, other] = [await lab.open({ start }), await lab.open({ start })];
      await one.session.turn('d-1', 'Work');
      const asked = await one.listener.received('approval-asked');
      await one.session.answer(asked.request, { answer: 'approve', because: 'harmless' });
      expect(await one.listener.received('turn-ended')).toMatchObject({ status: 'completed' });
      expect(other.listener.events).toEqual([]);
      const billed = one.listener.events.flatMap((event) =>
        event.type === 'usage-reported' ? [[event.session === one.session.id, event.usage.totalTokens]] : [],
      );
      expect(billed).toContainEqual([true, 330]);
      expect(billed).toContainEqual([false, 3_003]);
    });

    it('usage is what the thread has used in all, told once, and never a sum of repeated reports', async () => {
      const run = await liveRun();
      const usage = { usage: { input: 200, cached: 150, output: 50, reasoning: 20 } };
      run.model.push(
        call('c1', 'exec_command', { cmd: 'echo made > made.txt' }, usage),
        say(closingLine, usage),
      );
      expect(await run.work()).toMatchObject({ state: 'done', tokens: 500 });
      const told = run
        .entries()
        .flatMap(({ event }) => (event.type === 'usage-reported' ? [event.usage.totalTokens] : []));
      expect(told).toEqual([250, 500]);
      expect(promptsOf(run.model)).toHaveLength(1);
    });
  });
