import type { Summary } from '../../contract/index.ts';
import type { Run } from '../run.ts';

/** The turn as the rules saw it: the inputs of a receipt. */
export function summarise(run: Run): Summary {
  const { last } = run;
  return {
    turn: run.turns,
    lastTurn: last?.status ?? null,
    failure: last?.failure?.kind ?? null,
    tree: run.tree?.tree ?? 'unknown',
    changed: [...run.changed],
    noProgressTurns: run.noProgressTurns,
    items: last?.items ?? 0,
    failedItems: last?.failedItems ?? 0,
    plan: run.plan === null ? null : `${run.plan.done}/${run.plan.total}`,
    tokens: run.usage.tokens,
    money: run.usage.money,
    activeMs: Math.round(run.activeMs),
    openGates: run.gates.length,
    denials: last?.denials ?? 0,
    compactions: run.compactions.length,
    failuresInRow: run.failuresInRow,
    claim: run.claim?.via ?? null,
    checks:
      run.proof === null
        ? null
        : `${run.proof.certificate.verdict}: ${run.proof.results.map((r) => `${r.name} ${r.outcome}`).join(', ')}`,
    recent: run.recent.map((d) => `${d.verdict} (${d.rule})`),
  };
}
