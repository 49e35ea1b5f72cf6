/** What tests of Tireless, and of adapters and stores for it, are made of. */
export {
  type AgentUnderTest,
  agentCases,
  agentConformance,
  type Behaviour,
  type ConformanceSubject,
} from './agent-conformance.ts';
export {
  type LedgerRun,
  type LedgerRunOptions,
  ledgerRun,
  noDigest,
  someCheck,
  treeOf,
} from './ledger-run.ts';
export { memoryStore } from './memory-store.ts';
export { type ChatStep, type ScriptedChat, scriptedChat } from './models/chat-completions.ts';
export { refuseMessages, scriptedMessages } from './models/messages.ts';
export { type ScriptedModel, type ScriptedModelOptions, scriptedResponses } from './models/responses.ts';
export * from './models/responses-steps.ts';
export type { SimDependencies, Supervise } from './sim-keeper.ts';
export { type SimulatedClock, simulatedClock } from './simulated-clock.ts';
export { storeConformance } from './store-conformance.ts';
export { type Story, tellStory } from './world.ts';
