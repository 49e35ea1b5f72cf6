import { describe, expect, it, onTestFinished } from 'vitest';
import { scriptedResponses } from '../../src/testkit/models/responses.ts';
import { refuse } from '../../src/testkit/models/responses-steps.ts';
import { codexHome } from './kit/codex-home.ts';
import { codex } from './kit/installed.ts';
import { tirelessLab } from './kit/tireless.ts';

async function lab(error: object = {}) {
  const model = await scriptedResponses({
    otherwise: refuse(429, { error: { type: 'usage_limit_reached', message: 'limit', ...error } }),
  });
  const home = codexHome({ modelUrl: model.url });
  onTestFinished(home.remove);
  onTestFinished(model.close);
  const tireless = tirelessLab(home, codex ?? ['codex'], {});
  return { model, tireless };
}

const start = ['run', '--foreground', '--yes', '--check', 'test -f made.txt', 'make the file'] as const;
const hourMs = 3_600_000;

describe.skipIf(!codex)('a used-up plan of the real Codex', () => {
  it('is waited out, survives a kill, costs nothing and can be called off', async () => {
    const resetAt = Math.ceil(Date.now() / 60_000) * 60_000 + 2 * hourMs;
    const { model, tireless } = await lab({ plan_type: 'plus', resets_at: resetAt / 1_000 });
    const run = tireless.start(...start);
    const waiting = await tireless.until('the wait', (view) => view.waitingOn === 'usage-limit');
    expect(waiting).toMatchObject({ state: 'waiting', turns: 0, tokens: null });
    expect(waiting.until).toBeGreaterThanOrEqual(resetAt + 120_000 - 60_000);
    expect(waiting.until).toBeLessThan(resetAt + 4 * 60_000);
    run.child.kill('SIGKILL');
    await run.ended;
    const again = tireless.start('resume', '--foreground');
    // A person who resumes cuts the wait short: one more try, which is limited again.
    await tireless.until('the wait again', (view) => {
      return view.waitingOn === 'usage-limit' && view.seq > waiting.seq && model.requests.length === 2;
    });
    expect((await tireless.tell('stop')).code).toBe(0);
    await again.ended;
    expect(await tireless.view()).toMatchObject({ state: 'stopped', turns: 0 });
    expect((await tireless.tell('replay')).code).toBe(0);
  });

  it('that says no reset time is probed for: this account cannot be asked', async () => {
    const { tireless } = await lab();
    const run = tireless.start(...start);
    const view = await tireless.until('the wait', ({ waitingOn }) => waitingOn === 'usage-limit');
    expect(view.because).toContain('no reset time was given');
    expect((await tireless.tell('stop')).code).toBe(0);
    await run.ended;
    expect((await tireless.tell('replay')).code).toBe(0);
  });
});
