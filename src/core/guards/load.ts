import type { GuardConfig, UserRule } from '../../contract/guard.ts';
import { guardConfigSchema } from '../../contract/guard.ts';
import type { Finding } from './call.ts';
import type { GuardContext } from './context.ts';
import { findInCommand } from './judge.ts';
import { patternProblem } from './pattern-safety.ts';
import { leastVerdict } from './rules/never.ts';
import { rulesFor } from './user-rules.ts';

/** A config that may be used, or every reason why not. */
export type LoadedConfig = { config: GuardConfig } | { problems: readonly string[] };

/** Reads the person's part of the guard: shape, patterns, examples, and nothing against the never list. */
export function loadGuardConfig(input: unknown, context: Omit<GuardContext, 'config'>): LoadedConfig {
  const parsed = guardConfigSchema.safeParse(input);
  if (!parsed.success) {
    return {
      problems: parsed.error.issues.map((issue) => `guards.${issue.path.join('.')}: ${issue.message}`),
    };
  }
  const config = parsed.data;
  const problems = [
    ...config.rules.flatMap((rule, index) => ruleProblems(rule, index, config, context)),
    ...effectProblems(config),
    ...repeatedNames(config.rules),
  ];
  return problems.length > 0 ? { problems } : { config };
}

function ruleProblems(
  rule: UserRule,
  index: number,
  config: GuardConfig,
  context: Omit<GuardContext, 'config'>,
): string[] {
  const place = `guards.rules[${index}] (${rule.name})`;
  if ('matches' in rule.when) {
    const problem = patternProblem(rule.when.matches);
    if (problem !== undefined)
      return [`${place}: the pattern ${JSON.stringify(rule.when.matches)} is refused: ${problem}`];
  }
  const alone: GuardContext = { ...context, config: { ...config, rules: [rule] } };
  const spoken = (example: string) =>
    examplesOf(rule, example, alone).some((finding) => rulesFor(finding, alone).length > 0);
  return [
    ...rule.applies
      .filter((example) => !spoken(example))
      .map((example) => `${place}: it does not speak about its own example ${JSON.stringify(example)}`),
    ...rule.leaves
      .filter(spoken)
      .map((example) => `${place}: it speaks about ${JSON.stringify(example)}, which it should leave alone`),
  ];
}

/** An example is a command, or a tool's name for a rule about tools. */
function examplesOf(rule: UserRule, example: string, context: GuardContext): readonly Finding[] {
  if ('tool' in rule.when) return [{ shown: example, program: `tool:${example}`, args: [], effects: [] }];
  return findInCommand(example, context);
}

function effectProblems(config: GuardConfig): string[] {
  return Object.entries(config.effects).flatMap(([kind, verdict]) => {
    const least = leastVerdict(kind as never);
    const isLower = (least === 'forbid' && verdict !== 'forbid') || (least === 'ask' && verdict === 'allow');
    return isLower
      ? [`guards.effects.${kind}: “${verdict}” is not possible, this effect is on the never list`]
      : [];
  });
}

function repeatedNames(rules: readonly UserRule[]): string[] {
  const names = rules.map((rule) => rule.name);
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))].map(
    (name) => `guards.rules: two rules are called ${name}`,
  );
}
