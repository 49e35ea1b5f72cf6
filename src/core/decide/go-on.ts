import type { Input, InputPart, ReviewOf } from '../../contract/index.ts';
import { bounds } from '../bounds.ts';
import { cyclePart, isWrapUpDue, wrapUpPart } from '../cycle/cycle.ts';
import { findingsOf } from '../fold/review.ts';
import { boundedTexts, deniedIn, steersIn } from '../fold/unsent.ts';
import { openSession } from '../react/launch.ts';
import type { Run } from '../run.ts';
import { rule, type Say } from './rule.ts';

/** Group 8 of docs/policy.md: nothing speaks against it. */
export const carryOn = rule('continue', ({ run }) => goOn(run, whyNot(run)));

function whyNot(run: Run): string {
  const { last, proof } = run;
  if (last === null) return 'the run begins';
  if (proof?.certificate.verdict !== 'refused') return 'nothing speaks against another turn';
  return `the claim is refused (${proof.certificate.because.join('; ')}); the agent gets the evidence`.slice(
    0,
    2_000,
  );
}

/** One more turn: the input, and the three things it needs before it starts; `fresh` is the cycle it opens, if it does. */
export function goOn(run: Run, because: string, more: readonly InputPart[] = [], fresh?: number): Say {
  const nudged = isNudge(run)
    ? `${because}; ${run.noProgressTurns} turns changed nothing, the agent is asked why`
    : because;
  const waits =
    run.foreign === null ? 'the next turn is about to start' : 'another turn is at work in this session';
  return {
    verdict: 'continue',
    because: nudged,
    to: 'waiting',
    actor: 'rule',
    waiting: { on: 'turn-slot', until: null, because: waits },
    input: nextInput(run, more, fresh),
    effects: [
      ...(fresh === undefined ? openSession(run) : []),
      { type: 'slot-request' },
      { type: 'tree-read', when: 'before-turn' },
    ],
  };
}

/** A look at the work instead of work: the agent's own review where it has one, else a turn that is told to look. */
export const goReview = (run: Run, because: string, of: ReviewOf): Say => ({
  ...goOn(run, because),
  verdict: 'review',
  input: { parts: [{ part: 'mission' }, { part: 'review', of }] },
});

/** One nudge, when the count is reached; at twice the count the run pauses. */
const isNudge = (run: Run): boolean => run.noProgressTurns === run.policy.limits.noProgressTurns;

/** The fixed template: mission first, then what the agent must know. Advice is added below it, never instead. */
function nextInput(run: Run, more: readonly InputPart[], fresh?: number): Input {
  const begins = cycleParts(run, fresh);
  const parts: InputPart[] = [{ part: 'mission' }, ...begins];
  if (run.inDoubt) parts.push({ part: 'recovery' });
  // A session that is closed for a fresh one takes its work with it.
  if (run.background.length > 0 && (fresh === undefined || run.agent.renews === true))
    parts.push({
      part: 'background',
      tasks: run.background.slice(0, 20).map(({ kind, label }) => `${kind}: ${label}`.slice(0, 300)),
    });
  const texts = boundedTexts([...steersIn(run.carry), ...run.steers]);
  if (texts.length > 0) parts.push({ part: 'steer', texts: [...texts] });
  const denied = [...deniedIn(run.carry), ...run.denied].slice(-bounds.deniedMax);
  if (denied.length > 0) parts.push({ part: 'denied', actions: denied });
  const evidence = evidenceOf(run);
  parts.push(...evidence);
  const findings = findingsOf(run);
  parts.push(...findings);
  if (isNudge(run))
    parts.push({
      part: 'nudge',
      turns: run.noProgressTurns,
      unchanged: [
        ...['files', 'commits', 'plan', 'check results'],
        ...(run.mode === 'autonomous' ? ['tasks', 'memory'] : []),
      ],
    });
  if (more.length === 0 && run.advice?.nextInput !== undefined)
    parts.push({ part: 'advised', text: run.advice.nextInput });
  const closing = fresh === undefined ? closingParts(run) : [];
  parts.push(...closing);
  // A session that has not begun has no last turn to ask about.
  const asks = run.last !== null && begins.length === 0 && closing.length === 0;
  if (more.length === 0 && asks && evidence.length + findings.length === 0)
    parts.push({ part: 'ask-status' });
  return { parts: [...parts, ...more] };
}

/** A fresh session is told where the run stands; if it did not hear it, the next input says it again. */
const cycleParts = (run: Run, fresh: number | undefined): readonly InputPart[] =>
  fresh === undefined ? run.carry.filter(({ part }) => part === 'cycle') : [cyclePart(run, fresh)];

/** The wrap-up, once, whatever the last turn was; then how many turns are left. */
function closingParts(run: Run): readonly InputPart[] {
  if (isWrapUpDue(run)) return [wrapUpPart(run)];
  const unheard = run.carry.filter(({ part }) => part === 'wrap-up');
  if (unheard.length > 0 || !run.cycle.wrapUp) return unheard;
  return [{ part: 'closing', turns: run.policy.limits.closingTurnsMax - run.cycle.closingTurns }];
}

/** What did not pass when we looked last; the agent may have missed it then. */
function evidenceOf(run: Run): readonly InputPart[] {
  if (run.proof === null) return run.carry.filter((part) => part.part === 'evidence');
  const { results, certificate } = run.proof;
  const failing = results.filter((r) => r.outcome !== 'passed').slice(0, bounds.evidenceMax);
  if (failing.length > 0)
    return failing.map(({ name, command, exitCode, tail, because }) => ({
      part: 'evidence',
      check: name,
      command,
      exitCode,
      tail,
      because,
    }));
  if (certificate.verdict !== 'refused') return [];
  // Every check passed and the claim is refused all the same, for coverage: the reason is the evidence.
  const because = certificate.because.join('; ').slice(0, 2_000);
  const [{ name, command, exitCode } = { name: 'evidence', command: '', exitCode: null }] = results;
  return [{ part: 'evidence', check: name, command, exitCode, tail: { text: '' }, because }];
}
