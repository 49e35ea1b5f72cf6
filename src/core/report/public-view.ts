import type { RunView } from '../../contract/index.ts';
import { type CheckNames, caused, named, pick } from './public.ts';

export const publicView = (view: RunView, names: CheckNames): RunView => ({
  ...pick(view, 'id', 'state', 'toggle', 'waitingOn', 'until', 'turns', 'turnsMax', 'tokens', 'tokensMax'),
  ...pick(view, 'money', 'activeMs', 'createdAt', 'updatedAt', 'seq', 'cycle'),
  because: '',
  workspace: '',
  mission: '',
  cause: caused(view.cause),
  agent: named(view.agent),
  plan: view.plan === null ? null : { ...pick(view.plan, 'done', 'total'), current: null },
  lastDecision:
    view.lastDecision === null
      ? null
      : {
          ...pick(view.lastDecision, 'verdict', 'confidence', 'at'),
          rule: named(view.lastDecision.rule),
          because: '',
        },
  gates: view.gates.map((gate) => ({
    ...pick(gate, 'id', 'kind', 'digest', 'askedAt', 'expiresAt'),
    asks: '',
    because: '',
  })),
  checks: view.checks.map(({ name, outcome }) => ({ name: names(name), outcome })),
});
