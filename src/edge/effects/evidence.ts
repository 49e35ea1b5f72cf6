import type { Alteration, Check, CheckResult, Tree, Workspace } from '../../contract/index.ts';
import type { Hand } from './context.ts';

/** A failing check is run again this often before its failure is believed. */
const rerunsMax = 3;

export const readTree: Hand<'tree-read'> = async (_effect, { workspace }) => ({
  outcome: { of: 'tree-read', tree: await workspace.tree() },
});

/**
 * Runs every check, in order, and takes the tree before and after: evidence we gathered ourselves. What fails is run
 * again; passing then is recorded as flaky. Where the checks themselves wrote into the tree they must pass a second
 * time on what they left behind, or a test that passes only once would prove anything.
 */
export const runChecks: Hand<'checks-run'> = async (effect, { workspace, run }) => {
  const { checks, policy, baseline } = run();
  const isBaseline = effect.purpose === 'baseline';
  const before = await workspace.tree();
  const runAll = async (reruns: number): Promise<CheckResult[]> => {
    const results: CheckResult[] = [];
    for (const check of checks)
      results.push(await runOften(workspace, check, policy.limits.checkTimeoutMs, reruns));
    return results;
  };
  const first = await runAll(isBaseline ? 0 : rerunsMax);
  const middle = await workspace.tree();
  const wrote = await pathsBetween(workspace, before, middle);
  const confirms = !isBaseline && wrote.length > 0 && first.every((r) => r.outcome === 'passed');
  const results = confirms ? confirmed(first, await runAll(0)) : first;
  const after = confirms ? await workspace.tree() : middle;
  const altered = isBaseline || baseline === null ? [] : await alteredSince(workspace, baseline.tree, after);
  return {
    outcome: {
      of: 'checks-run',
      results,
      before,
      after,
      wrote: wrote.slice(0, 100),
      altered: altered.slice(0, 100),
    },
  };
};

async function runOften(
  workspace: Workspace,
  check: Check,
  timeoutMs: number,
  reruns: number,
): Promise<CheckResult> {
  const first = await workspace.check(check, timeoutMs);
  let last = first;
  let runs = 1;
  // A timeout would cost the whole time again, and a check that cannot start will not start.
  while (last.outcome === 'failed' && runs <= reruns) {
    last = await workspace.check(check, timeoutMs);
    runs += 1;
  }
  if (runs === 1) return first;
  return last.outcome === 'passed' ? { ...last, flaky: true, runs } : { ...last, runs };
}

/** A pass that does not repeat is a failure. */
function confirmed(first: readonly CheckResult[], second: readonly CheckResult[]): CheckResult[] {
  return first.map((result, i) => {
    const again = second[i];
    if (again === undefined || again.outcome === 'passed') return { ...result, runs: (result.runs ?? 1) + 1 };
    return {
      ...again,
      because: 'it passed once, wrote into the workspace, and then did not pass again',
      runs: (result.runs ?? 1) + 1,
    };
  });
}

const pathsBetween = async (workspace: Workspace, from: Tree, to: Tree): Promise<readonly string[]> =>
  from.tree === 'unknown' || to.tree === 'unknown' || from.tree === to.tree
    ? []
    : ((await workspace.changedPaths?.(from.tree, to.tree)) ?? []);

async function alteredSince(
  workspace: Workspace,
  baseline: string,
  now: Tree,
): Promise<readonly Alteration[]> {
  if (baseline === 'unknown' || now.tree === 'unknown')
    return [{ path: '.', part: 'tests', what: 'the files could not be compared with the baseline' }];
  return (await workspace.suiteAlterations?.(baseline, now.tree)) ?? [];
}
