import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { closingLine } from '../../src/core/index.ts';
import {
  type ModelRequest,
  type ScriptedModel,
  scriptedResponses,
} from '../../src/testkit/models/responses.ts';
import { call, hang, say } from '../../src/testkit/models/responses-steps.ts';
import { codexHome } from './kit/codex-home.ts';
import { codex } from './kit/installed.ts';
import { commit } from './kit/live-run.ts';
import { type TirelessLab, tirelessLab } from './kit/tireless.ts';

async function lab(
  settings: Record<string, unknown> = {},
): Promise<{ model: ScriptedModel; tireless: TirelessLab }> {
  const model = await scriptedResponses();
  const home = codexHome({ modelUrl: model.url });
  onTestFinished(home.remove);
  onTestFinished(model.close);
  commit(home.workspace, { 'README.md': 'an empty project\n' });
  const tireless = tirelessLab(home, codex ?? ['codex'], settings);
  return { model, tireless };
}

/** The prompts the model was shown, as the last message of the person in each request. */
const prompts = (requests: readonly ModelRequest[]): string[] =>
  requests.flatMap(({ body }) => {
    const input = (body as { input?: { role?: string; content?: { text?: string }[] }[] }).input ?? [];
    return input
      .filter((item) => item.role === 'user')
      .map((item) => item.content?.map((c) => c.text ?? '').join('') ?? '');
  });

const makeIt = 'echo made > made.txt';

describe.skipIf(!codex)('a run with the real Codex', () => {
  it('takes one turn with one approval by a person, and ends on our own check', async () => {
    const { model, tireless } = await lab({ approvals: 'pause' });
    model.push(call('c1', 'exec_command', { cmd: makeIt }), say(`Made it.\n${closingLine}`));
    const run = tireless.start(
      'run',
      '--foreground',
      '--yes',
      '--check',
      'test -f made.txt',
      'make the file',
    );
    const asked = await tireless.until('the approval', (view) => view.gates.length > 0);
    expect(asked).toMatchObject({ state: 'waiting', waitingOn: 'approval' });
    expect(asked.gates[0]?.asks).toContain(makeIt);
    expect(existsSync(join(tireless.workspace, 'made.txt'))).toBe(false);
    expect((await tireless.tell('approve', asked.gates[0]?.id ?? '')).code).toBe(0);
    const ended = await run.ended;
    expect(ended, ended.out + ended.err).toMatchObject({ code: 0 });
    expect(readFileSync(join(tireless.workspace, 'made.txt'), 'utf8')).toBe('made\n');
    expect(await tireless.view()).toMatchObject({ state: 'done', turns: 1, cause: 'certified' });
  });

  it('is killed in the middle of a turn and goes on without saying anything twice', async () => {
    const { model, tireless } = await lab();
    model.push(hang());
    const first = tireless.start(
      'run',
      '--foreground',
      '--yes',
      '--check',
      'test -f made.txt',
      'make the file',
    );
    await tireless.until('the turn', (view) => view.state === 'running');
    await tireless.until('the model', () => model.requests.length === 1);
    first.child.kill('SIGKILL');
    await first.ended;
    model.push(
      say(`Nothing is left to do.\n${closingLine}`),
      call('c2', 'exec_command', { cmd: makeIt }),
      say(closingLine),
    );
    writeFileSync(join(tireless.workspace, 'made.txt'), 'made by the person\n');
    const second = await tireless.tell('resume', '--foreground');
    expect(second, second.out + second.err).toMatchObject({ code: 0 });
    const entries = await tireless.entries();
    const dispatched = entries.flatMap((e) => e.effects ?? []).filter((e) => e.type === 'turn-start');
    expect(new Set(dispatched.map((e) => e.dispatch)).size).toBe(dispatched.length);
    const last = prompts(model.requests.slice(-1));
    expect(last.filter((text) => text.includes('## Mission'))).toHaveLength(2);
    expect(last.at(-1)).toContain('## After an interruption');
  });
});
