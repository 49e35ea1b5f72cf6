import { describe, expect, it } from 'vitest';
import type { AgentSession } from '../../src/contract/index.ts';
import { ledgerRun, treeOf } from '../../src/testkit/ledger-run.ts';
import { item } from './cycle-kit.ts';
import { makeStage, pass, type Stage, settled } from './stage.ts';

const person = (stage: Stage, ask: 'pause' | 'stop' | 'resume') =>
  stage.post({ type: 'person-asked', ask, now: true, by: 'me' });

/** The methods of a session that outlives its keeper. */
const outliving = (stage: Stage): Partial<AgentSession> => ({
  find: async () => ({ found: 'running', turn: 't2' }),
  detach: async () => void stage.calls.push('detach'),
});

describe('a session that outlives its keeper', () => {
  const begun = async (): Promise<Stage> => {
    const stage = await makeStage();
    stage.acting = outliving(stage);
    return stage;
  };

  it('is left by a pause and by a keeper that goes, and closed by a stop', async () => {
    const stage = await begun();
    const going = new AbortController();
    const first = stage.keep({}, going.signal);
    await settled();
    going.abort();
    await first.result;
    expect(stage.calls).toContain('detach');
    expect(stage.calls).not.toContain('close');
    const second = stage.keep();
    await settled();
    expect(stage.calls.filter((call) => call === 'open')).toHaveLength(2);
    await person(stage, 'pause');
    await stage.say({ type: 'turn-ended', session: 's1', turn: 't2', status: 'interrupted' });
    await second.result;
    expect((await stage.view()).state).toBe('paused');
    expect(stage.calls.filter((call) => call === 'detach')).toHaveLength(2);
    await person(stage, 'stop');
    await stage.keep().result;
    expect((await stage.view()).state).toBe('stopped');
    expect(stage.calls.filter((call) => call === 'close')).toHaveLength(1);
  });

  it('is closed by a stop while it is attached', async () => {
    const stage = await begun();
    const kept = stage.keep();
    await settled();
    await person(stage, 'stop');
    await stage.say({ type: 'turn-ended', session: 's1', turn: 't2', status: 'interrupted' });
    await kept.result;
    expect(stage.calls).toContain('close');
    expect(stage.calls).not.toContain('detach');
  });
});

it('an answer reaches the agent under the id its session goes by now', async () => {
  const stage = await makeStage();
  stage.keep();
  await settled();
  await stage.say({ type: 'session-changed', session: 's1', to: 's2', because: 'clear' });
  const action = { kind: 'command' as const, rendered: { text: 'rm -rf /' }, digest: 'a'.repeat(64) };
  await stage.say({ type: 'approval-asked', session: 's2', turn: 't2', request: 'q1', action });
  const [gate] = (await stage.view()).gates;
  await stage.post({ type: 'gate-answered', gate: gate?.id ?? '', answer: 'deny', by: 'me' });
  expect(stage.calls).toContain('deny q1');
});

it('words to an agent that was said to be steered, and cannot be, come with the next prompt', async () => {
  const stage = await makeStage();
  const prompts: string[] = [];
  stage.acting = {
    turn: async (dispatch, prompt) => {
      stage.calls.push(`turn ${dispatch}`);
      prompts.push(prompt);
      return { turn: `t${prompts.length}` };
    },
  };
  stage.keep();
  await settled();
  await stage.post({ type: 'steer-given', text: { text: 'mind the docs' }, by: 'me' });
  stage.tree = { tree: treeOf('a'), head: null };
  await stage.say({ type: 'turn-ended', session: 's1', turn: 't1', status: 'completed' });
  await pass(stage, 10_000);
  expect(prompts[1]).toContain('mind the docs');
});

describe('the summary behind a decision', () => {
  it('holds the steps of the plan, what the turn changed and its items by kind', () => {
    const r = ledgerRun();
    r.launch();
    const turn = r.started();
    const steps = [
      { text: 'the lexer', status: 'done' as const },
      { text: 'the parser', status: 'active' as const },
    ];
    const plan = { digest: '1'.repeat(64), done: 1, total: 2, steps };
    r.onEvent({ type: 'plan-changed', session: 's1', turn, ...plan });
    item(r, 'npm test');
    item(r, 'npm run lint');
    r.onEvent({ type: 'turn-ended', session: 's1', turn, status: 'completed' });
    const diff = { files: 1, added: 2, removed: 3, paths: ['a.ts'] };
    const tree = { tree: treeOf('t1'), head: null };
    const entry = r.outcome('tree-read', { of: 'tree-read', tree, diff });
    expect(entry.decision?.summary).toMatchObject({
      plan: '1/2',
      planSteps: ['done: the lexer', 'active: the parser'],
      diff,
      itemKinds: { command: 2 },
    });
    expect(r.run().plan?.steps).toEqual(steps);
  });
});
