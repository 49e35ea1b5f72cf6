import { openTasksMax } from '../../contract/index.ts';
import { openEffects } from '../approvals/gates.ts';
import type { Run } from '../run.ts';
import { waitName } from '../waits.ts';
import type { Facts, Say } from './rule.ts';
import { end, rule, waitFor } from './rule.ts';

/** A check that refused this many claims in a row is a person's to look at. */
const refusalsMax = 3;

const elsewhere = 'another turn is at work in this session; evidence taken now would not hold';

const verify = (run: Run, because: string, purpose: 'baseline' | 'claim'): Say =>
  run.foreign !== null
    ? waitFor(waitName(run, 'foreign-turn'), elsewhere, 'agent')
    : {
        verdict: 'verify',
        because,
        to: 'verifying',
        actor: 'rule',
        effects: [{ type: 'checks-run', because, purpose }],
      };

/** What the queue still holds does not refute the checks, but a reader must know of it. */
const openTasks = ({ tasks }: Run): string[] =>
  tasks.list
    .filter((task) => task.status !== 'done')
    .slice(0, openTasksMax)
    .map((task) => task.id);

const named = (open: string[]): { openTasks?: string[] } => (open.length === 0 ? {} : { openTasks: open });

/** Group 4 of docs/policy.md: completion. A claim is verified even when the budget is spent, since checks cost no turn. */
export const certified = rule('certified', ({ run }) => {
  const certificate = run.proof?.certificate;
  if (run.claim === null || certificate?.verdict !== 'certified') return false;
  const how =
    certificate.checks.length === 0
      ? 'a person accepted the work'
      : `every check passed: ${certificate.checks.map((c) => c.name).join(', ')}${certificate.acceptedBy === null ? '' : '; a person accepted what was altered'}`;
  const open = openTasks(run);
  const left = open.length === 0 ? '' : `; still open in the queue: ${open.join(', ')}`;
  return {
    ...end('done', `${how}${left}`, 'certified', 'rule'),
    certificate: { ...certificate, ...named(open) },
  };
});

/** The checks pass, but not everything about them is as it was: a person looks first. */
export const askAltered = rule('ask-altered', (facts) => {
  const certificate = facts.run.proof?.certificate;
  if (facts.run.claim === null || certificate?.verdict !== 'asks') return false;
  const asks = `Every check passes. Accept the work although:\n${certificate.because.map((b) => `- ${b}`).join('\n')}`;
  return {
    ...askPerson(facts, 'accept', asks, certificate.because.join('; ')),
    certificate: { ...certificate, ...named(openTasks(facts.run)) },
  };
});

/** How the checks stand before the first turn: what "not made worse" is measured against. */
export const takeBaseline = rule('take-baseline', ({ run }) => {
  if (run.baseline !== null || run.checks.length === 0 || run.last !== null || run.claim !== null)
    return false;
  return verify(run, 'the checks run once before the first turn', 'baseline');
});

export const verifyClaim = rule('verify-claim', ({ run }) => {
  if (run.claim === null || run.checks.length === 0) return false;
  return verify(
    run,
    `the agent claims completion (${run.claim.via}); a claim is believed on our own evidence only`,
    'claim',
  );
});

/** Nothing here can prove the claim, so a person is asked; a run never ends on the agent's word. */
export const askToAccept = rule('ask-to-accept', (facts) => {
  const { claim } = facts.run;
  if (claim === null) return false;
  return askPerson(
    facts,
    'accept',
    `Is the mission done? The agent says: ${claim.text}`,
    'no check was found that could prove the work; a person must look at it',
  );
});

/** The agent keeps claiming what the same check keeps refuting: more of the same would waste the night. */
export const refusedTooOften = rule('refused-too-often', (facts) => {
  const { refusals } = facts.run;
  if (refusals === null || refusals.times < refusalsMax) return false;
  const because = `${refusals.times} claims in a row were refused by ${refusals.check}`;
  return askPerson(facts, 'input', `${because}. What should the agent do?`, because);
});

export function askPerson({ run }: Facts, kind: 'accept' | 'input', text: string, why: string): Say {
  const because = why.slice(0, 2_000);
  const isOpen = run.gates.some((gate) => gate.request === null && gate.kind === kind);
  const digest = (run.tree?.tree ?? 'unknown').replace('unknown', '').padEnd(64, '0');
  const asks = { text: text.slice(0, 16_000) };
  const effects = isOpen
    ? []
    : openEffects(run, {
        kind,
        asks,
        digest,
        because,
        rule: kind === 'accept' ? 'completion' : 'refused-too-often',
      });
  return waitFor('input', because, 'rule', effects);
}
