import { describe, expect, it } from 'vitest';
import { guardEffectKindSchema } from '../../src/contract/guard.ts';
import { isNever, isRefused, judgeCommand, rules } from '../../src/core/guards/index.ts';
import { checkExamples } from './check-examples.ts';
import { here } from './corpus.ts';

describe('every rule of the guard', () => {
  it('holds on its own examples', () => {
    expect(checkExamples(here)).toEqual([]);
  });

  it.each(guardEffectKindSchema.options)('%s has a reason and at least two examples', (kind) => {
    expect(rules[kind].because).not.toBe('');
    expect(rules[kind].shows.length).toBeGreaterThan(kind === 'secret-send' ? 0 : 1);
  });

  it('that asks or refuses also shows what it leaves alone', () => {
    const alone = Object.entries(rules).filter(
      ([, rule]) => rule.verdict !== 'allow' && (rule.allows ?? []).length === 0,
    );
    expect(alone.map(([kind]) => kind)).toEqual([]);
  });

  it('of the never list triggers by itself: nothing on the list is allowed by default', () => {
    const listed = guardEffectKindSchema.options.filter(isNever);
    expect(listed.length).toBeGreaterThanOrEqual(10);
    for (const kind of listed) expect(rules[kind].verdict, kind).toBe(isRefused(kind) ? 'forbid' : 'ask');
  });

  it('says what to do instead', () => {
    const { rule, instead } = judgeCommand('git push -f', here);
    expect(rule).toBe('force-push');
    expect(instead).toBe('push a new branch');
  });
});
