export type {
  Advisor,
  Agent,
  AgentEars,
  AgentSession,
  Effect,
  EffectOf,
  EffectType,
  Failure,
  Notifier,
  Outcome,
  Slots,
  Text,
  Workspace,
} from '../../contract/index.ts';
export type { Run } from '../../core/index.ts';
