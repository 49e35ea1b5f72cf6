import type { GuardContext } from '../../src/core/guards/context.ts';
import { judgeCommand } from '../../src/core/guards/judge.ts';
import { rules } from '../../src/core/guards/rules/index.ts';

/** Every example of every rule that does not hold, as a sentence. Empty when all hold. */
export function checkExamples(context: GuardContext): string[] {
  const problems: string[] = [];
  for (const [kind, rule] of Object.entries(rules)) {
    for (const example of rule.shows) {
      const judgement = judgeCommand(example, context);
      const isSeen = judgement.effects?.some((effect) => effect.startsWith(`${kind}:`));
      if (!isSeen)
        problems.push(
          `${kind}: not seen in ${JSON.stringify(example)}, only ${judgement.effects?.join(' · ')}`,
        );
      if (judgement.verdict === 'allow' && rule.verdict !== 'allow')
        problems.push(`${kind}: ${JSON.stringify(example)} is allowed`);
      if (rule.verdict === 'allow' && judgement.verdict !== 'allow')
        problems.push(`${kind}: ${JSON.stringify(example)} is not allowed: ${judgement.because}`);
      if (rule.verdict === 'forbid' && judgement.verdict !== 'forbid')
        problems.push(`${kind}: ${JSON.stringify(example)} is not refused`);
    }
    for (const example of rule.allows ?? []) {
      const judgement = judgeCommand(example, context);
      if (judgement.verdict !== 'allow')
        problems.push(`${kind}: ${JSON.stringify(example)} should be allowed: ${judgement.because}`);
    }
  }
  return problems;
}
