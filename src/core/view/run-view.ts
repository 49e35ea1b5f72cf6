import type { GateView, RunView } from '../../contract/index.ts';
import { fullness } from '../cycle/cycle.ts';
import { isTerminal, type Run } from '../run.ts';

/** The run as people and scripts see it: derived, never read back. */
export function viewOf(run: Run): RunView {
  const decision = run.recent.at(-1);
  const { limits } = run.policy;
  return {
    id: run.id,
    state: run.state,
    toggle: toggleOf(run),
    waitingOn: run.waiting?.on ?? null,
    until: run.waiting?.until ?? null,
    because: run.because,
    cause: run.cause,
    workspace: run.workspace,
    agent: run.agent.name,
    mission: run.mission.text.slice(0, 500),
    turns: run.turns,
    turnsMax: limits.turnsMax,
    tokens: run.usage.tokens,
    tokensMax: limits.tokensMax ?? null,
    money: run.usage.money,
    activeMs: Math.round(run.activeMs),
    plan:
      run.plan === null
        ? null
        : {
            done: run.plan.done,
            total: run.plan.total,
            current: run.plan.current,
            steps: run.plan.steps.length === 0 ? undefined : [...run.plan.steps],
          },
    background: run.background.length === 0 ? undefined : [...run.background],
    agentFacts: run.proven === null ? run.agent : { ...run.agent, sees: run.proven },
    lastDecision: decision ?? null,
    gates: run.gates.map(gateView),
    unanswered: run.unanswered.filter(({ kind }) => kind === 'approval').map(gateView),
    shapes: run.shapes.map(({ shape, gate, times }) => ({ shape, gate, times })),
    ...cycleView(run),
    ...tasksView(run),
    checks: run.checks.map((check) => ({
      name: check.name,
      outcome: run.proof?.results.find((r) => r.name === check.name)?.outcome ?? 'not yet',
    })),
    createdAt: run.createdAt,
    updatedAt: run.at,
    seq: run.seq,
  };
}

function cycleView(run: Run): Pick<RunView, 'cycle'> {
  if (run.mode !== 'autonomous') return {};
  const full = fullness(run);
  const share = full === null ? null : Math.round(full * 1_000) / 1_000;
  return { cycle: { n: run.cycle.n, max: run.policy.limits.cyclesMax, full: share } };
}

function tasksView({ tasks: { list } }: Run): Pick<RunView, 'tasks'> {
  if (list.length === 0) return {};
  const [done, blocked] = ['done', 'blocked'].map(
    (status) => list.filter((task) => task.status === status).length,
  ) as [number, number];
  return { tasks: { open: list.length - done - blocked, blocked, done, total: list.length } };
}

const toggleOf = (run: Run): RunView['toggle'] =>
  isTerminal(run.state) ? 'stopped' : run.state === 'paused' ? 'paused' : 'running';

const gateView = (gate: Run['gates'][number]): GateView => ({
  id: gate.id,
  kind: gate.kind,
  asks: gate.asks.text,
  because: gate.because,
  digest: gate.digest,
  askedAt: gate.askedAt,
  expiresAt: gate.expiresAt,
  rule: gate.rule,
  never: gate.never,
  destructive: gate.destructive,
  effects: [...gate.effects],
  shapes: [...gate.shapes],
  action: gate.action ?? undefined,
  instead: gate.instead ?? undefined,
  options: gate.options.length === 0 ? undefined : [...gate.options],
});
