import { type AgentKind, listOf } from '../kind.ts';

export const scripted: AgentKind = {
  name: 'scripted',
  program: null,
  install: 'it is built in: tireless run --agent scripted --script FILE',
  environment: [],
  async make({ self, script = '', log = '' }, { run, cwd, env, tools }) {
    const { scriptedAgent } = await import('./adapter.ts');
    const { toolServerVariable } = await import('./tool-client.ts');
    const toolEnv =
      tools === undefined ? {} : { ...tools.env, [toolServerVariable]: JSON.stringify(tools.command) };
    return scriptedAgent({
      command: [process.execPath, ...listOf(self), 'scripted-agent', script, log],
      cwd,
      env: { ...env, ...toolEnv, TIRELESS_RUN: run },
    });
  },
  doctor: async () => [],
};
