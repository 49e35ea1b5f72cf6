import { appendFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cleanLine, closingLine } from '../../../src/core/index.ts';
import { codexServer } from '../../../src/edge/agents/codex/server.ts';
import { call, patch, refuse, say } from '../../../src/testkit/models/responses-steps.ts';
import { installedCodex } from '../kit/codex-home.ts';
import { codexLab } from '../kit/codex-lab.ts';
import { type LiveRun, liveRun } from '../kit/live-run.ts';
import { promptsOf, shown, turnsSeen } from '../kit/model-saw.ts';
import { otherClient, sharedRun, threadOf } from '../kit/other-client.ts';

const makeIt = call('c1', 'exec_command', { cmd: 'echo made > made.txt' });
const input = (text: string) => [{ type: 'text', text, text_elements: [] }];

/** The person trusts the hooks of their configuration, as Codex would ask them to. */
async function trustHooks({ home, workspace }: LiveRun): Promise<void> {
  const { start } = codexServer({ cwd: workspace, env: home.env, command: installedCodex() ?? ['codex'] });
  const client = await otherClient(start);
  await client.ask('initialize', { clientInfo: { name: 'person', version: '0' } });
  const { data } = (await client.ask('hooks/list', { cwds: [workspace] })) as {
    data: { hooks: { key: string; currentHash: string }[] }[];
  };
  for (const { key, currentHash } of data.flatMap(({ hooks }) => hooks))
    appendFileSync(
      join(home.env.CODEX_HOME ?? '', 'config.toml'),
      `\n[hooks.state.${JSON.stringify(key)}]\ntrusted_hash = "${currentHash}"\n`,
    );
}

/** What a reviewer of Codex answers: JSON, which Codex renders to a text. */
const verdict = (explanation: string, ...findings: readonly string[]) =>
  say(
    JSON.stringify({
      findings: findings.map((title) => ({
        title: `[P1] ${title}`,
        body: 'Look again.',
        confidence_score: 0.9,
        priority: 1,
        code_location: { absolute_file_path: '/made.txt', line_range: { start: 1, end: 1 } },
      })),
      overall_correctness: findings.length > 0 ? 'patch is incorrect' : 'patch is correct',
      overall_explanation: explanation,
      overall_confidence_score: 0.9,
    }),
  );

export const ownAccord = () =>
  describe('what the real Codex does of its own accord', () => {
    it('a turn out of its own queue is followed, and neither proof nor prompt of ours comes before its end', async () => {
      const { run, start } = await sharedRun({ policy: { approvals: 'pause' } });
      run.model.push(makeIt);
      const done = run.work();
      const { gates } = await run.until('the question', (now) => now.gates.length === 1);
      const other = await otherClient(start());
      const threadId = await threadOf(run);
      await other.ask('thread/queue/add', { threadId, input: input('Queued'), clientUserMessageId: 'q-1' });
      run.model.push(say(closingLine), call('q1', 'exec_command', { cmd: 'echo more > more.txt' }));
      await run.approve(gates[0]);
      const queued = await run.until(
        'the queued turn asks',
        (now) => now.gates[0]?.asks.includes('more') === true,
      );
      expect(await run.store.view(run.id)).not.toMatchObject({ state: 'done' });
      run.model.push(say('Done with the queue.'));
      await run.approve(queued.gates[0]);
      expect(await done).toMatchObject({ state: 'done', turns: 1 });
      const order = run
        .entries()
        .flatMap(({ event, decision }) =>
          event.type === 'turn-ended'
            ? [event.dispatch === undefined ? 'theirs' : 'ours']
            : decision?.rule === 'certified'
              ? ['certified']
              : [],
        );
      expect(order).toEqual(['ours', 'theirs', 'certified']);
      expect(promptsOf(run.model).filter((text) => text.includes('## Mission'))).toHaveLength(1);
    });

    it('a goal somebody sets is kept by Codex and starts no turn: the loop is ours', async () => {
      const { run, start } = await sharedRun({ policy: { approvals: 'pause' } });
      run.model.push(makeIt, say('Made it.'), say(closingLine));
      const done = run.work();
      const { gates } = await run.until('the question', (now) => now.gates.length === 1);
      const other = await otherClient(start());
      const goal = { threadId: await threadOf(run), objective: 'Work for ever' };
      expect(await other.ask('thread/goal/set', goal)).toMatchObject({ goal: { status: 'active' } });
      await run.approve(gates[0]);
      expect(await done).toMatchObject({ state: 'done', turns: 2 });
      expect(turnsSeen(run.model)).toHaveLength(2);
      const begun = run.entries().flatMap(({ event }) => (event.type === 'turn-started' ? [event] : []));
      expect(begun.map(({ dispatch }) => dispatch !== undefined)).toEqual([true, true]);
    });

    it('a Stop hook of the person’s goes on inside the same turn: one turn, and its words are no person’s', async () => {
      const hook = `test -f hooked || { touch hooked; echo '{"decision":"block","reason":"Also water the plants"}'; }`;
      const top = `[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = ${JSON.stringify(hook)}`;
      const run = await liveRun({ home: { top } });
      await trustHooks(run);
      run.model.push(makeIt, say(closingLine), say(`Watered.\n${closingLine}`));
      expect(await run.work()).toMatchObject({ state: 'done', turns: 1 });
      expect(run.model.requests).toHaveLength(3);
      expect(turnsSeen(run.model)).toHaveLength(1);
      expect(shown(run.model)).toContain('Also water the plants');
      const events = run.entries().map(({ event }) => event);
      expect(events.filter(({ type }) => type === 'turn-ended')).toHaveLength(1);
      expect(events).not.toContainEqual(expect.objectContaining({ type: 'item-ended', kind: 'person' }));
    });

    it('a command that ends after its turn is told late and belongs to nobody any more', async () => {
      const lab = await codexLab();
      const cmd = 'while test ! -f go; do read -t 0.05 <> <(:); done; touch late.txt';
      lab.model.push(call('c1', 'exec_command', { cmd, yield_time_ms: 250 }), say('It runs.'), {
        ...call('c2', 'exec_command', { cmd: 'touch go' }),
      });
      lab.model.push(say('Let it go.'));
      const { session, listener } = await lab.open();
      const { turn } = await session.turn('d-1', 'Start it');
      const first = await listener.received('approval-asked');
      await session.answer(first.request, { answer: 'approve', because: 'harmless' });
      await listener.received('turn-ended');
      expect(await session.working?.()).toBe(false);
      await session.turn('d-2', 'Let it go');
      const second = await listener.received('approval-asked', ({ request }) => request !== first.request);
      await session.answer(second.request, { answer: 'approve', because: 'harmless' });
      expect(
        await listener.received('item-ended', (item) => item.kind === 'command' && item.turn === turn),
      ).toMatchObject({ outcome: 'ok' });
      expect(await listener.received('turn-ended', ({ dispatch }) => dispatch === 'd-2')).toMatchObject({
        status: 'completed',
      });
      expect(existsSync(join(lab.home.workspace, 'late.txt'))).toBe(true);
    });

    it('tool calls that fail before they begin are not told: only the model hears of them, and the turn goes on', async () => {
      const run = await liveRun();
      run.model.push(
        call('u1', 'no_such_tool', { a: 1 }),
        patch('p1', '*** Begin Patch\n*** Update File: nowhere.txt\n@@\n-a\n+b\n*** End Patch\n'),
        makeIt,
        say(closingLine),
      );
      expect(await run.work()).toMatchObject({ state: 'done', turns: 1 });
      expect(shown(run.model, 1)).toContain('no_such_tool');
      const kinds = run.entries().flatMap(({ event }) => (event.type === 'item-ended' ? [event.kind] : []));
      expect(kinds).toEqual(['command', 'message']);
    });

    it('a command that prints three megabytes is one item; the ledger keeps its facts and stays small', async () => {
      const run = await liveRun();
      run.model.push(
        call('c1', 'exec_command', { cmd: 'head -c 3000000 /dev/zero | tr "\\0" x; echo made > made.txt' }),
      );
      run.model.push(say(closingLine));
      expect(await run.work()).toMatchObject({ state: 'done', turns: 1 });
      const sizes = run.entries().map((entry) => JSON.stringify(entry).length);
      expect(Math.max(...sizes)).toBeLessThan(64_000);
      const item = run
        .entries()
        .find(({ event }) => event.type === 'item-ended' && event.kind === 'command')?.event;
      const body = item?.type === 'item-ended' ? await run.store.body(item.body ?? '') : null;
      expect(body?.length).toBeGreaterThan(100_000);
    });

    it('its review before completion: findings are the next input, a clean one lets the certificate stand', async () => {
      const run = await liveRun({ policy: { review: 'before-completion' } });
      run.model.push(call('c1', 'exec_command', { cmd: 'touch made.txt' }), say(closingLine));
      run.model.push(verdict('One bug.', 'The file is empty'), makeIt, say(closingLine));
      run.model.push(verdict(`All well.\n${cleanLine}`));
      expect(await run.work()).toMatchObject({ state: 'done', cause: 'certified', turns: 4 });
      expect(promptsOf(run.model).length).toBeGreaterThan(0);
      expect(shown(run.model, 3)).toContain('- [P1] The file is empty');
      const ids = run
        .entries()
        .flatMap(({ event }) =>
          event.type === 'turn-started' || event.type === 'turn-ended'
            ? [`${event.type} ${event.turn} ${event.dispatch}`]
            : [],
        );
      expect(ids.filter((id) => id.endsWith('undefined'))).toEqual([]);
      expect(ids).toHaveLength(8);
    });

    it('its review after a failed turn tells the agent what it found', async () => {
      const run = await liveRun({ policy: { review: 'on-error' } });
      run.model.push(makeIt, refuse(500, { error: { message: 'oops' } }));
      const done = run.work();
      const view = await run.until('the wait', (now) => now.waitingOn === 'backoff' && now.until !== null);
      run.model.push(verdict('One bug.', 'Half of it is missing'), say(closingLine));
      run.waitOut(view);
      expect(await done).toMatchObject({ state: 'done' });
      expect(shown(run.model)).toContain('Half of it is missing');
    });
  });
