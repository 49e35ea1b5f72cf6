import type { BackgroundTask, Entry, InputPart, OpenedFacts } from '../../src/contract/index.ts';
import { type LedgerRun, type LedgerRunOptions, ledgerRun } from '../../src/testkit/ledger-run.ts';
import { digestOf } from './asks.ts';

/** A run whose session was opened with what it proved and can do, and whose first turn is on its way or held back. */
export function opened(agent: OpenedFacts, options: LedgerRunOptions = {}): LedgerRun {
  const r = ledgerRun(options);
  r.outcome('session-open', { of: 'session-open', session: 's1', agent });
  r.prepare();
  return r;
}

export const build: BackgroundTask = { id: 'b1', kind: 'shell', label: 'npm run build' };

export const background = (r: LedgerRun, tasks: BackgroundTask[] = [build], session = 's1'): Entry =>
  r.onEvent({ type: 'background-changed', session, tasks });

/** A first turn that ended while its build still runs: what was decided then. */
export function busy(r: LedgerRun, message = 'the build runs'): Entry {
  r.launch();
  r.started();
  background(r);
  return r.ended({ message: { text: message } });
}

export const woken = (r: LedgerRun, turn = 'woken'): Entry =>
  r.onEvent({ type: 'turn-started', session: 's1', turn, origin: 'background' });

/** A sub-agent asks whether it may do something. */
export const subagentAsks = (r: LedgerRun, request: string, command = 'make deploy', session = 's1'): Entry =>
  r.onEvent({
    type: 'approval-asked',
    session,
    turn: 'of-the-child',
    request,
    action: { kind: 'command', rendered: { text: command }, digest: digestOf('a') },
    subagent: { id: 'a1', label: 'tests' },
  });

/** The newest input that was decided or sent. */
export const inputOf = (r: LedgerRun): readonly InputPart[] =>
  (r.run().launch ?? r.run().turn)?.input.parts ?? [];

export const kindsOf = (entry: Entry): readonly string[] => (entry.effects ?? []).map(({ type }) => type);
