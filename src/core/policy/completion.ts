import { openEffects } from '../approvals.ts';
import type { Facts, Say } from './rule.ts';
import { end, rule } from './rule.ts';

/** SPEC §2 rule 4: completion. A claim is verified even when the budget is spent, since checks cost no turn. */
export const certified = rule('certified', ({ run }) => {
  if (run.claim === null || run.proof === null || !run.proof.ok) return false;
  const how = run.proof.byPerson
    ? 'a person accepted the work'
    : `every check passed: ${run.proof.results.map((r) => r.name).join(', ')}`;
  return end('done', how, 'certified', 'rule');
});

const elsewhere = 'another turn is at work in this session; evidence taken now would not hold';
const afterForeign: Say = {
  verdict: 'wait',
  because: elsewhere,
  to: 'waiting',
  actor: 'agent',
  waiting: { on: 'external', until: null, because: elsewhere },
};

export const verifyClaim = rule('verify-claim', ({ run }) => {
  if (run.claim === null || run.checks.length === 0) return false;
  if (run.foreign !== null) return afterForeign;
  const because = `the agent claims completion (${run.claim.via}); a claim is believed on our own evidence only`;
  return {
    verdict: 'verify',
    because,
    to: 'verifying',
    actor: 'rule',
    effects: [{ type: 'checks-run', because: 'completion was claimed' }],
  };
});

/** Nothing here can prove the claim, so a person is asked; a run never ends on the agent's word. */
export const askToAccept = rule('ask-to-accept', ({ run, seq }: Facts): Say | false => {
  if (run.claim === null) return false;
  const because = 'no check was found that could prove the work; a person must look at it';
  const isOpen = run.gates.some((gate) => gate.kind === 'accept');
  const digest = (run.tree?.tree ?? 'unknown').replace('unknown', '').padEnd(64, '0');
  const asks = { text: `Is the mission done? The agent says: ${run.claim.text}` };
  const effects = isOpen
    ? []
    : openEffects(run, seq, { kind: 'accept', asks, digest, because, rule: 'ask-to-accept' });
  return {
    verdict: 'wait',
    because,
    to: 'waiting',
    actor: 'rule',
    waiting: { on: 'input', until: null, because },
    effects,
  };
});
