import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { codexAgent } from '../../../src/edge/agents/codex/adapter.ts';
import { toolServerConfig } from '../../../src/edge/agents/codex/tool-server.ts';
import { recordingListener } from '../../live/kit/recording-listener.ts';

const fake = resolve(import.meta.dirname, 'fake-server.ts');
const tools = {
  command: ['node', 'tireless.js', 'mcp'],
  env: { TIRELESS_RUN: 'r1' },
  callMs: 1_000,
} as const;

/** A Codex that does with our tools what the scenario says, and what we heard when its session was open. */
async function opened(scenario: string): Promise<string[]> {
  const cwd = mkdtempSync(join(tmpdir(), 'tireless-tools-'));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  const listener = recordingListener();
  const agent = codexAgent({
    run: 'r1',
    cwd,
    env: process.env,
    command: [process.execPath, fake, scenario],
    tools,
    waits: { openMs: scenario === 'forgets our tools' ? 3_000 : 30_000, graceMs: 100 },
  });
  const session = await agent.open(listener);
  await session.close();
  return listener.events.map((event) => (event.type === 'unreadable' ? event.because : event.type));
}

it('our tools are named for the thread alone, with time for a person, and Codex need not ask about them', () => {
  expect(toolServerConfig(tools)).toEqual({
    'mcp_servers.tireless': {
      command: 'node',
      args: ['tireless.js', 'mcp'],
      env: { TIRELESS_RUN: 'r1' },
      enabled: true,
      default_tools_approval_mode: 'approve',
      startup_timeout_sec: 60,
      tool_timeout_sec: 61,
    },
  });
  expect(toolServerConfig(undefined)).toEqual({});
});

it('a Codex whose server of our tools is there says nothing about it', async () => {
  expect(await opened('is well')).toEqual([]);
});

it.each([
  ['has no tools', 'failed: No such file or directory'],
  ['forgets our tools', 'not within 3000 ms'],
])('a Codex that %s works without them, and the ledger says so', async (scenario, why) => {
  expect(await opened(scenario)).toEqual([
    `Codex works without our tools; their server did not start (${why})`,
  ]);
});
