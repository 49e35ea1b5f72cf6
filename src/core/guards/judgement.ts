import type { GuardVerdict, Judgement } from '../../contract/action.ts';
import { guardEffectKindSchema } from '../../contract/guard.ts';
import type { Finding, FoundEffect } from './call.ts';
import type { GuardContext } from './context.ts';
import { effectsShownMax } from './guard-bounds.ts';
import { shown } from './marks.ts';
import { rules } from './rules/index.ts';
import { isNever, leastVerdict } from './rules/never.ts';
import { rulesFor, type SpeakingRule } from './user-rules.ts';

const severity: Record<GuardVerdict, number> = { allow: 0, ask: 1, forbid: 2 };
const worse = (a: GuardVerdict, b: GuardVerdict): GuardVerdict => (severity[a] >= severity[b] ? a : b);
const kindOrder = new Map(guardEffectKindSchema.options.map((kind, index) => [kind, index]));

interface Weighed {
  verdict: GuardVerdict;
  effect: FoundEffect;
  /** The user rule that decided, if one did. */
  rule: SpeakingRule | undefined;
}

/** Effects → one judgement: the policy, then the person's rules, then how they want to be asked, then the never list. */
export function judgementOf(findings: readonly Finding[], context: GuardContext): Judgement {
  const weighed: Weighed[] = [];
  for (const finding of findings) {
    const speaking = rulesFor(finding, context);
    const isSilent = finding.effects.length === 0;
    if (isSilent && speaking.length === 0) continue;
    const effects = isSilent ? [{ kind: 'read' as const, what: shown(finding.shown) }] : finding.effects;
    for (const effect of effects) weighed.push(weigh(effect, speaking, context));
  }
  const worst = weighed.toSorted((a, b) => rank(b) - rank(a))[0];
  if (!worst)
    return {
      verdict: context.approvals === 'pause' ? 'ask' : 'allow',
      rule: 'nothing',
      because: 'it does nothing',
      effects: [],
    };
  return explain(worst, weighed);
}

const rank = ({ verdict, effect, rule }: Weighed): number =>
  severity[verdict] * 1_000 +
  (isNever(effect.kind) ? 500 : 0) +
  (rule ? 200 : 0) +
  (kindOrder.get(effect.kind) ?? 0);

function weigh(effect: FoundEffect, speaking: readonly SpeakingRule[], context: GuardContext): Weighed {
  let verdict = context.config.effects[effect.kind] ?? rules[effect.kind].verdict;
  let decisive: SpeakingRule | undefined;
  const strictest =
    speaking.find((rule) => rule.verdict === 'forbid') ?? speaking.find((rule) => rule.verdict === 'ask');
  if (strictest && severity[strictest.verdict] > severity[verdict]) {
    verdict = strictest.verdict;
    decisive = strictest;
  } else if (!strictest && verdict === 'ask') {
    const permits = speaking.find((rule) => rule.verdict === 'allow' && mayLower(rule, effect));
    if (permits) {
      verdict = 'allow';
      decisive = permits;
    }
  }
  if (context.approvals === 'pause') verdict = worse(verdict, 'ask');
  if (context.approvals === 'never-ask' && verdict === 'ask') verdict = 'allow';
  return { verdict: worse(verdict, leastVerdict(effect.kind)), effect, rule: decisive };
}

/** A secret is released only by a rule that names its file. */
const mayLower = (rule: SpeakingRule, effect: FoundEffect): boolean =>
  rule.isPath ? effect.path !== undefined && rule.speaksOf(effect) : !/secret/.test(effect.kind);

function explain(worst: Weighed, weighed: readonly Weighed[]): Judgement {
  const { verdict, effect, rule } = worst;
  const own = rules[effect.kind];
  const effects = [...new Set(weighed.map((one) => `${one.effect.kind}: ${one.effect.what}`))].slice(
    0,
    effectsShownMax,
  );
  const instead = rule?.instead ?? (verdict === 'allow' ? undefined : own.instead);
  const isNeverKind = verdict !== 'allow' && weighed.some((one) => isNever(one.effect.kind));
  return {
    verdict,
    rule: rule && verdict === rule.verdict ? `user:${rule.name}` : effect.kind,
    because: rule && verdict === rule.verdict ? rule.because : `${own.because}: ${effect.what}`,
    instead,
    effects,
    never: isNeverKind ? true : undefined,
  };
}
