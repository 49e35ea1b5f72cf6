import { type AgentKind, listOf, type Setup } from '../kind.ts';

export const codex: AgentKind = {
  name: 'codex',
  program: 'codex',
  install: 'npm install -g @openai/codex',
  environment: ['CODEX_HOME'],
  async make(setup, site) {
    const { codexAgent } = await import('./adapter.ts');
    const { model } = setup;
    return codexAgent({ ...site, command: commandOf(setup), model, sandbox: sandboxOf(setup.sandbox) });
  },
  doctor: async (site) => (await import('./doctor.ts')).codexFindings(site, codex.install),
  translateLog: async () => (await import('./translate-log.ts')).logTranslator(),
  async model(written, { setup, ...site }) {
    const { codexModel } = await import('./model.ts');
    return codexModel(written, { ...site, command: commandOf(setup) });
  },
};

const commandOf = ({ command, args }: Setup): [string, ...string[]] => [command ?? 'codex', ...listOf(args)];

const sandboxOf = (name: string | undefined): 'read-only' | 'workspace-write' | 'danger-full-access' =>
  name === 'read-only' ? 'read-only' : name === 'none' ? 'danger-full-access' : 'workspace-write';
