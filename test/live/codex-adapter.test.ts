import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { AgentSession } from '../../src/contract/index.ts';
import { codexAgent } from '../../src/edge/agents/codex/adapter.ts';
import { livingTree, stillLives } from '../../src/edge/agents/shared/process-tree.ts';
import { processStart } from '../../src/edge/lock.ts';
import {
  type ModelRequest,
  type ScriptedModel,
  type ScriptedModelOptions,
  scriptedResponses,
} from '../../src/testkit/models/responses.ts';
import { call, hang, patch, refuse, say } from '../../src/testkit/models/responses-steps.ts';
import { type CodexHome, type CodexHomeOptions, codexHome } from './kit/codex-home.ts';
import { codex } from './kit/installed.ts';
import { type RecordingListener, recordingListener } from './kit/recording-listener.ts';

interface Lab {
  readonly model: ScriptedModel;
  readonly home: CodexHome;
  readonly listener: RecordingListener;
  readonly session: AgentSession;
  /** The same conversation in a new process, with a new listener. */
  again(): Promise<{ listener: RecordingListener; session: AgentSession }>;
}

async function lab(options: Partial<CodexHomeOptions> = {}, script?: ScriptedModelOptions): Promise<Lab> {
  const model = await scriptedResponses(script);
  const home = codexHome({ modelUrl: model.url, ...options });
  onTestFinished(home.remove);
  onTestFinished(model.close);
  const agent = codexAgent({
    run: 'run-1',
    cwd: home.workspace,
    env: home.env,
    command: codex ?? ['codex'],
    sandbox: 'danger-full-access',
  });
  const listener = recordingListener();
  const session = await agent.open(listener);
  onTestFinished(() => session.close());
  return {
    model,
    home,
    listener,
    session,
    again: async () => {
      const newEars = recordingListener();
      const resumed = await agent.resume?.(session.id, newEars);
      if (!resumed) throw new Error('codex does not resume');
      onTestFinished(() => resumed.close());
      return { listener: newEars, session: resumed };
    },
  };
}

const toolsOf = (model: ScriptedModel) => {
  const body = model.requests[0]?.body as { tools?: { name?: string }[] } | undefined;
  return (body?.tools ?? []).map((tool) => tool.name);
};
const seenByModel = (model: ScriptedModel) => JSON.stringify(model.requests.at(-1)?.body);

describe.skipIf(!codex)('the real Codex behind the adapter', () => {
  it('takes a prompt, answers, tells its use, and is found again by its dispatch', async () => {
    const { model, listener, session } = await lab();
    expect(await session.find?.('dispatch-1')).toEqual({ found: 'absent' });
    model.push(say('All good.', { usage: { input: 100, cached: 20, output: 9 } }));
    const { turn } = await session.turn('dispatch-1', 'Hello');
    expect(await listener.received('turn-ended')).toEqual({
      type: 'turn-ended',
      session: session.id,
      turn,
      dispatch: 'dispatch-1',
      status: 'completed',
      message: { text: 'All good.' },
    });
    expect(listener.events.map((event) => event.type)).toEqual([
      'turn-started',
      'item-ended',
      'usage-reported',
      'turn-ended',
    ]);
    expect(listener.events[2]).toMatchObject({ usage: { totalTokens: 109, cachedInputTokens: 20 } });
    expect(await session.find?.('dispatch-1')).toEqual({
      found: 'ended',
      turn,
      status: 'completed',
      message: { text: 'All good.' },
    });
    expect(await session.find?.('dispatch-2')).toEqual({ found: 'absent' });
  });

  it('offers our status tool and the plan, and no goals of its own', async () => {
    const { model, listener, session } = await lab();
    model.push(
      call('c1', 'update_plan', { plan: [{ step: 'one', status: 'in_progress' }] }),
      call('c2', 'report_status', { status: 'done', evidence: 'npm test passes' }),
      say('finished'),
    );
    await session.turn('dispatch-1', 'Work');
    await listener.received('turn-ended');
    expect(await listener.received('plan-changed')).toMatchObject({ done: 0, total: 1, current: 'one' });
    expect(await listener.received('status-reported')).toMatchObject({
      status: 'done',
      text: { text: 'npm test passes' },
    });
    expect(toolsOf(model)).toEqual(expect.arrayContaining(['report_status', 'update_plan']));
    expect(toolsOf(model).join()).not.toContain('goal');
    expect(seenByModel(model)).toContain('Recorded: done.');
  });

  it('asks before every command and edit, does what is approved, and goes on without what is denied', async () => {
    const { model, home, listener, session } = await lab();
    model.push(
      call('c1', 'exec_command', { cmd: 'touch approved.txt' }),
      call('c2', 'exec_command', { cmd: 'touch denied.txt' }),
      patch('p1', '*** Begin Patch\n*** Add File: patched.txt\n+hello\n*** End Patch\n'),
      say('went on'),
    );
    await session.turn('dispatch-1', 'Touch two files');
    const one = await listener.received('approval-asked', ({ action }) =>
      action.rendered.text.includes('approved.txt'),
    );
    expect(one.action).toMatchObject({ kind: 'command', cwd: home.workspace });
    expect(await session.find?.('dispatch-1')).toMatchObject({ found: 'running' });
    await session.answer(one.request, { answer: 'approve', because: 'harmless' });
    const two = await listener.received('approval-asked', ({ action }) =>
      action.rendered.text.includes('denied.txt'),
    );
    await session.answer(two.request, { answer: 'deny', because: 'not today' });
    const three = await listener.received('approval-asked', ({ action }) => action.kind === 'edit');
    expect(three.action.paths).toEqual([join(home.workspace, 'patched.txt')]);
    await session.answer(three.request, { answer: 'approve', because: 'harmless' });

    expect(await listener.received('turn-ended')).toMatchObject({
      status: 'completed',
      message: { text: 'went on' },
    });
    expect(existsSync(join(home.workspace, 'approved.txt'))).toBe(true);
    expect(existsSync(join(home.workspace, 'denied.txt'))).toBe(false);
    expect(readFileSync(join(home.workspace, 'patched.txt'), 'utf8')).toBe('hello\n');
    const outcomes = listener.events.flatMap((event) =>
      event.type === 'item-ended' && event.kind !== 'message' ? [`${event.kind} ${event.outcome}`] : [],
    );
    expect(outcomes).toEqual(['command ok', 'command declined', 'edit ok']);
    expect(listener.events.map((event) => event.type)).not.toContain('request-withdrawn');
    await expect(session.answer(two.request, { answer: 'approve', because: 'too late' })).rejects.toThrow(
      'does not wait',
    );
  });

  it('passes a question on and the answer back', async () => {
    const { model, listener, session } = await lab({ features: { default_mode_request_user_input: true } });
    const options = [
      { label: 'Red', description: 'warm' },
      { label: 'Blue', description: 'cold' },
    ];
    model.push(
      call('q', 'request_user_input', {
        questions: [{ id: 'colour', header: 'Colour', question: 'Which?', options }],
      }),
      say('thanks'),
    );
    await session.turn('dispatch-1', 'Ask me');
    const asked = await listener.received('input-asked');
    expect(asked.questions).toMatchObject([{ id: 'colour', options: ['Red', 'Blue'] }]);
    await session.answer(asked.request, { answer: 'text', because: 'the person said so', text: 'Blue' });
    await listener.received('turn-ended');
    expect(seenByModel(model)).toContain('Blue');
  });

  it('is interrupted even before its turn has begun, and refuses a second turn meanwhile', async () => {
    const choose = ({ body }: ModelRequest) =>
      JSON.stringify(body).includes('Go on') ? say('back') : hang();
    const { listener, session } = await lab({}, { choose });
    const { turn = '' } = await session.turn('dispatch-1', 'Think for ever');
    const interrupted = session.interrupt(turn);
    await listener.received('turn-started');
    await expect(session.turn('dispatch-2', 'And this')).rejects.toThrow('already running');
    await interrupted;
    expect(await listener.received('turn-ended')).toMatchObject({
      turn,
      status: 'interrupted',
      dispatch: 'dispatch-1',
    });
    await session.turn('dispatch-3', 'Go on');
    expect(await listener.received('turn-ended', ({ dispatch }) => dispatch === 'dispatch-3')).toMatchObject({
      status: 'completed',
    });
  });

  it('leaves no command running behind an interrupt', async () => {
    const { model, listener, session } = await lab();
    model.push(
      call('c1', 'exec_command', { cmd: 'exec sleep 600', yield_time_ms: 250 }),
      hang('waiting for it'),
    );
    const { turn = '' } = await session.turn('dispatch-1', 'Sleep');
    const asked = await listener.received('approval-asked');
    await session.answer(asked.request, { answer: 'approve', because: 'harmless' });
    await expect
      .poll(() => listener.frames.map((frame) => frame.text).join(''), { timeout: 20_000 })
      .toContain('waiting');
    const commands = () => commandsBelow(listener.pids[0]);
    expect(commands()).toContain('sleep 600');
    await session.interrupt(turn);
    expect(await listener.received('turn-ended')).toMatchObject({ status: 'interrupted' });
    await expect.poll(commands, { timeout: 10_000 }).not.toContain('sleep 600');
  });

  it('takes a steering word into the running turn', async () => {
    const { model, listener, session } = await lab();
    model.push(call('c1', 'exec_command', { cmd: 'touch x' }), say('steered'));
    const { turn = '' } = await session.turn('dispatch-1', 'Work');
    const asked = await listener.received('approval-asked');
    await session.steer?.(turn, 'dispatch-2', 'Use tabs');
    await session.answer(asked.request, { answer: 'approve', because: 'harmless' });
    await listener.received('turn-ended');
    expect(seenByModel(model)).toContain('Use tabs');
    expect(await session.find?.('dispatch-2')).toMatchObject({ found: 'ended', turn });
    expect(listener.events.filter((event) => event.type === 'item-ended' && event.kind === 'person')).toEqual(
      [],
    );
  });

  it('killed in the middle of an approval, resumes: the turn is found, and the same wish has the same digest', async () => {
    const { model, home, listener, session, again } = await lab();
    model.push(say('ready'), call('c1', 'exec_command', { cmd: 'touch wanted.txt' }));
    await session.turn('dispatch-1', 'Get ready');
    await listener.received('turn-ended');
    const { turn } = await session.turn('dispatch-2', 'Touch it');
    const asked = await listener.received('approval-asked');
    process.kill(-(listener.pids[0] ?? 0), 'SIGKILL');
    expect(await listener.received('session-ended')).toMatchObject({
      session: session.id,
      failure: { kind: 'crashed' },
    });
    expect(listener.events.filter((event) => event.type === 'turn-ended')).toHaveLength(1);
    await expect(session.turn('dispatch-3', 'Anyone there?')).rejects.toThrow('Codex ended by SIGKILL');

    const next = await again();
    expect(next.session.id).toBe(session.id);
    expect(await next.session.find?.('dispatch-2')).toEqual({ found: 'ended', turn, status: 'interrupted' });
    expect(await next.session.find?.('dispatch-3')).toEqual({ found: 'absent' });
    await expect(next.session.answer(asked.request, { answer: 'approve', because: 'late' })).rejects.toThrow(
      'does not wait',
    );
    model.push(call('c2', 'exec_command', { cmd: 'touch wanted.txt' }), say('touched'));
    await next.session.turn('dispatch-4', 'Look at the state of the work first');
    const askedAgain = await next.listener.received('approval-asked');
    expect(askedAgain.action.digest).toBe(asked.action.digest);
    expect(askedAgain.request).not.toBe(asked.request);
    await next.session.answer(askedAgain.request, { answer: 'approve', because: 'as before' });
    expect(await next.listener.received('turn-ended')).toMatchObject({
      dispatch: 'dispatch-4',
      status: 'completed',
    });
    expect(existsSync(join(home.workspace, 'wanted.txt'))).toBe(true);
  });

  it('says that a conversation is gone when it never had a turn', async () => {
    const { session, again } = await lab();
    await session.close();
    await expect(again()).rejects.toMatchObject({ failure: { kind: 'gone' } });
  });

  it('fails the turn, and not the session, when the model is away or refuses', async () => {
    const { model, listener, session } = await lab();
    model.push(
      refuse(429, {
        error: { type: 'usage_limit_reached', message: 'limit', plan_type: 'plus', resets_at: 1_900_000_000 },
      }),
    );
    await session.turn('dispatch-1', 'Work');
    const limited = await listener.received('turn-ended');
    expect(limited).toMatchObject({ status: 'failed', failure: { kind: 'usage-limit' } });
    expect(Math.abs((limited.failure?.resetAt ?? 0) - 1_900_000_000_000)).toBeLessThan(60_000);
    await model.close();
    await session.turn('dispatch-2', 'Work');
    expect(await listener.received('turn-ended', ({ dispatch }) => dispatch === 'dispatch-2')).toMatchObject({
      status: 'failed',
      failure: { kind: 'unreachable' },
    });
  });

  it('takes everything it started with it when it is closed', async () => {
    const { model, home, listener, session } = await lab();
    model.push(
      call('c1', 'exec_command', {
        cmd: '(setsid sleep 601 &) ; touch begun; exec sleep 602',
        yield_time_ms: 30_000,
      }),
    );
    await session.turn('dispatch-1', 'Sleep');
    const asked = await listener.received('approval-asked');
    await session.answer(asked.request, { answer: 'approve', because: 'harmless' });
    await expect.poll(() => existsSync(join(home.workspace, 'begun')), { timeout: 20_000 }).toBe(true);
    const [pid = 0] = listener.pids;
    const start = processStart(pid);
    const tree = livingTree({ pid, start });
    const strays = livingTree({ pid: -1, start: null, mark: markOf(pid) }).filter(
      (one) => !tree.some(({ pid }) => pid === one.pid),
    );
    expect(tree.length).toBeGreaterThan(1);
    expect(strays.length).toBeGreaterThan(0);
    await session.close();
    expect(livingTree({ pid, start })).toEqual([]);
    expect([...tree, ...strays].filter(stillLives)).toEqual([]);
    expect(listener.events.map((event) => event.type)).not.toContain('session-ended');
  });
});

function commandsBelow(pid = 0): string[] {
  return livingTree({ pid, start: processStart(pid) }).map((one) =>
    readFileSync(`/proc/${one.pid}/cmdline`, 'utf8').split('\0').join(' ').trim(),
  );
}

/** The mark by which a child's processes are told even after they have left its group and its ancestry. */
function markOf(pid: number): string {
  const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  return environment.find((entry) => entry.startsWith('TIRELESS_CHILD=')) ?? '';
}
