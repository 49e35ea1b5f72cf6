import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { closingLine } from '../../src/core/index.ts';
import { type ScriptedModel, scriptedResponses } from '../../src/testkit/models/responses.ts';
import { call, say } from '../../src/testkit/models/responses-steps.ts';
import { codexHome } from './kit/codex-home.ts';
import { codex } from './kit/installed.ts';
import { type TirelessLab, tirelessLab } from './kit/tireless.ts';

interface Lab {
  readonly model: ScriptedModel;
  readonly tireless: TirelessLab;
  /** The commit of the remote's main branch. */
  readonly remoteMain: () => string;
  /** The commit that a force push would put there. */
  readonly rewritten: string;
}

/** A workspace whose history was rewritten after it was pushed: only a force push can publish it. */
async function lab(settings: Record<string, unknown>): Promise<Lab> {
  const model = await scriptedResponses();
  const home = codexHome({ modelUrl: model.url });
  onTestFinished(home.remove);
  onTestFinished(model.close);
  const remote = join(home.folder, 'remote.git');
  mkdirSync(remote);
  const git = (cwd: string, ...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@localhost', ...args], {
      cwd,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  const here = (...args: string[]): string => git(home.workspace, ...args);
  git(remote, 'init', '-q', '--bare');
  writeFileSync(join(home.workspace, 'README.md'), 'what others have read\n');
  here('init', '-q', '-b', 'main');
  here('add', '.');
  here('commit', '-qm', 'begin');
  here('remote', 'add', 'origin', remote);
  here('push', '-q', 'origin', 'main');
  here('commit', '-q', '--amend', '-m', 'another begin');
  const tireless = tirelessLab(home, codex ?? ['codex'], settings);
  return {
    model,
    tireless,
    rewritten: here('rev-parse', 'HEAD'),
    remoteMain: () => git(remote, 'rev-parse', 'main'),
  };
}

const strategies = [
  ['policy', 'git push --force origin main'],
  ['pause', 'git push origin +main'],
  ['never-ask', 'bash -c "git push -f origin main"'],
] as const;

describe.skipIf(!codex)('a force push that the real Codex is about to run', () => {
  it.each(strategies)('waits for a person under %s, and denied it never happens', async (approvals, push) => {
    const { model, tireless, remoteMain } = await lab({ approvals });
    const before = remoteMain();
    model.push(
      call('c1', 'exec_command', { cmd: push }),
      say('I could not push.'),
      say(`Then it stays as it is.\n${closingLine}`),
    );
    const run = tireless.start('run', '--foreground', '--yes', '--check', 'true', 'publish the work');
    const asked = await tireless.until('the question', (view) => view.gates.length > 0);
    expect(asked.gates[0]).toMatchObject({ kind: 'approval', never: true, rule: 'force-push' });
    expect(asked.gates[0]?.asks).toContain('push');
    const gate = asked.gates[0]?.id ?? '';
    const shape = await tireless.tell('approve', gate, '--shape');
    expect([shape.code, shape.err]).toEqual([2, expect.stringContaining('never list')]);
    expect(remoteMain()).toBe(before);
    expect((await tireless.tell('deny', gate, 'others have read it')).code).toBe(0);
    const ended = await run.ended;
    expect(ended, ended.out + ended.err).toMatchObject({ code: 0 });
    expect(remoteMain()).toBe(before);
    const told = JSON.stringify(model.requests.at(-1)?.body);
    expect(told).toContain('## Not allowed');
    expect(told).toContain('Because: others have read it');
  });

  it('happens when a person approves exactly it', async () => {
    const { model, tireless, remoteMain, rewritten } = await lab({});
    model.push(
      call('c1', 'exec_command', { cmd: 'git push --force origin main' }),
      say(`Pushed.\n${closingLine}`),
    );
    const run = tireless.start('run', '--foreground', '--yes', '--check', 'true', 'publish the work');
    const asked = await tireless.until('the question', (view) => view.gates.length > 0);
    expect(remoteMain()).not.toBe(rewritten);
    expect((await tireless.tell('approve', asked.gates[0]?.id ?? '')).code).toBe(0);
    const ended = await run.ended;
    expect(ended, ended.out + ended.err).toMatchObject({ code: 0 });
    expect(remoteMain()).toBe(rewritten);
  });
});
