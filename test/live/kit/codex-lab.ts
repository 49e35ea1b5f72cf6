import { onTestFinished } from 'vitest';
import type { AgentSession } from '../../../src/contract/index.ts';
import { type CodexOptions, codexAgent } from '../../../src/edge/agents/codex/adapter.ts';
import {
  type ScriptedResponses,
  type ScriptedResponsesOptions,
  scriptedResponses,
} from '../../../src/testkit/models/responses.ts';
import { type CodexHome, type CodexHomeOptions, codexHome, installedCodex } from './codex-home.ts';
import { type Hearsay, hearsay } from './ears.ts';

export interface Opened {
  readonly ears: Hearsay;
  readonly session: AgentSession;
}

/** The real Codex and its scripted model, without a run around it. */
export interface CodexLab {
  readonly model: ScriptedResponses;
  readonly home: CodexHome;
  open(options?: Partial<CodexOptions>): Promise<Opened>;
  /** The same conversation in a new process, with new ears. */
  resume(session: string, options?: Partial<CodexOptions>): Promise<Opened>;
}

export async function codexLab(
  options: Partial<CodexHomeOptions> = {},
  script?: ScriptedResponsesOptions,
): Promise<CodexLab> {
  const model = await scriptedResponses(script);
  onTestFinished(() => model.close());
  const home = codexHome({ modelUrl: model.url, ...options });
  onTestFinished(() => home.remove());
  const agentWith = (more: Partial<CodexOptions>) =>
    codexAgent({
      ...{ run: 'run-1', cwd: home.workspace, env: home.env, command: installedCodex() ?? ['codex'] },
      ...{ sandbox: 'danger-full-access', ...more },
    });
  const opened = (session: AgentSession, ears: Hearsay): Opened => {
    onTestFinished(() => session.close());
    return { session, ears };
  };
  return {
    ...{ model, home },
    async open(more = {}) {
      const ears = hearsay();
      return opened(await agentWith(more).open(ears), ears);
    },
    async resume(id, more = {}) {
      const ears = hearsay();
      const session = await agentWith(more).resume?.(id, ears);
      if (session === undefined) throw new Error('codex does not resume');
      return opened(session, ears);
    },
  };
}
