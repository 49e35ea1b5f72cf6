import { onTestFinished } from 'vitest';
import type { AgentSession } from '../../../src/contract/index.ts';
import { codexAgent } from '../../../src/edge/agents/codex/adapter.ts';
import type { CodexOptions } from '../../../src/edge/agents/codex/options.ts';
import {
  type ScriptedModel,
  type ScriptedModelOptions,
  scriptedResponses,
} from '../../../src/testkit/models/responses.ts';
import { type CodexHome, type CodexHomeOptions, codexHome, installedCodex } from './codex-home.ts';
import { type RecordingListener, recordingListener } from './recording-listener.ts';

export interface Opened {
  readonly listener: RecordingListener;
  readonly session: AgentSession;
}

/** The real Codex and its scripted model, without a run around it. */
export interface CodexLab {
  readonly model: ScriptedModel;
  readonly home: CodexHome;
  open(options?: Partial<CodexOptions>): Promise<Opened>;
  /** The same conversation in a new process, with a new listener. */
  resume(session: string, options?: Partial<CodexOptions>): Promise<Opened>;
}

export async function codexLab(
  options: Partial<CodexHomeOptions> = {},
  script?: ScriptedModelOptions,
): Promise<CodexLab> {
  const model = await scriptedResponses(script);
  onTestFinished(() => model.close());
  const home = codexHome({ modelUrl: model.url, ...options });
  onTestFinished(() => home.remove());
  const agentWith = (more: Partial<CodexOptions>) =>
    codexAgent({
      run: 'run-1',
      cwd: home.workspace,
      env: home.env,
      command: installedCodex() ?? ['codex'],
      sandbox: 'danger-full-access',
      ...more,
    });
  const opened = (session: AgentSession, listener: RecordingListener): Opened => {
    onTestFinished(() => session.close());
    return { session, listener };
  };
  return {
    model,
    home,
    async open(more = {}) {
      const listener = recordingListener();
      return opened(await agentWith(more).open(listener), listener);
    },
    async resume(id, more = {}) {
      const listener = recordingListener();
      const session = await agentWith(more).resume?.(id, listener);
      if (session === undefined) throw new Error('codex does not resume');
      return opened(session, listener);
    },
  };
}
