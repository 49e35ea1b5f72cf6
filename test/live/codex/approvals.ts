import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { EffectOf } from '../../../src/contract/index.ts';
import { closingLine } from '../../../src/core/index.ts';
import { call, type ModelOutput, patch, say, together } from '../../../src/testkit/models/responses-steps.ts';
import { type LiveRun, type LiveRunOptions, liveRun } from '../kit/live-run.ts';
import { promptsOf, shown, turnsSeen } from '../kit/model-saw.ts';

const makeIt = call('c1', 'exec_command', { cmd: 'echo made > made.txt' });
const run1 = (id: string, cmd: string): ModelOutput => ({
  out: 'function-call',
  id,
  name: 'exec_command',
  args: JSON.stringify({ cmd }),
});

/** A run whose workspace has somewhere to push to. What is pushed is there for everybody to see. */
async function pushingRun(options: LiveRunOptions = {}): Promise<{ run: LiveRun; pushed: () => string[] }> {
  const run = await liveRun({ checks: ['true'], ...options });
  const remote = join(run.home.folder, 'remote.git');
  const git = (...args: string[]) => execFileSync('git', args, { cwd: run.workspace, encoding: 'utf8' });
  git('init', '-q', '--bare', remote);
  git('remote', 'add', 'origin', remote);
  const pushed = () => git('ls-remote', '--heads', remote).match(/(?<=refs\/heads\/).+/g) ?? [];
  return { run, pushed };
}
const push = (branch: string) => `git push -q origin HEAD:refs/heads/${branch}`;

const asked = (run: LiveRun, count = 1) =>
  run.until(`${count} questions`, (view) => view.gates.length === count && view.state === 'waiting');
const answers = (run: LiveRun): EffectOf<'request-answer'>[] =>
  run.entries().flatMap(({ effects = [] }) => effects.filter((effect) => effect.type === 'request-answer'));

export const approvals = () =>
  describe('an action the real Codex asks about', () => {
    it('under policy: what the guard allows runs at once and says by which rule, the rest waits for a person', async () => {
      const { run, pushed } = await pushingRun();
      run.model.push(makeIt, call('c2', 'exec_command', { cmd: push('work') }), say(closingLine));
      const done = run.work();
      const { gates, waitingOn } = await asked(run);
      expect(waitingOn).toBe('approval');
      expect(gates[0]).toMatchObject({ kind: 'approval', rule: 'git-push' });
      expect(existsSync(join(run.workspace, 'made.txt'))).toBe(true);
      expect(pushed()).toEqual([]);
      await run.approve(gates[0]);
      expect(await done).toMatchObject({ state: 'done', turns: 1 });
      expect(pushed()).toEqual(['work']);
      expect(answers(run).map(({ answer, rule }) => [answer, rule])).toEqual([
        ['approve', 'write'],
        ['approve', 'person'],
      ]);
    });

    it('denied, is not done; the turn goes on, and the model reads why with the next prompt', async () => {
      const { run, pushed } = await pushingRun();
      run.model.push(call('c1', 'exec_command', { cmd: push('work') }), makeIt, say('I went on without it.'));
      const done = run.work();
      const { gates } = await asked(run);
      run.model.push(say(closingLine));
      await run.deny(gates[0], 'the release is on Friday');
      expect(await done).toMatchObject({ state: 'done', turns: 2 });
      expect(pushed()).toEqual([]);
      expect(existsSync(join(run.workspace, 'made.txt'))).toBe(true);
      // Codex has only its own words for it inside the turn.
      expect(shown(run.model, 1)).toContain('rejected');
      expect(shown(run.model, 1)).not.toContain('Friday');
      expect(promptsOf(run.model).at(-1)).toMatch(/## Not allowed[\s\S]+Because: the release is on Friday/);
      expect(turnsSeen(run.model)).toHaveLength(2);
    });

    it('that nobody answers is denied when its time is up, and the model is told so', async () => {
      const { run, pushed } = await pushingRun();
      run.model.push(call('c1', 'exec_command', { cmd: push('work') }), makeIt, say('Without it, then.'));
      const done = run.work();
      const view = await asked(run);
      expect((view.until ?? 0) - (view.gates[0]?.askedAt ?? 0)).toBe(1_800_000);
      run.model.push(say(closingLine));
      run.waitOut(view);
      expect(await done).toMatchObject({ state: 'done', turns: 2 });
      expect(pushed()).toEqual([]);
      expect(promptsOf(run.model).at(-1)).toContain('Because: nobody answered in time');
    });

    it('that nobody answers stops the run where the person wants that: its turn is interrupted', async () => {
      const { run, pushed } = await pushingRun({ policy: { gates: { whenUnanswered: 'stop' } } });
      run.model.push(call('c1', 'exec_command', { cmd: push('work') }));
      const done = run.work();
      run.waitOut(await asked(run));
      expect(await done).toMatchObject({ state: 'stopped', cause: 'unanswered' });
      expect(run.entries().map(({ event }) => event)).toContainEqual(
        expect.objectContaining({ type: 'turn-ended', status: 'interrupted' }),
      );
      expect(pushed()).toEqual([]);
    });

    it('three at once wait together, and each gets its own answer, in whatever order they are given', async () => {
      const { run, pushed } = await pushingRun();
      run.model.push(
        together([run1('a', push('one')), run1('b', push('two')), run1('c', push('three'))]),
        makeIt,
      );
      run.model.push(say('Two of three.'), say(closingLine));
      const done = run.work();
      const { gates } = await asked(run, 3);
      const gateOf = (name: string) => gates.find(({ asks }) => asks.includes(`heads/${name}`));
      await run.approve(gateOf('three'));
      await run.deny(gateOf('one'), 'not this one');
      await run.approve(gateOf('two'));
      expect(await done).toMatchObject({ state: 'done', turns: 2 });
      expect(pushed().toSorted()).toEqual(['three', 'two']);
      expect(promptsOf(run.model).at(-1)).toContain('Because: not this one');
    });

    it('under pause: even what the guard would allow waits, an edit too, with its diff', async () => {
      const run = await liveRun({ policy: { approvals: 'pause' } });
      run.model.push(makeIt);
      run.model.push(
        patch('p1', '*** Begin Patch\n*** Add File: more.txt\n+hello\n*** End Patch\n'),
        say(closingLine),
      );
      const done = run.work();
      const first = await asked(run);
      expect(first.gates[0]).toMatchObject({ action: 'command', rule: 'write' });
      await run.approve(first.gates[0]);
      const second = await run.until('the edit', (view) => view.gates[0]?.action === 'edit');
      expect(second.gates[0]?.asks).toContain('hello');
      expect(existsSync(join(run.workspace, 'more.txt'))).toBe(false);
      await run.approve(second.gates[0]);
      expect(await done).toMatchObject({ state: 'done' });
      expect(readFileSync(join(run.workspace, 'more.txt'), 'utf8')).toBe('hello\n');
    });

    it('under never-ask: it runs unasked, but what is on the never list still waits', async () => {
      const { run, pushed } = await pushingRun({ policy: { approvals: 'never-ask' } });
      run.model.push(call('c1', 'exec_command', { cmd: push('work') }));
      run.model.push(
        call('c2', 'exec_command', { cmd: 'git push -f origin HEAD:refs/heads/main' }),
        say(closingLine),
      );
      const done = run.work();
      const { gates } = await asked(run);
      expect(gates[0]).toMatchObject({ never: true, rule: 'force-push' });
      expect(pushed()).toEqual(['work']);
      await run.approve(gates[0]);
      expect(await done).toMatchObject({ state: 'done' });
      expect(pushed().toSorted()).toEqual(['main', 'work']);
      expect(answers(run).map(({ rule }) => rule)).toEqual(['never-ask', 'person']);
    });

    it('approved by its shape, is not asked about again in this run, and each use is counted', async () => {
      const { run, pushed } = await pushingRun();
      run.model.push(
        call('c1', 'exec_command', { cmd: push('one') }),
        call('c2', 'exec_command', { cmd: push('two') }),
      );
      run.model.push(say(closingLine));
      const done = run.work();
      const { gates } = await asked(run);
      expect(gates[0]?.shapes).toEqual(['git push -q']);
      await run.approve(gates[0], { shape: true });
      expect(await done).toMatchObject({
        state: 'done',
        turns: 1,
        shapes: [{ shape: 'git push -q', times: 1 }],
      });
      expect(pushed().toSorted()).toEqual(['one', 'two']);
    });

    it('three denials in one turn are an unsafe context: the run pauses', async () => {
      const { run } = await pushingRun();
      const tries = ['one', 'two', 'three'];
      run.model.push(
        ...tries.map((name) => call(name, 'exec_command', { cmd: push(name) })),
        say('Nothing works.'),
      );
      const done = run.work();
      for (const name of tries) {
        const { gates } = await run.until(
          name,
          (view) => view.gates[0]?.asks.includes(`heads/${name}`) === true,
        );
        await run.deny(gates[0], 'no');
      }
      expect(await done).toMatchObject({ state: 'paused', cause: 'unsafe' });
    });

    it('that destroys work is done only after a savepoint of it', async () => {
      const run = await liveRun({ checks: ['true'], files: { 'notes.txt': 'old\n' } });
      writeFileSync(join(run.workspace, 'notes.txt'), 'never committed\n');
      run.model.push(call('c1', 'exec_command', { cmd: 'git reset -q --hard' }), say(closingLine));
      const done = run.work();
      const { gates } = await asked(run);
      expect(gates[0]).toMatchObject({ rule: 'git-discard', destructive: true });
      await run.approve(gates[0]);
      expect(await done).toMatchObject({ state: 'done' });
      expect(readFileSync(join(run.workspace, 'notes.txt'), 'utf8')).toBe('old\n');
      const [kept] = await run.savepoints();
      expect(kept).toBeDefined();
      await run.restore(kept?.name ?? '');
      expect(readFileSync(join(run.workspace, 'notes.txt'), 'utf8')).toBe('never committed\n');
    });
  });
