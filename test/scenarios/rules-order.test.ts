import { describe, expect, it } from 'vitest';
import { allRules, dueRun, ruled, ruleNamed, speaking, spoken } from './due.ts';

/** The order as it is meant, written down apart from the code. */
const names = Object.keys(speaking);
const pairs = names.flatMap((earlier, i) => names.slice(i + 1).map((later) => [earlier, later] as const));
const facts = (run: ReturnType<typeof dueRun>) => ({ run, seq: run.seq, now: run.at });

/** Both rules' conditions at once, as far as they can be true of one run. */
const both = (earlier: string, later: string) => {
  const run = speaking[earlier]?.(speaking[later]?.(dueRun()) ?? dueRun()) ?? dueRun();
  const speaks = (name: string): boolean => ruleNamed(name).evaluate(facts(run)) !== false;
  return { run, isPossible: speaks(earlier) && speaks(later) };
};

describe('the order of the rules', () => {
  it.each(names)('lets %s speak when nothing above it does', (name) => {
    expect(spoken(speaking[name]?.(dueRun()) ?? dueRun())).toBe(name);
  });

  it.each(pairs)('lets %s speak before %s', (earlier, later) => {
    const { run, isPossible } = both(earlier, later);
    if (isPossible) expect(spoken(run)).toBe(earlier);
  });

  it('leaves only neighbours untried that can never speak about the same run', () => {
    const untried = names
      .slice(1)
      .map((later, i) => [names[i] ?? '', later] as const)
      .filter(([earlier, later]) => !both(earlier, later).isPossible);
    expect(untried).toEqual([
      // Reviews are few or many; a certificate has one verdict; and a baseline is taken before there is a claim.
      ['review-first', 'ask-about-findings'],
      ['certified', 'ask-altered'],
      ['ask-to-accept', 'take-baseline'],
      // A context that is used up is not reviewed; it is summarised once, and only then does the next cycle begin.
      ['review-after-error', 'between-cycles'],
      ['between-cycles', 'next-cycle'],
    ]);
  });

  it('says with every decision who spoke, why, how sure, and what was seen', () => {
    for (const name of names) {
      const { decision } = ruled(speaking[name]?.(dueRun()) ?? dueRun());
      expect(decision?.because, name).not.toBe('');
      expect(decision?.confidence, name).toBeGreaterThan(0);
      expect(['person', 'rule', 'agent', 'world'], name).toContain(decision?.actor);
      expect(decision?.summary, name).toBeDefined();
    }
  });

  it('was tried with every rule there is', () => {
    expect(new Set(allRules.map((rule) => rule.name))).toEqual(new Set(names));
  });
});
