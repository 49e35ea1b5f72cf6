import { expect, it } from 'vitest';
import type { TaskWrite } from '../../src/contract/index.ts';
import { closingLine } from '../../src/core/index.ts';
import { makeStage, type Stage, settled } from './stage.ts';

const write = (stage: Stage, one: TaskWrite): Promise<string> =>
  stage.post({ type: 'task-written', write: one, from: 'agent', by: 'staged' });

it('checks for a task and checks for a claim run one after the other, and nothing waits for them', async () => {
  const stage = await makeStage({}, ['test'], 'autonomous');
  const ends: (() => void)[] = [];
  let [atOnce, most] = [0, 0];
  const { workspace } = stage.deps;
  const check: typeof workspace.check = async (...asked) => {
    atOnce += 1;
    most = Math.max(most, atOnce);
    await new Promise<void>((resolve) => ends.push(resolve));
    atOnce -= 1;
    return workspace.check(...asked);
  };
  const endCheck = async (): Promise<void> => {
    ends.shift()?.();
    for (let n = 0; n < 10; n++) await settled();
  };
  const kept = stage.keep({ workspace: { ...workspace, check } });
  for (let n = 0; n < 10; n++) await settled();
  await endCheck(); // the baseline
  const started = stage.calls.find((call) => call.startsWith('turn '));
  expect(started).toBeDefined();
  const turn = (await stage.entries())
    .map(({ event }) => event)
    .findLast((e) => e.type === 'effect-ended' && e.outcome.of === 'turn-start');
  const name =
    turn?.type === 'effect-ended' && turn.outcome.of === 'turn-start' ? (turn.outcome.turn ?? '') : '';
  await write(stage, { action: 'add', text: 'a' });
  await write(stage, { action: 'update', id: 'tq-1', status: 'done' });
  expect([atOnce, (await stage.view()).state]).toEqual([1, 'running']);
  await stage.say({
    type: 'turn-ended',
    session: 's1',
    turn: name,
    status: 'completed',
    message: { text: closingLine },
  });
  for (let n = 0; n < 10; n++) await settled();
  expect([atOnce, (await stage.view()).state]).toEqual([1, 'verifying']);
  await endCheck();
  expect((await stage.view()).tasks).toMatchObject({ done: 1 });
  expect((await stage.view()).state).toBe('verifying');
  await endCheck();
  expect((await stage.view()).state).not.toBe('verifying');
  expect(most).toBe(1);
  expect(kept.ended).not.toBeInstanceOf(Error);
});
