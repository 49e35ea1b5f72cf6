import type { Usage } from '../../contract/index.ts';

/** The total cost of several calls. What was not reported stays unknown. */
export function sumUsage(a: Usage | undefined, b: Usage | undefined): Usage | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  const parts = ['totalTokens', 'inputTokens', 'cachedInputTokens', 'outputTokens', 'money'] as const;
  return Object.fromEntries(
    parts.flatMap((part) => {
      const known = [a[part], b[part]].filter((one) => one !== undefined);
      return known.length === 0 ? [] : [[part, known.reduce((x, y) => x + y, 0)]];
    }),
  );
}
