import { describe, expect, it } from 'vitest';
import { momentIn, nearness } from '../../src/core/memory/moments.ts';
import { readQuestion } from '../../src/core/memory/question.ts';
import { termsOf } from '../../src/core/memory/terms.ts';

const nowAt = Date.parse('2026-11-01T18:00:00Z');

describe('the terms of a text', () => {
  it.each([
    ['migrations', 'migrating'],
    ['deployed', 'deployment'],
    ['caches', 'caching'],
    ['wrote', 'writing'],
    ['went', 'goes'],
    ['serialisation', 'serialize'],
    ['catalog', 'catalogues'],
    ['children', 'kids'],
  ])('%s and %s are found by the same term', (one, other) => {
    expect(termsOf(one)).toEqual(termsOf(other));
  });

  it('keeps an identifier whole and adds its parts', () => {
    expect(termsOf('parseInvoiceLine')).toEqual(['parseinvoiceline', 'pars', 'invoic', 'line']);
    expect(termsOf('customer_id')).toEqual(['customer_id', 'custom', 'id']);
    expect(termsOf('src/billing/parser.ts')).toEqual([
      'src_billing_parser_ts',
      'src',
      'bill',
      'parser',
      'ts',
    ]);
  });

  it('reads numbers without their commas, accents as plain letters, C++ apart from C#', () => {
    expect(termsOf('2,100 cafés')).toEqual(['2100', 'cafe']);
    expect(termsOf('C++')[0]).not.toBe(termsOf('C#')[0]);
  });

  it('adds the abbreviation of a set phrase', () => {
    expect(termsOf('a pull request')).toContain('pr');
    expect(termsOf('the end-to-end suite')).toContain('e2e');
  });

  it('leaves nothing of a text without words', () => {
    expect(termsOf('… — !')).toEqual([]);
  });

  it('splits languages without spaces into pairs', () => {
    expect(termsOf('数据库')).toEqual(['数据', '据库']);
  });
});

describe('the time a question speaks of', () => {
  const dayOf = (text: string): string | null => {
    const moment = momentIn(text, nowAt);
    return moment === null ? null : new Date(moment.from).toISOString().slice(0, 10);
  };

  it.each([
    ['what happened yesterday', '2026-10-31'],
    ['what happened on 8 May 2023', '2023-05-08'],
    ['what happened on May 8th, 2023', '2023-05-08'],
    ['what happened on 2023-05-08', '2023-05-08'],
    ['the load test in March', '2026-03-01'],
    ['the load test in December', '2025-12-01'],
    ['the deploy on Saturday', '2026-10-31'],
    ['what did we decide in 2024', '2024-01-01'],
  ])('"%s" begins %s', (text, day) => {
    expect(dayOf(text)).toBe(day);
  });

  it('is none when none is named, and "may" is no month', () => {
    expect(dayOf('what may fail here')).toBeNull();
  });

  it('fades outside, and never turns against a memory', () => {
    const moment = momentIn('yesterday', nowAt);
    if (moment === null) throw new Error('no moment');
    expect(nearness(moment, moment.from)).toBe(1);
    expect(nearness(moment, moment.from - 86_400_000)).toBeGreaterThan(0);
    expect(nearness(moment, 0)).toBe(0);
  });
});

describe('a question', () => {
  it('is about its words, not about how it is asked', () => {
    const { concepts, wants } = readQuestion('When did Luis Ortega join the team?', nowAt);
    expect(concepts.map(({ word }) => word)).toEqual(['luis', 'ortega', 'join', 'team']);
    expect(wants).toBe('time');
  });

  it('weighs names and numbers more', () => {
    const { concepts } = readQuestion('what does Priya say about port 8443', nowAt);
    const weight = (word: string) => concepts.find((one) => one.word === word)?.weight ?? 0;
    expect(weight('priya')).toBeGreaterThan(weight('port'));
    expect(weight('8443')).toBeGreaterThan(weight('port'));
  });

  it('does not look for what it rules out', () => {
    const { concepts, isNegated } = readQuestion('caches other than Redis', nowAt);
    expect(concepts.map(({ word }) => word)).not.toContain('redis');
    expect(isNegated).toBe(false);
    expect(readQuestion("what shouldn't be cached", nowAt).isNegated).toBe(true);
  });
});
