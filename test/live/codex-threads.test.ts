import { describe, expect, it, onTestFinished } from 'vitest';
import { codexAgent } from '../../src/edge/agents/codex/adapter.ts';
import { scriptedResponses } from '../../src/testkit/models/responses.ts';
import { hang, say } from '../../src/testkit/models/responses-steps.ts';
import { codexHome } from './kit/codex-home.ts';
import { codex } from './kit/installed.ts';
import { recordingListener } from './kit/recording-listener.ts';

async function lab() {
  const model = await scriptedResponses();
  const home = codexHome({ modelUrl: model.url });
  onTestFinished(home.remove);
  onTestFinished(model.close);
  const agent = codexAgent({
    run: 'run-1',
    cwd: home.workspace,
    env: home.env,
    sandbox: 'danger-full-access',
    command: codex ?? ['codex'],
  });
  const listener = recordingListener();
  const session = await agent.open(listener);
  onTestFinished(() => session.close());
  const resume = async (id: string) => {
    const received = recordingListener();
    const resumed = await agent.resume?.(id, received);
    if (resumed === undefined) throw new Error('codex does not resume');
    onTestFinished(() => resumed.close());
    return { session: resumed, listener: received };
  };
  return { model, session, listener, resume };
}

const seenByModel = (model: { requests: readonly { body: unknown }[] }) =>
  JSON.stringify(model.requests.at(-1)?.body);

describe.skipIf(!codex)('a thread of the real Codex', () => {
  it('is forked: the new one knows what was said, and the old one goes its own way', async () => {
    const { model, session, listener, resume } = await lab();
    model.push(say('Noted: teal.'), say('Nothing new.'), say('Teal, you said.'));
    await session.turn('d1', 'The colour is teal.');
    await listener.received('turn-ended');
    const fork = await session.fork?.();
    expect(fork).not.toBe(session.id);
    await session.turn('d3', 'And here?');
    await listener.received('turn-ended', (event) => event.dispatch === 'd3');
    await session.close();
    const forked = await resume(fork ?? '');
    await forked.session.turn('d2', 'Which colour?');
    expect(await forked.listener.received('turn-ended')).toMatchObject({
      status: 'completed',
      dispatch: 'd2',
    });
    expect(seenByModel(model)).toContain('The colour is teal.');
    expect(seenByModel(model)).not.toContain('And here?');
    expect(await forked.session.find?.('d3')).toEqual({ found: 'absent' });
  });

  it('is compacted when asked, in a turn that is nobody’s dispatch, and works on', async () => {
    const { model, session, listener } = await lab();
    model.push(say('Noted.'), say('A summary.'), say('On we go.'));
    await session.turn('d1', 'Remember teal.');
    await listener.received('turn-ended');
    await session.compact?.();
    await listener.received('compaction-seen');
    const compacting = await listener.received('turn-ended', (event) => event.dispatch !== 'd1');
    expect(compacting).toMatchObject({ status: 'completed' });
    expect(compacting.dispatch).toBeUndefined();
    await session.turn('d2', 'Go on.');
    expect(await listener.received('turn-ended', (event) => event.dispatch === 'd2')).toMatchObject({
      status: 'completed',
      message: { text: 'On we go.' },
    });
  });

  it('is not compacted in the middle of a turn', async () => {
    const { model, session, listener } = await lab();
    model.push(hang());
    await session.turn('d1', 'Think.');
    const { turn } = await listener.received('turn-started');
    await expect(session.compact?.()).rejects.toMatchObject({ failure: { kind: 'refused' } });
    await session.interrupt(turn);
  });

  it('that another process works in is not opened a second time, and neither is disturbed', async () => {
    const { model, session, listener, resume } = await lab();
    model.push(say('one'), hang(), say('three'));
    await session.turn('d1', 'first');
    await listener.received('turn-ended');
    await session.turn('d2', 'second');
    const { turn } = await listener.received('turn-started', (event) => event.dispatch === 'd2');
    await expect(resume(session.id)).rejects.toMatchObject({
      failure: { kind: 'refused', message: expect.stringContaining('another process works in the thread') },
    });
    await session.interrupt(turn);
    expect(await listener.received('turn-ended', (event) => event.dispatch === 'd2')).toMatchObject({
      status: 'interrupted',
    });
    await session.close();
    const later = await resume(session.id);
    await later.session.turn('d3', 'third');
    expect(await later.listener.received('turn-ended')).toMatchObject({
      status: 'completed',
      dispatch: 'd3',
    });
  });
});
