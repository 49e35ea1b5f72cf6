import type { AgentEars, AgentSession, Event } from '../contract/index.ts';
import type { Run } from '../core/index.ts';
import type { House } from './house.ts';

export interface Ears extends AgentEars {
  /** Arms the silence watch when a turn runs, calls it off when none does. */
  watchSilence(): void;
  stop(): void;
}

/** What the agent says, and for how long it has said nothing. Silence is measured here and is one event. */
export function makeEars(
  house: House,
  id: string,
  put: (event: Event, body?: string) => void,
  run: () => Run,
  sessions: ReadonlyMap<string, AgentSession>,
): Ears {
  let heardMono = house.clock.mono();
  let off: (() => void) | null = null;
  const look = async (): Promise<void> => {
    off = null;
    const { turn, policy, gates } = run();
    if (turn === null || turn.turn === null) return;
    const silentMs = house.clock.mono() - heardMono;
    if (gates.length > 0)
      heardMono = house.clock.mono(); // waiting for a person is not the agent's silence
    else if (silentMs >= policy.limits.turnSilenceMs) {
      const working = await sessions.get(turn.session)?.working?.();
      if (working === true) heardMono = house.clock.mono();
      else return put({ type: 'turn-silent', session: turn.session, turn: turn.turn, silentMs });
    }
    watch();
  };
  const watch = (): void => {
    const { turn, policy } = run();
    if (off !== null || turn === null) return;
    const left = policy.limits.turnSilenceMs - (house.clock.mono() - heardMono);
    off = house.clock.after(Math.max(1, left), () => void look());
  };
  return {
    hear(event, body) {
      heardMono = house.clock.mono();
      put(event, body);
    },
    live(frame) {
      heardMono = house.clock.mono();
      house.onLive?.(frame);
    },
    async childStarted(pid) {
      const pidStart = house.startOf(pid);
      if (pidStart !== null) await house.store.noteChild(id, { pid, pidStart, host: house.holder.host });
    },
    watchSilence() {
      if (run().turn === null) {
        off?.();
        off = null;
      } else if (off === null) {
        heardMono = house.clock.mono();
        watch();
      }
    },
    stop() {
      off?.();
      off = null;
    },
  };
}
