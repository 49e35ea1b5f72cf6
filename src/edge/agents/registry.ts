import { codex } from './codex/kind.ts';
import type { AgentKind } from './kind.ts';
import { scripted } from './scripted/kind.ts';

/** Every agent, in the order in which people see them. */
export const agentKinds: readonly AgentKind[] = [codex, scripted];

export const kindOf = (name: string): AgentKind | undefined => agentKinds.find((kind) => kind.name === name);
