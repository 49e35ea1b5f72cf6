import type { ViteUserConfig } from 'vitest/config';

type Reporters = NonNullable<ViteUserConfig['test']>['reporters'];

/** TEST_REPORT names a file for the JSON report that `tools/counts.ts` reads; people get the default report only. */
export function reporters(): Reporters {
  const outputFile = process.env.TEST_REPORT;
  return outputFile ? ['default', ['json', { outputFile }]] : ['default'];
}
