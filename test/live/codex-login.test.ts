import { afterEach, describe, expect, it } from 'vitest';
import { scriptedResponses } from '../../src/testkit/models/responses.ts';
import { refuse } from '../../src/testkit/models/responses-steps.ts';
import { codexHome, installedCodex } from './kit/codex-home.ts';
import { tirelessLab } from './kit/tireless.ts';

const codex = installedCodex();
if (!codex)
  console.warn('Codex is not installed: run `npm run agents:install codex`; its live tests are skipped');

const cleanups: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

const start = ['run', '--foreground', '--yes', '--check', 'test -f made.txt', 'make the file'] as const;

describe.skipIf(!codex)('the real Codex that is not logged in', () => {
  it.each([
    ['has no key at all', {}, /SCRIPTED_API_KEY/, 'setup'],
    ['has one that is refused', { SCRIPTED_API_KEY: 'dummy' }, /401|no such key/, 'auth'],
  ])('and %s ends the run as failed at its first turn, and says so', async (_what, key, says, kind) => {
    const model = await scriptedResponses({ otherwise: refuse(401, { error: { message: 'no such key' } }) });
    const home = codexHome({ modelUrl: model.url });
    cleanups.push(home.remove, model.close);
    const { SCRIPTED_API_KEY: _none, ...env } = home.env;
    const tireless = tirelessLab({ ...home, env: { ...env, ...key } }, codex ?? ['codex']);
    const { code, out, err } = await tireless.tell(...start);
    expect(out + err).toMatch(says);
    expect(code, out + err).toBe(1);
    expect(await tireless.view()).toMatchObject({ state: 'failed', cause: `failure:${kind}` });
    expect((await tireless.tell('replay')).code).toBe(0);
  });
});
