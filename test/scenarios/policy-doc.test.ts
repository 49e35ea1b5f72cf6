import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { limitsSchema, policySchema } from '../../src/contract/index.ts';
import { bounds, policyVersion } from '../../src/core/index.ts';
import { allRules } from './due.ts';

const doc = (name: string): string => readFileSync(resolve(import.meta.dirname, '../../docs', name), 'utf8');

/** The rows of the table under a heading, without their markup. */
function rowsUnder(heading: string): string[][] {
  const section = doc('policy.md').split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  const lines = section.split('\n').filter((line) => line.startsWith('|'));
  return lines.slice(2).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('`', '')),
  );
}

const written = (value: unknown): string =>
  value === undefined ? 'none' : typeof value === 'number' ? value.toLocaleString('en-US') : String(value);

describe('docs/policy.md', () => {
  it('lists the rules in their order', () => {
    expect(rowsUnder('The rules in their order').map(([, name]) => name)).toEqual(
      allRules.map((rule) => rule.name),
    );
  });

  it('lists the limits with their defaults', () => {
    const { limits, gates, advice, recentDecisions } = policySchema.parse({});
    const defaults = Object.keys(limitsSchema.shape).map((name) => [
      name,
      written(limits[name as keyof typeof limits]),
    ]);
    expect(rowsUnder('Limits a person may set')).toEqual([
      ...defaults,
      ['gates.timeoutMs', written(gates.timeoutMs)],
      ['advice.confidenceMin', written(advice.confidenceMin)],
      ['recentDecisions', written(recentDecisions)],
    ]);
  });

  it('lists the bounds', () => {
    expect(rowsUnder("Bounds that are nobody's to set")).toEqual(
      Object.entries(bounds).map(([name, value]) => [name, written(value)]),
    );
  });
});

describe('docs/policy-versions.md', () => {
  it('has a paragraph for every version', () => {
    const versions = [...doc('policy-versions.md').matchAll(/^## (\d+)$/gm)].map((m) => Number(m[1]));
    expect(versions).toEqual(Array.from({ length: policyVersion }, (_, n) => n + 1));
  });
});
