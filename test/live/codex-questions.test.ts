import { describe, expect, it, onTestFinished } from 'vitest';
import { closingLine } from '../../src/core/index.ts';
import { scriptedChat } from '../../src/testkit/models/chat-completions.ts';
import { scriptedResponses } from '../../src/testkit/models/responses.ts';
import { call, say } from '../../src/testkit/models/responses-steps.ts';
import { codexHome } from './kit/codex-home.ts';
import { codex } from './kit/installed.ts';
import { tirelessLab } from './kit/tireless.ts';

async function lab() {
  const model = await scriptedResponses();
  const advisor = await scriptedChat();
  const home = codexHome({ modelUrl: model.url, features: { default_mode_request_user_input: true } });
  onTestFinished(home.remove);
  onTestFinished(model.close);
  onTestFinished(advisor.close);
  const advice = { enabled: true, model: 'openai-compatible:scripted', baseUrl: advisor.url };
  const tireless = tirelessLab(home, codex ?? ['codex'], { advice });
  return { model, advisor, tireless };
}

const asks = (question: string) =>
  call('q', 'request_user_input', {
    questions: [
      {
        id: 'db',
        header: 'Database',
        question,
        options: [
          { label: 'SQLite', description: 'one file' },
          { label: 'PostgreSQL', description: 'a server' },
        ],
      },
    ],
  });

const start = ['run', '--foreground', '--yes', '--check', 'true', 'choose a database'] as const;

describe.skipIf(!codex)('a question of the real Codex', () => {
  it('is answered by the decision model, and the agent hears its words', async () => {
    const { model, advisor, tireless } = await lab();
    advisor.push({ do: 'say', text: '{"answers":[{"id":"db","answer":"sqlite"}],"confidence":0.9}' });
    model.push(asks('Which one shall it be?'), say(closingLine));
    const ended = await tireless.tell(...start);
    expect(ended, ended.out + ended.err).toMatchObject({ code: 0 });
    expect(JSON.stringify(model.requests[1]?.body)).toContain('SQLite');
    const effects = (await tireless.entries()).flatMap((entry) => entry.effects ?? []);
    expect(effects.filter((effect) => effect.type === 'gate-open')).toEqual([]);
    expect(effects.find((effect) => effect.type === 'request-answer')).toMatchObject({ rule: 'tool-input' });
    expect((await tireless.tell('replay')).code).toBe(0);
  });

  it('about a permission is a person’s, whatever the model would say', async () => {
    const { model, advisor, tireless } = await lab();
    model.push(asks('Which one may I delete?'), say(closingLine));
    const run = tireless.start(...start);
    const view = await tireless.until('the question', ({ gates }) => gates.length > 0);
    expect(view).toMatchObject({ state: 'waiting', waitingOn: 'input' });
    expect(advisor.requests).toEqual([]);
    expect((await tireless.tell('answer', view.gates[0]?.id ?? '', 'PostgreSQL')).code).toBe(0);
    const ended = await run.ended;
    expect(ended, ended.out + ended.err).toMatchObject({ code: 0 });
    expect(JSON.stringify(model.requests[1]?.body)).toContain('PostgreSQL');
    expect((await tireless.tell('replay')).code).toBe(0);
  });
});
