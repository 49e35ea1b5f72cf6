import { describe, expect, it, onTestFinished } from 'vitest';
import { cleanLine, closingLine } from '../../src/core/index.ts';
import { type ModelRequest, scriptedResponses } from '../../src/testkit/models/responses.ts';
import { call, hang, say } from '../../src/testkit/models/responses-steps.ts';
import { codexHome } from './kit/codex-home.ts';
import { codex } from './kit/installed.ts';
import { commit } from './kit/live-run.ts';
import { tirelessLab } from './kit/tireless.ts';

async function lab(review: string) {
  const model = await scriptedResponses();
  const home = codexHome({ modelUrl: model.url });
  onTestFinished(home.remove);
  onTestFinished(model.close);
  commit(home.workspace, { 'README.md': 'an empty project\n' });
  const tireless = tirelessLab(home, codex ?? ['codex'], { review, approvals: 'policy' });
  return { model, tireless };
}

/** What a reviewer of Codex answers: JSON, which Codex renders to a text. */
const verdict = (explanation: string, findings: readonly string[]) =>
  say(
    JSON.stringify({
      findings: findings.map((title) => ({
        title: `[P1] ${title}`,
        body: 'The file is empty.',
        confidence_score: 0.9,
        priority: 1,
        code_location: { absolute_file_path: '/made.txt', line_range: { start: 1, end: 1 } },
      })),
      overall_correctness: findings.length > 0 ? 'patch is incorrect' : 'patch is correct',
      overall_explanation: explanation,
      overall_confidence_score: 0.9,
    }),
  );

const lastPrompt = (request: ModelRequest | undefined): string => {
  const input =
    (request?.body as { input?: { role?: string; content?: { text?: string }[] }[] })?.input ?? [];
  return (
    input
      .filter((item) => item.role === 'user')
      .at(-1)
      ?.content?.map((part) => part.text ?? '')
      .join('') ?? ''
  );
};

const start = ['run', '--foreground', '--yes', '--check', 'test -f made.txt', 'make the file'] as const;

describe.skipIf(!codex)('a review by the real Codex', () => {
  it('before completion gives its findings to the agent, and a clean one ends the run', async () => {
    const { model, tireless } = await lab('before-completion');
    model.push(
      call('c1', 'exec_command', { cmd: 'touch made.txt' }),
      say(closingLine),
      verdict('One bug found.', ['The file is empty']),
      call('c2', 'exec_command', { cmd: 'echo made > made.txt' }),
      say(closingLine),
      verdict(`Nothing to mend.\n${cleanLine}`, []),
    );
    const ended = await tireless.tell(...start);
    expect(ended, ended.out + ended.err).toMatchObject({ code: 0 });
    expect(await tireless.view()).toMatchObject({ state: 'done', cause: 'certified', turns: 4 });
    expect(lastPrompt(model.requests[2])).toContain('make the file');
    expect(lastPrompt(model.requests[3])).toContain('- [P1] The file is empty');
    const entries = await tireless.entries();
    const decided = entries.flatMap((entry) => entry.decision?.rule ?? []);
    expect(decided).toEqual([
      ...['take-baseline', 'continue', 'verify-claim', 'review-first'],
      ...['continue', 'verify-claim', 'review-first', 'certified'],
    ]);
    // Both of the review's ids are one turn to us: none of it is somebody else's.
    expect(entries.filter((entry) => entry.event.type === 'turn-started')).toHaveLength(4);
    for (const { event } of entries) if (event.type === 'turn-started') expect(event.dispatch).toBeDefined();
    expect((await tireless.tell('replay')).code).toBe(0);
  });

  it('that is stopped by the person ends, under the id only Codex uses for it', async () => {
    const { model, tireless } = await lab('before-completion');
    model.push(call('c1', 'exec_command', { cmd: 'touch made.txt' }), say(closingLine), hang());
    const run = tireless.start(...start);
    await tireless.until('the review', () => model.requests.length === 3);
    expect((await tireless.tell('stop', '--now')).code).toBe(0);
    await run.ended;
    expect(await tireless.view()).toMatchObject({ state: 'stopped' });
    const entries = await tireless.entries();
    const ends = entries.filter((entry) => entry.event.type === 'turn-ended');
    expect(ends.at(-1)?.event).toMatchObject({ status: 'interrupted' });
    expect((await tireless.tell('replay')).code).toBe(0);
  });

  it('that is killed with Tireless is asked for again, and nothing else is', async () => {
    const { model, tireless } = await lab('before-completion');
    model.push(call('c1', 'exec_command', { cmd: 'touch made.txt' }), say(closingLine), hang());
    const run = tireless.start(...start);
    await tireless.until('the review', () => model.requests.length === 3);
    run.child.kill('SIGKILL');
    await run.ended;
    model.push(verdict(cleanLine, []));
    const resumed = await tireless.tell('resume', '--foreground');
    expect(resumed, resumed.out + resumed.err).toMatchObject({ code: 0 });
    const started = (await tireless.entries()).flatMap((entry) => entry.effects ?? []);
    expect(started.filter((effect) => effect.type === 'turn-start')).toHaveLength(1);
    expect(started.filter((effect) => effect.type === 'review-start')).toHaveLength(2);
    expect(await tireless.view()).toMatchObject({ state: 'done', cause: 'certified' });
    expect((await tireless.tell('replay')).code).toBe(0);
  });
});
