import type { AgentListener, AgentSession, Event } from '../contract/index.ts';
import { isAlive, type Run } from '../core/index.ts';
import type { Dependencies } from './dependencies.ts';

export interface RunListener extends AgentListener {
  /** Arms the silence watch when a turn runs, calls it off when none does. */
  watchSilence(): void;
  /** The machine slept: time that monotonic time counted meanwhile is nobody's silence. */
  slept(countedMs: number): void;
  stop(): void;
}

/** What the agent says, and for how long it has said nothing. Silence is measured here and is one event. */
export function makeListener(
  deps: Dependencies,
  id: string,
  put: (event: Event, body?: string) => void,
  run: () => Run,
  sessions: Map<string, AgentSession>,
): RunListener {
  const { clock } = deps;
  let heardMono = clock.mono();
  let off: (() => void) | null = null;

  const silentMs = (): number => clock.mono() - heardMono;
  const isSilent = (): boolean => silentMs() >= run().policy.limits.turnSilenceMs;
  const look = async (): Promise<void> => {
    off = null;
    const { turn, gates } = run();
    if (turn === null || turn.phase === 'doubt') return;
    // Waiting for a person is not the agent's silence, and neither is a child process at work.
    if (gates.some((gate) => isAlive(run(), gate))) heardMono = clock.mono();
    else if (isSilent() && (await isWorking(sessions.get(turn.session)))) heardMono = clock.mono();
    else if (isSilent() && run().turn?.dispatch === turn.dispatch) {
      const { session, dispatch } = turn;
      put({ type: 'turn-silent', session, turn: run().turn?.turn ?? dispatch, silentMs: silentMs() });
      return;
    }
    watch();
  };
  const watch = (): void => {
    const { turn, policy } = run();
    if (off !== null || turn === null) return;
    off = clock.after(Math.max(1, policy.limits.turnSilenceMs - silentMs()), () => void look());
  };
  return {
    onEvent(event, body) {
      heardMono = clock.mono();
      const changed = event.type === 'session-changed' ? sessions.get(event.session) : undefined;
      if (event.type === 'session-changed' && changed !== undefined) sessions.set(event.to, changed);
      put(event, body);
    },
    onLive(frame) {
      heardMono = clock.mono();
      deps.onLive?.(frame);
    },
    async onChildStarted(pid) {
      const pidStart = deps.startOf(pid);
      if (pidStart !== null) await deps.store.noteChild(id, { pid, pidStart, host: deps.holder.host });
    },
    watchSilence() {
      if (run().turn === null) {
        off?.();
        off = null;
      } else if (off === null) {
        heardMono = clock.mono();
        watch();
      }
    },
    slept(countedMs) {
      heardMono = Math.min(clock.mono(), heardMono + countedMs);
    },
    stop() {
      off?.();
      off = null;
    },
  };
}

/** An agent that cannot say whether it works is not known to. */
async function isWorking(session: AgentSession | undefined): Promise<boolean> {
  try {
    return (await session?.working?.()) === true;
  } catch {
    return false; // the silence it is asked about is the event
  }
}
