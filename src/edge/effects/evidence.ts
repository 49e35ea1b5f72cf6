import type { Alteration, Check, CheckResult, Tree, Workspace } from '../../contract/index.ts';
import { suitePart } from '../../core/completion/altered.ts';
import type { Handler } from './context.ts';

/** A failing check is run again this often before its failure is believed. */
const rerunsMax = 3;
/** A pass is confirmed this often before files that never come to rest are believed to be somebody else's work. */
const confirmsMax = 3;

export const readTree: Handler<'tree-read'> = async ({ when }, { workspace, run }) => {
  const before = run().tree;
  const tree = await workspace.tree();
  const diff = when === 'after-turn' && before !== null ? await diffStat(workspace, before, tree) : undefined;
  return { outcome: { of: 'tree-read', tree, diff } };
};

async function diffStat(workspace: Workspace, { tree: from }: Tree, { tree: to }: Tree) {
  if (from === 'unknown' || to === 'unknown') return undefined;
  return workspace.diffStat?.(from, to).catch(() => undefined); // nothing is decided by these numbers
}

/**
 * Runs every check, in order, and takes the tree before and after: evidence we gathered ourselves. What fails is run
 * again; passing then is recorded as flaky. Where the checks wrote into the tree, or tests are new or changed, they
 * must pass once more: a test that passes only once would prove anything.
 */
export const runChecks: Handler<'checks-run'> = (effect, context) =>
  context.alone(() => gather(effect, context));

const gather: Handler<'checks-run'> = async (effect, { workspace, run }) => {
  const { checks, policy, baseline } = run();
  const isBaseline = effect.purpose === 'baseline';
  const runAll = async (): Promise<CheckResult[]> => {
    const results: CheckResult[] = [];
    for (const check of checks)
      results.push(
        await runOften(workspace, check, policy.limits.checkTimeoutMs, isBaseline ? 0 : rerunsMax),
      );
    return results;
  };
  const before = await workspace.tree();
  const results = await runAll();
  const after = await workspace.tree();
  const taken = { results, after, wrote: await pathsBetween(workspace, before, after) };
  if (isBaseline) return { outcome: { of: 'checks-run', before, ...bounded(taken), altered: [] } };
  const isNew = baseline !== null && (await touchesSuite(workspace, baseline.tree, after));
  const proven = taken.wrote.length > 0 || isNew ? await confirm(workspace, taken, runAll) : taken;
  const altered = baseline === null ? [] : await alteredSince(workspace, baseline.tree, proven.after, checks);
  return { outcome: { of: 'checks-run', before, ...bounded(proven), altered: altered.slice(0, 100) } };
};

interface Taken {
  readonly results: readonly CheckResult[];
  readonly after: Tree;
  readonly wrote: readonly string[];
}

const bounded = ({ results, after, wrote }: Taken) => ({
  results: [...results],
  after,
  wrote: wrote.slice(0, 100),
});

/** Runs the checks again until a pass changed nothing but what checks write anyway: then it is a pass of these files. */
async function confirm(
  workspace: Workspace,
  first: Taken,
  runAll: () => Promise<CheckResult[]>,
): Promise<Taken> {
  let taken = first;
  let moved: readonly string[] = [];
  for (let times = 0; times < confirmsMax && isGreen(taken.results); times++) {
    const results = confirmed(taken.results, await runAll());
    const after = await workspace.tree();
    moved = (await pathsBetween(workspace, taken.after, after)).filter((p) => !taken.wrote.includes(p));
    taken = { results, after, wrote: [...taken.wrote, ...moved] };
    if (moved.length === 0) return taken;
  }
  return isGreen(taken.results) ? { ...taken, results: unsettled(taken.results, moved) } : taken;
}

const isGreen = (results: readonly CheckResult[]): boolean => results.every((r) => r.outcome === 'passed');

/** Files that no check has seen as they are now: what passed is no proof of them. */
const unsettled = (results: readonly CheckResult[], moved: readonly string[]): CheckResult[] =>
  results.map((result) => ({
    ...result,
    outcome: 'not-run' as const,
    because: `files changed while the checks ran: ${moved.slice(0, 5).join(', ')}`.slice(0, 500),
  }));

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

/** A pass that does not repeat is a failure; one that repeats at the second try is a flaky one. */
function confirmed(first: readonly CheckResult[], second: readonly CheckResult[]): CheckResult[] {
  return first.map((result, i) => {
    const again = second[i] ?? result;
    const runs = (result.runs ?? 1) + (again.runs ?? 1);
    if (again.outcome !== 'passed')
      return { ...again, runs, because: 'it passed once and then did not pass again' };
    return { ...again, runs, flaky: result.flaky || again.flaky };
  });
}

/** Tests, or how they run, are new or changed since the baseline. */
async function touchesSuite(workspace: Workspace, baseline: string, now: Tree): Promise<boolean> {
  if (baseline === 'unknown' || now.tree === 'unknown' || now.tree === baseline) return false;
  const paths = (await workspace.changedPaths?.(baseline, now.tree)) ?? [];
  return paths.some((path) => suitePart(path) !== null);
}

const pathsBetween = async (workspace: Workspace, from: Tree, to: Tree): Promise<readonly string[]> =>
  from.tree === 'unknown' || to.tree === 'unknown' || from.tree === to.tree
    ? []
    : ((await workspace.changedPaths?.(from.tree, to.tree)) ?? []);

async function alteredSince(
  workspace: Workspace,
  baseline: string,
  now: Tree,
  checks: readonly Check[],
): Promise<readonly Alteration[]> {
  if (baseline === 'unknown' || now.tree === 'unknown')
    return [{ path: '.', part: 'tests', what: 'the files could not be compared with the baseline' }];
  return (await workspace.suiteAlterations?.(baseline, now.tree, checks)) ?? [];
}
