import { goOn, goReview } from './go-on.ts';
import { pause, rule } from './rule.ts';

/**
 * Group 7 of docs/policy.md: a model's opinion. It can pause, or shape the next input; it never beats a rule above. An answer
 * that cannot be trusted only makes the run more careful.
 */
export const advised = rule('advice', ({ run }) => {
  const { advice } = run;
  if (advice === null) {
    const most = run.policy.limits.adviceMissesMax;
    return (
      run.adviceMisses >= most &&
      pause(`the decision model did not answer ${run.adviceMisses} times in a row`, 'advice-missing')
    );
  }
  const least = run.policy.advice.confidenceMin;
  const { action, confidence, reason } = advice;
  if (action === 'unknown') return pause('the decision model named no known action', 'advice-unclear');
  if (confidence === null) return pause('the decision model gave no usable confidence', 'advice-unclear');
  if (confidence < least)
    return { ...pause(`low confidence ${confidence} < ${least}: ${reason}`, 'low-confidence'), confidence };
  // Only a certificate ends a run, so an advice to stop hands it to the person.
  if (action === 'pause' || action === 'stop')
    return { ...pause(`advised to ${action}: ${reason}`, `advice-${action}`), confidence };
  // What was looked at a moment ago is told, not looked at again.
  if (action === 'review' && run.last?.review == null && run.agent.reviews === true)
    return { ...goReview(run, `advised to review: ${reason}`, 'advice'), confidence };
  if (action === 'review' && run.last?.review == null)
    return {
      ...goOn(run, `advised to review: ${reason}`, [{ part: 'review' }]),
      verdict: 'review',
      confidence,
    };
  return { ...goOn(run, reason), confidence };
});
