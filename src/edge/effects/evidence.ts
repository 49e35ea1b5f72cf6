import type { CheckResult } from '../../contract/index.ts';
import type { Hand } from './context.ts';

export const readTree: Hand<'tree-read'> = async (_effect, { workspace }) => ({
  outcome: { of: 'tree-read', tree: await workspace.tree() },
});

/** Runs every check, in order, and takes the tree before and after: evidence we gathered ourselves. */
export const runChecks: Hand<'checks-run'> = async (_effect, { workspace, run }) => {
  const { checks, policy } = run();
  const before = await workspace.tree();
  const results: CheckResult[] = [];
  for (const check of checks) results.push(await workspace.check(check, policy.limits.checkTimeoutMs));
  return { outcome: { of: 'checks-run', results, before, after: await workspace.tree() } };
};
