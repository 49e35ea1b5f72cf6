import type { RunView } from '../../contract/view.ts';
import { runViewSchema } from '../../contract/view.ts';
import type { ViewText } from './requests.ts';

/** A stored view. One that cannot be read is shown as such, beside all others: its ledger is still there. */
export function readView({ run, view }: ViewText): RunView {
  let because: string;
  try {
    // A few views are checked in less time than a compiled check takes to make.
    const { data, error } = runViewSchema.safeParse(JSON.parse(view), { jitless: true });
    if (data) return data;
    because = error.issues.map(({ path, message }) => `${path.map(String).join('.')}: ${message}`).join('; ');
  } catch {
    because = 'it is not JSON';
  }
  return {
    id: run,
    state: 'paused',
    toggle: 'paused',
    waitingOn: null,
    until: null,
    because: `its stored view cannot be read (${because}); the ledger is untouched, opening the run writes the view anew`,
    cause: 'view-unreadable',
    workspace: '',
    agent: '',
    mission: '',
    turns: 0,
    turnsMax: 0,
    tokens: null,
    tokensMax: null,
    money: null,
    activeMs: 0,
    plan: null,
    lastDecision: null,
    gates: [],
    checks: [],
    createdAt: 0,
    updatedAt: 0,
    seq: 0,
  };
}
