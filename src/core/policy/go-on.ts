import type { Effect, Input, InputPart } from '../../contract/index.ts';
import type { Run } from '../run-state.ts';
import { rule, type Say } from './rule.ts';

/** SPEC §2 rule 8: nothing speaks against it. */
export const carryOn = rule('continue', ({ run }) =>
  goOn(run, run.last === null ? 'the run begins' : 'nothing speaks against another turn'),
);

/** One more turn: the input, and the three things it needs before it starts. */
export function goOn(run: Run, because: string): Say {
  const nudged = isNudge(run)
    ? `${because}; ${run.noProgressTurns} turns changed nothing, the agent is asked why`
    : because;
  const effects: Effect[] = [{ type: 'slot-request' }, { type: 'tree-read', when: 'before-turn' }];
  if (run.session?.open !== true)
    effects.unshift(
      run.agent.resumes && run.session !== null
        ? { type: 'session-open', resume: run.session.id }
        : { type: 'session-open' },
    );
  const waiting = { on: 'turn-slot' as const, until: null, because: 'the next turn is about to start' };
  return {
    verdict: 'continue',
    because: nudged,
    to: 'waiting',
    actor: 'rule',
    waiting,
    input: nextInput(run),
    effects,
  };
}

const isNudge = (run: Run): boolean => run.noProgressTurns >= run.policy.limits.noProgressTurns;

/** The fixed template: mission first, then what the agent must know. Advice is added below it, never instead. */
export function nextInput(run: Run): Input {
  const parts: InputPart[] = [{ part: 'mission' }];
  if (run.inDoubt) parts.push({ part: 'recovery' });
  parts.push(...run.carry);
  if (run.steers.length > 0) parts.push({ part: 'steer', texts: [...run.steers] });
  const failing = run.proof?.results.filter((r) => r.outcome !== 'passed') ?? [];
  for (const r of failing.slice(0, 5))
    parts.push({ part: 'evidence', check: r.name, command: r.command, exitCode: r.exitCode, tail: r.tail });
  if (isNudge(run))
    parts.push({
      part: 'nudge',
      turns: run.noProgressTurns,
      unchanged: ['files', 'commits', 'plan', 'check results'],
    });
  if (run.advice?.nextInput !== undefined) parts.push({ part: 'advised', text: run.advice.nextInput });
  if (run.last !== null && failing.length === 0) parts.push({ part: 'ask-status' });
  return { parts: parts.slice(0, 20) };
}
