import { describe, expect, it, onTestFinished } from 'vitest';
import { scriptedResponses } from '../../src/testkit/models/responses.ts';
import { refuse } from '../../src/testkit/models/responses-steps.ts';
import { codexHome } from './kit/codex-home.ts';
import { codex } from './kit/installed.ts';
import { tirelessLab } from './kit/tireless.ts';

const start = ['run', '--foreground', '--yes', '--check', 'test -f made.txt', 'make the file'] as const;

describe.skipIf(!codex)('the real Codex that is not logged in', () => {
  it.each([
    ['has no key at all', {}, /SCRIPTED_API_KEY/, 'setup'],
    ['has one that is refused', { SCRIPTED_API_KEY: 'dummy' }, /401|no such key/, 'auth'],
  ])('and %s ends the run as failed at its first turn, and says so', async (_what, key, says, kind) => {
    const model = await scriptedResponses({ otherwise: refuse(401, { error: { message: 'no such key' } }) });
    const home = codexHome({ modelUrl: model.url });
    onTestFinished(home.remove);
    onTestFinished(model.close);
    const { SCRIPTED_API_KEY: _none, ...env } = home.env;
    const tireless = tirelessLab({ ...home, env: { ...env, ...key } }, codex ?? ['codex']);
    const { code, out, err } = await tireless.tell(...start);
    expect(out + err).toMatch(says);
    expect(code, out + err).toBe(1);
    expect(await tireless.view()).toMatchObject({ state: 'failed', cause: `failure:${kind}` });
    expect((await tireless.tell('replay')).code).toBe(0);
  });
});
