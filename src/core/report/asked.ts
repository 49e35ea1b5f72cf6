import type { AgentFacts, Check, Entry, EventOf, Policy } from '../../contract/index.ts';
import { cut } from './excerpt.ts';
import { type CheckNames, named, pick } from './public.ts';
import { reportBounds as max } from './report-bounds.ts';

export interface Asked {
  readonly mission: string;
  readonly by: string;
  readonly at: number;
  readonly workspace: string;
  readonly agent: AgentFacts;
  readonly mode: 'once' | 'autonomous';
  readonly policy: Policy;
  readonly policyVersion: number;
  readonly configDigest: string;
  readonly checks: readonly Check[];
}

export const askedOf = ({ at }: Entry, event: EventOf<'run-created'>): Asked => ({
  mission: cut(event.mission.text, max.missionCharsMax),
  by: event.by,
  at,
  workspace: event.workspace,
  agent: event.agent,
  mode: event.mode,
  policy: event.policy,
  policyVersion: event.policyVersion,
  configDigest: event.configDigest,
  checks: event.checks,
});

export const publicAsked = (asked: Asked, names: CheckNames): Asked => ({
  mission: '',
  by: '',
  workspace: '',
  ...pick(asked, 'at', 'mode', 'policyVersion', 'configDigest'),
  agent: publicAgent(asked.agent),
  policy: publicPolicy(asked.policy),
  checks: asked.checks.map(({ name }) => ({ name: names(name), command: '', cwd: '', source: '' })),
});

const publicAgent = (agent: AgentFacts): AgentFacts => ({
  name: named(agent.name),
  door: named(agent.door),
  ...pick(agent, 'sees', 'usage', 'finds', 'steers', 'resumes'),
});

const publicPolicy = (policy: Policy): Policy => ({
  ...pick(policy, 'limits', 'approvals', 'review', 'gates', 'advice', 'recentDecisions'),
  // A person's own rules carry words and paths; the branch names and hosts do too.
  guards: { ...policy.guards, rules: [], hosts: [], protectedBranches: [] },
});
