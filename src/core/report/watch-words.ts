import type { Decision, Entry } from '../../contract/index.ts';
import { cut, type Excerpt, firstAndLast, tallied } from './excerpt.ts';
import type { DecisionStory, PersonAct, RuleCount } from './report.ts';
import { reportBounds as max } from './report-bounds.ts';
import type { Watch } from './seen.ts';
import { spokenOf } from './watch-turns.ts';

export interface WordsSeen {
  readonly decisions: Excerpt<DecisionStory>;
  readonly rules: readonly RuleCount[];
  readonly people: Excerpt<PersonAct>;
}

/** Keeps what was decided and why, and what people said. */
export function watchWords(): Watch<WordsSeen> {
  const decisions = firstAndLast<DecisionStory>(max.decisionsHeadMax, max.decisionsTailMax);
  const people = firstAndLast<PersonAct>(max.peopleHeadMax, max.peopleTailMax);
  const rules = tallied(max.rulesMax);
  return {
    see({ entry }) {
      const act = actOf(entry);
      if (act !== null) people.add(act);
      if (entry.decision === undefined) return;
      decisions.add(storyOf(entry, entry.decision));
      rules.add(`${entry.decision.verdict} ${entry.decision.rule}`);
    },
    end: () => ({
      decisions: decisions.end(),
      rules: rules.end().map(({ name, times }): RuleCount => {
        const [verdict = '', rule = 'other'] = name.split(' ');
        return { verdict: verdict as RuleCount['verdict'], rule, times };
      }),
      people: people.end(),
    }),
  };
}

const storyOf = ({ seq, at }: Entry, decision: Decision): DecisionStory => ({
  ...spokenOf(decision),
  seq,
  at,
  turn: decision.summary.turn,
  confidence: decision.confidence,
  actor: decision.actor,
  cause: decision.cause ?? null,
  advice: adviceOf(decision),
});

function adviceOf({ advice, overridden }: Decision): DecisionStory['advice'] {
  if (advice === undefined) return null;
  const { action, confidence, reason, problems, model } = advice;
  return {
    action,
    confidence,
    reason: cut(reason, max.becauseCharsMax),
    problems,
    model: model ?? null,
    overridden: overridden === true,
  };
}

function actOf({ at, event }: Entry): PersonAct | null {
  if (event.type === 'steer-given')
    return { at, by: event.by, act: 'steer', text: cut(event.text.text, max.asksCharsMax) };
  if (event.type === 'limits-changed')
    return { at, by: event.by, act: 'limits', text: cut(JSON.stringify(event.limits), max.labelCharsMax) };
  if (event.type !== 'person-asked') return null;
  return { at, by: event.by, act: event.ask, text: event.now === true ? 'now' : '' };
}
