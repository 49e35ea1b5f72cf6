import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { codexHome } from '../../live/kit/codex-home.ts';
import { tirelessLab } from '../../live/kit/tireless.ts';

const fakeServer = fileURLToPath(new URL('./fake-server.ts', import.meta.url));
const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** A run with a Codex that is not as it should be, through the command line as people have it. */
async function runWith(...command: [string, ...string[]]) {
  const home = codexHome({ modelUrl: 'http://127.0.0.1:9/v1' });
  folders.push(home.folder);
  const tireless = tirelessLab(home, command, {
    agent: { name: 'codex', command: command[0], args: command.slice(1) },
  });
  const start = ['run', '--foreground', '--yes', '--check', 'true', 'make it work'] as const;
  const { code, out, err } = await tireless.tell(...start);
  return { code, said: out + err, tireless };
}
const fake = (scenario: string) => runWith(process.execPath, fakeServer, scenario);

describe('a run with a Codex', () => {
  it('that is not installed has failed, and says how to install it', async () => {
    const { code, said, tireless } = await runWith('no-such-codex');
    expect(said).toContain('npm install -g @openai/codex');
    expect(code).toBe(1);
    const runs = JSON.parse((await tireless.tell('runs', '--json')).out) as { state: string }[];
    expect(runs.every(({ state }) => state === 'failed')).toBe(true);
  });

  it.each([
    ['exits at start', 'exits', 'Error: config.toml:3: unknown key'],
    ['is too old', 'is old', 'this is Codex 0.42.0; we test with 0.166.0'],
    ['would not ask before it acts', 'asks less', 'told to ask as untrusted'],
  ])('that %s has failed, with its reason', async (_what, scenario, message) => {
    const { code, said, tireless } = await fake(scenario);
    expect(said).toContain(message);
    expect(code).toBe(1);
    expect(await tireless.view()).toMatchObject({ state: 'failed', cause: 'failure:setup' });
    expect((await tireless.tell('replay')).code).toBe(0);
  });

  it.each([
    ['a line that is no message', 'babbles', 'not JSON'],
    ['a frame over 64 MB', 'says too much', 'at most 67108864 are read'],
  ])(
    'that says %s is worked with: the ledger names it, the run goes on',
    async (_what, scenario, because) => {
      const { code, said, tireless } = await fake(scenario);
      expect(code, said).toBe(0);
      const told = (await tireless.entries()).filter(({ event }) => event.type === 'unreadable');
      expect(told.length).toBeGreaterThan(0);
      expect(told[0]?.event).toMatchObject({ because: expect.stringContaining(because) });
      expect((await tireless.tell('replay')).code).toBe(0);
    },
  );
});
