import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ChatStep, type ScriptedChat, scriptedChat } from '../../src/testkit/models/chat-completions.ts';
import { type Desk, ownDesk, proof, scripts, withinMs } from '../cli/kit.ts';

const key = 'tk-3fa94c1b77de4f0a';
const env = { TIRELESS_ADVICE_API_KEY: key };
let server: ScriptedChat;
let answer: (about: 'decision' | 'claim') => ChatStep;
beforeEach(async () => {
  server = await scriptedChat({
    choose: ({ body }) => answer(JSON.stringify(body).includes('claims_done') ? 'claim' : 'decision'),
  });
});
afterEach(() => server.close());

const say = (value: unknown): ChatStep => ({ do: 'say', text: JSON.stringify(value) });
const decision = {
  action: 'continue',
  next_input: 'write two.txt',
  reason: 'one is missing',
  confidence: 0.9,
};

function configure(desk: Desk, advice: Record<string, unknown>): void {
  const folder = join(desk.folder, '.config/tireless');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'config.yaml'), JSON.stringify({ advice: { enabled: true, ...advice } }));
}
const toServer = () => ({ model: 'openai-compatible:scripted', baseUrl: server.url });

async function worked(desk: Desk, script: (typeof scripts)['twoFiles' | 'busy'], ...flags: string[]) {
  const { code } = await desk.tireless(desk.run(script, '--foreground', ...proof, ...flags), { env });
  const view = await desk.seen(() => true);
  const entries = await desk.entries(view.id);
  return { code, view, entries, decisions: entries.flatMap((entry) => entry.decision ?? []) };
}

describe('a run with a decision model', { timeout: withinMs }, () => {
  it('asks it after each turn that no rule decides, follows it, and bills what it cost', async () => {
    const desk = ownDesk();
    configure(desk, toServer());
    answer = (about) => say(about === 'claim' ? { claims_done: false, confidence: 1 } : decision);
    const { code, entries, decisions } = await worked(desk, scripts.twoFiles);
    expect(code).toBe(0);
    const advised = decisions.find(({ rule }) => rule === 'advice');
    expect(advised).toMatchObject({
      verdict: 'continue',
      confidence: 0.9,
      advice: { model: 'openai-compatible:scripted', problems: [], claimsDone: false },
    });
    expect(advised?.input?.parts).toContainEqual({ part: 'advised', text: { text: 'write two.txt' } });
    // Two turns of a thousand, and two answers of a hundred.
    expect(decisions.at(-1)?.summary.tokens).toBe(2_200);
    expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${key}`);
    expect(JSON.stringify(entries)).not.toContain(key);
    expect(readFileSync(join(desk.home, 'tireless.db')).includes(key)).toBe(false);
  });

  it('pauses when it says so, or is not sure', async () => {
    const desk = ownDesk();
    configure(desk, toServer());
    answer = () => ({ do: 'say', text: 'Confidence is high! {"action": "continue", "confidence": "high"}' });
    const { view, decisions } = await worked(desk, scripts.twoFiles);
    expect(view).toMatchObject({ state: 'paused', cause: 'advice-unclear' });
    expect(decisions.at(-1)?.advice).toMatchObject({ action: 'continue', confidence: null });
  });

  it('goes on without it for a while when it is down, then pauses', async () => {
    const desk = ownDesk();
    configure(desk, toServer());
    answer = () => ({ do: 'refuse', status: 500, body: `the key ${key} is fine, we are not` });
    const { view, entries } = await worked(desk, scripts.busy);
    expect(view).toMatchObject({ state: 'paused', cause: 'advice-missing', turns: 3 });
    expect(JSON.stringify(entries)).not.toContain(key);
  });

  it('does not wait for a model that hangs when it is told to stop', async () => {
    const desk = ownDesk();
    configure(desk, { ...toServer(), timeoutMs: '10m' });
    answer = () => ({ do: 'hang' });
    const working = desk.start(desk.run(scripts.busy, '--foreground', ...proof), { env });
    await expect.poll(() => server.requests.length, { timeout: withinMs }).toBeGreaterThan(0);
    expect((await desk.tireless(['stop'])).code).toBe(0);
    expect((await working.ended).code).toBe(130);
    expect((await desk.seen(() => true)).state).toBe('stopped');
  });

  it('that names no model is told before, and pauses instead of going on unadvised', async () => {
    const desk = ownDesk();
    configure(desk, {});
    const told = await desk.tireless(['doctor'], { env });
    expect(told.stdout).toContain('advice.model');
    const { view } = await worked(desk, scripts.busy);
    expect(view).toMatchObject({ state: 'paused', cause: 'advice-missing' });
  });
});
