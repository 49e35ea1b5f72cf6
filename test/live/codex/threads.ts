import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { codexServer } from '../../../src/edge/agents/codex/server.ts';
import { livingTree } from '../../../src/edge/agents/shared/process-tree.ts';
import { processStart } from '../../../src/edge/lock.ts';
import type { ModelRequest } from '../../../src/testkit/models/responses.ts';
import { call, hang, say } from '../../../src/testkit/models/responses-steps.ts';
import { installedCodex } from '../kit/codex-home.ts';
import { type CodexLab, codexLab } from '../kit/codex-lab.ts';

const threadsAtOnce = 20;

const serverOf = ({ home }: CodexLab) =>
  codexServer({ cwd: home.workspace, env: home.env, command: installedCodex() ?? ['codex'] });

/** The n-th session asks for its own file, then says its own name. */
const ownWork = ({ body }: ModelRequest) => {
  const text = JSON.stringify(body);
  const [, name = ''] = /I am (n\d+)/.exec(text) ?? [];
  return text.includes('custom_tool_call_output') || text.includes('function_call_output')
    ? say(`done by ${name}`, { usage: { input: 10 + Number(name.slice(1)), output: 1 } })
    : call(`c-${name}`, 'exec_command', { cmd: `touch ${name}` });
};

export const threads = () =>
  describe('many threads in one app-server', () => {
    it(`${threadsAtOnce} sessions share one process, and each hears only its own`, async () => {
      const lab = await codexLab({}, { choose: ownWork });
      const { start } = serverOf(lab);
      const names = Array.from({ length: threadsAtOnce }, (_, n) => `n${n}`);
      const all = await Promise.all(names.map(() => lab.open({ start })));
      expect(new Set(all.map(({ session }) => session.id)).size).toBe(threadsAtOnce);
      expect(new Set(all.flatMap(({ listener }) => listener.pids)).size).toBe(1);
      await Promise.all(
        all.map(async ({ session, listener }, n) => {
          await session.turn(`dispatch-${n}`, `I am n${n}`);
          const { request, action } = await listener.received('approval-asked');
          expect(action.rendered.text).toContain(`touch n${n}`);
          await session.answer(request, { answer: 'approve', because: 'harmless' });
        }),
      );
      for (const [n, { session, listener }] of all.entries()) {
        expect(await listener.received('turn-ended')).toMatchObject({
          session: session.id,
          dispatch: `dispatch-${n}`,
          status: 'completed',
          message: { text: `done by n${n}` },
        });
        const told = listener.events.filter((event) => 'session' in event && event.session !== session.id);
        expect(told).toEqual([]);
        expect(
          listener.events.filter(({ type }) => type === 'turn-started' || type === 'unreadable'),
        ).toHaveLength(1);
        expect(listener.events.findLast(({ type }) => type === 'usage-reported')).toMatchObject({
          usage: { totalTokens: 15 + 11 + n },
        });
        expect(existsSync(join(lab.home.workspace, `n${n}`))).toBe(true);
      }
      expect(lab.model.requests).toHaveLength(threadsAtOnce * 2);
      expect(new Set(lab.model.requests.map(({ thread }) => thread)).size).toBe(threadsAtOnce);
    });

    it('one that leaves in the middle of a turn takes its command with it and disturbs nobody', async () => {
      const lab = await codexLab({}, { choose: ownWork });
      const { start } = serverOf(lab);
      const leaving = await lab.open({ start });
      const staying = await lab.open({ start });
      lab.model.pushFor(leaving.session.id, say('unused'));
      await leaving.session.turn('d-1', 'I am n1');
      await leaving.listener.received('approval-asked');
      await staying.session.turn('d-2', 'I am n2');
      const asked = await staying.listener.received('approval-asked');
      await leaving.session.close();
      await expect(leaving.session.turn('d-3', 'Still there?')).rejects.toThrow();
      await staying.session.answer(asked.request, { answer: 'approve', because: 'harmless' });
      expect(await staying.listener.received('turn-ended')).toMatchObject({ status: 'completed' });
      expect(staying.listener.events.map(({ type }) => type)).not.toContain('session-ended');
      expect(existsSync(join(lab.home.workspace, 'n1'))).toBe(false);
      const [pid = 0] = staying.listener.pids;
      const one = { pid, start: processStart(pid) };
      await staying.session.close();
      expect(livingTree(one)).toEqual([]);
    });

    it('that is killed is told to every session, and the next one starts another', async () => {
      const lab = await codexLab({}, { otherwise: hang() });
      const { start } = serverOf(lab);
      const one = await lab.open({ start });
      const other = await lab.open({ start });
      await one.session.turn('d-1', 'Think');
      await expect.poll(() => lab.model.requests.length).toBe(1);
      process.kill(-(one.listener.pids[0] ?? 0), 'SIGKILL');
      for (const { listener, session } of [one, other])
        expect(await listener.received('session-ended')).toMatchObject({
          session: session.id,
          failure: { kind: 'crashed' },
        });
      const next = await lab.resume(one.session.id, { start });
      expect(next.listener.pids).not.toEqual(one.listener.pids);
      expect(await next.session.find?.('d-1')).toMatchObject({ found: 'ended', status: 'interrupted' });
    });

    it('two sessions never work in the same thread', async () => {
      const lab = await codexLab({}, { otherwise: say('hello') });
      const { start } = serverOf(lab);
      const one = await lab.open({ start });
      await one.session.turn('d-1', 'Hello');
      await one.listener.received('turn-ended');
      await expect(lab.resume(one.session.id, { start })).rejects.toThrow(
        'another session works in the thread',
      );
    });
  });
