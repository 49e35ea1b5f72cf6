import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { GateView, RunView } from '../../src/contract/index.ts';
import { linkToken, readLink } from '../../src/edge/notify/links.ts';
import { makeProject } from '../cli/kit.ts';
import { until } from '../process-kit.ts';
import { branches, deskWithRemote, oneTurn, proof, started, webhook } from './desk.ts';

const push = (name: string) => ({ run: `git push --quiet origin work:${name}` });
const timeout = 120_000;

describe('approving a shape', { timeout }, () => {
  it('lets later actions of that shape through, says so in status and report, and refuses the never list', async () => {
    const desk = deskWithRemote();
    const forced = { run: 'git push --force origin work:a' };
    const run = await started(desk, oneTurn(push('a'), push('b'), push('c'), forced));
    const first = await desk.gate('approval');
    const shown = (await desk.tireless(['inbox'])).stdout;
    for (const part of [
      push('a').run,
      'others will see it',
      '[git-push]',
      'git-push:',
      '--shape',
      desk.workspace.replace(desk.folder, '~'),
    ])
      expect(shown).toContain(part);
    const { stdout } = await desk.tireless(['approve', first.id, '--shape']);
    expect(stdout).toContain(push('a').run);
    expect(stdout).toContain('Also allowed until this run ends: git push --quiet');
    const second = await desk.seen(({ gates }) => gates.some((gate) => gate.never === true));
    expect(branches(desk.remote)).toEqual(['a', 'b', 'c']);
    expect(second.shapes).toEqual([{ shape: 'git push --quiet', gate: first.id, times: 2 }]);
    expect((await desk.tireless(['status'])).stdout).toContain('git push --quiet for this run');
    const forcedGate = second.gates[0]?.id ?? '';
    const refused = await desk.tireless(['approve', forcedGate, '--shape']);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('never list')]);
    expect(await desk.tireless(['deny', forcedGate, 'never force'])).toMatchObject({ code: 0 });
    await desk.seen(({ state }) => state === 'done');
    const report = await desk.json<{ answers: unknown[] }>('report', run);
    expect(JSON.stringify(report)).toContain(`shape:${first.id}`);
  });
});

describe('an approved action that destroys', { timeout }, () => {
  it('happens after a savepoint that lists it and brings the files back', async () => {
    const desk = deskWithRemote();
    const folder = join(desk.workspace, 'precious');
    mkdirSync(folder);
    writeFileSync(join(folder, 'work.txt'), 'never committed\n');
    const run = await started(desk, oneTurn({ run: 'rm -rf precious' }));
    const gate = await desk.gate('approval');
    expect(gate.destructive).toBe(true);
    await desk.tireless(['approve', gate.id]);
    await desk.seen(({ state }) => state === 'done');
    expect(existsSync(folder)).toBe(false);
    const [savepoint] = await desk.json<{ name: string; because: string }[]>('savepoint', 'list');
    expect(savepoint).toMatchObject({
      name: expect.stringContaining(run),
      because: 'before: rm -rf precious',
    });
    await desk.tireless(['savepoint', 'restore', savepoint?.name ?? '']);
    expect(readFileSync(join(folder, 'work.txt'), 'utf8')).toBe('never committed\n');
  });
});

describe('a question with options', { timeout }, () => {
  it('shows them numbered and takes a number', async () => {
    const desk = deskWithRemote();
    const run = await started(desk, oneTurn({ ask: 'Which database?', options: ['SQLite', 'PostgreSQL'] }));
    const { id } = await desk.gate('input');
    const shown = (await desk.tireless(['inbox'])).stdout;
    expect(shown).toMatch(/1\s+SQLite\n\s+2\s+PostgreSQL/);
    await desk.tireless(['answer', id, '2']);
    await desk.seen(({ state }) => state === 'done');
    const said = (await desk.entries(run))
      .map((entry) => entry.event)
      .find((e) => e.type === 'gate-answered');
    expect(said).toMatchObject({ answer: 'text', text: { text: 'PostgreSQL' } });
  });
});

describe('several open questions', { timeout }, () => {
  it('stand beside each other, and each is answered by the name of its run', async () => {
    const desk = deskWithRemote();
    const other = join(desk.folder, 'other');
    makeProject(other);
    const first = await started(desk, oneTurn(push('a')));
    await desk.gate('approval');
    const args = [...desk.run(oneTurn(push('b')), ...proof), '--detach', '--json'];
    const second = (JSON.parse((await desk.tireless(args, { cwd: other })).stdout) as { run: string }).run;
    await desk.seen(({ id, gates }) => id === second && gates.length === 1);
    const open = await desk.json<{ run: string; id: string; workspace: string }[]>('inbox');
    expect(open.map(({ run, workspace }) => [run, workspace]).sort()).toEqual(
      [
        [first, desk.workspace],
        [second, other],
      ].sort(),
    );
    const names = open.map(({ run, id }) => `${run}:${id}`);
    const unclear = await desk.tireless(['approve']);
    expect([unclear.code, unclear.stderr]).toEqual([2, expect.stringContaining(names.join(', '))]);
    const mine = open.find(({ run }) => run === first);
    expect(await desk.tireless(['approve', `${first}:${mine?.id}`])).toMatchObject({ code: 0 });
    await until(() => branches(desk.remote).length > 0, 'it was not pushed');
    expect(branches(desk.remote)).toEqual(['a']);
    expect(await desk.json<unknown[]>('inbox')).toMatchObject([{ run: second }]);
  });
});

describe('what an agent wrote', { timeout }, () => {
  it('is shown whole, and draws nothing on the screen of the person', async () => {
    const desk = deskWithRemote();
    const long = `git push origin work:a # ${'x'.repeat(6_000)} \u001b[2Jgone \u202eback`;
    await started(desk, oneTurn({ run: long }));
    const gate = await desk.gate('approval');
    const { stdout } = await desk.tireless(['inbox']);
    expect(stdout).toContain('x'.repeat(6_000));
    expect(stdout).toContain('\\u{1b}[2Jgone \\u{202e}back');
    expect(stdout).not.toContain('\u001b[2J');
    const [all] = await desk.json<(GateView & { run: string })[]>('inbox');
    expect(all).toMatchObject({ id: gate.id, asks: long, effects: expect.any(Array), destructive: false });
  });
});

describe('a signed link', { timeout }, () => {
  it('answers its one question once; changed, expired or used again it is refused', async () => {
    const { url, notes } = await webhook();
    const links = 'https://runs.example.com/tireless/';
    const desk = deskWithRemote({ notifications: { desktop: false, webhook: url, links } });
    const run = await started(desk, oneTurn(push('a')));
    const gate = await desk.gate('approval');
    const note = await until(() => notes.find((one) => one.key === `${run}/${gate.id}`), 'nobody was told');
    const { approve, deny } = note.links as { approve: string; deny: string };
    expect(approve).toMatch(/^https:\/\/runs\.example\.com\/tireless\/answer\?token=/);
    const key = readFileSync(join(desk.home, 'key'));
    const read = readLink(deny, key, Date.now());
    const claims = 'claims' in read ? read.claims : expect.fail('the link is not ours');
    const [, signature = ''] = linkToken(claims, key).split('.');
    const forged = Buffer.from(JSON.stringify({ ...claims, answer: 'approve' })).toString('base64url');
    const other = { ...claims, answer: 'approve' as const };
    for (const [link, why] of [
      [`${forged}.${signature}`, 'signature'],
      [linkToken(other, Buffer.alloc(32)), 'signature'],
      [linkToken({ ...other, expiresAt: Date.now() - 1 }, key), 'expired'],
      [linkToken({ ...other, digest: '0'.repeat(64) }, key), 'No open question'],
      ['hello', 'no answer link'],
    ] as const) {
      const { code, stderr } = await desk.tireless(['answer-link', link]);
      expect([code, stderr]).toEqual([2, expect.stringContaining(why)]);
    }
    const inside = await desk.tireless(['answer-link', approve], { env: { TIRELESS_RUN: run } });
    expect(inside.code).toBe(2);
    expect(branches(desk.remote)).toEqual([]);
    const done = await desk.tireless(['answer-link', approve]);
    expect([done.code, done.stdout]).toEqual([0, expect.stringContaining(push('a').run)]);
    await desk.seen(({ state }: RunView) => state === 'done');
    expect(branches(desk.remote)).toEqual(['a']);
    for (const link of [approve, deny]) {
      const again = await desk.tireless(['answer-link', link]);
      expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('No open question')]);
    }
  });

  it('is not sent unless the person named an address for it', async () => {
    const { url, notes } = await webhook();
    const desk = deskWithRemote({ notifications: { desktop: false, webhook: url } });
    await started(desk, oneTurn(push('a')));
    const note = await until(() => notes[0], 'nobody was told');
    expect(note).not.toHaveProperty('links');
  });
});
