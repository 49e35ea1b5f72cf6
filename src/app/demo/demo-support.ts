import type { Clock, GateView, RunView, Store } from '../../contract/index.ts';
import { passesByItself } from '../../core/index.ts';
import { removesLegacy } from './script.ts';
import { makeSkippingClock } from './skipping-clock.ts';

/** Who answers in the demo when nobody wants to be asked: never taken for a person. */
export const standIn = 'stand-in (demo)';

/** What stands behind the scene of a demo: the clock that skips waits, and the stand-in. Part of its keeper. */
export interface DemoSupport {
  readonly clock: Clock;
  onView(view: RunView): void;
}

/** How a demo is recorded with its run, so that a later keeper plays it the same way. */
export const demoSetup = (paceMs: number, isAsking: boolean): Readonly<Record<string, string>> => ({
  clock: 'skipping',
  paceMs: String(paceMs),
  ...(isAsking ? {} : { standIn: 'demo' }),
});

/** The demo of a run whose setup asks for one; null for every other. */
export async function openDemoSupport(
  setup: Readonly<Record<string, string>>,
  store: Store,
  run: string,
): Promise<DemoSupport | null> {
  if (setup.clock !== 'skipping') return null;
  // Time that an earlier keeper has skipped has passed for this run.
  const clock = makeSkippingClock(((await store.view(run))?.updatedAt ?? 0) - Date.now());
  const paceMs = Number(setup.paceMs ?? 0);
  const answered = new Set<string>();
  let now: RunView | null = null;
  const later = (ms: number, act: () => void): void => void setTimeout(act, ms).unref();

  const skip = (until: number, ms: number): void =>
    later(ms, () => {
      if (now?.state === 'waiting' && now.until === until) clock.skip(until - clock.at());
    });
  const answer = (gate: GateView): void =>
    later(paceMs * 4, () => {
      // A store that cannot be written pauses the run by itself; the question stays open for a person.
      store.post(run, { type: 'gate-answered', gate: gate.id, by: standIn, ...answerTo(gate) }).catch(() => {
        answered.delete(gate.id);
      });
    });
  return {
    clock,
    onView(view) {
      const { state, waitingOn, until } = view;
      const isNews = now?.until !== until || now.state !== state;
      now = view;
      if (
        isNews &&
        state === 'waiting' &&
        until !== null &&
        waitingOn !== null &&
        passesByItself.has(waitingOn)
      )
        skip(until, waitingOn === 'usage-limit' ? paceMs * 4 : paceMs);
      if (setup.standIn !== 'demo') return;
      for (const gate of view.gates.filter(({ id }) => !answered.has(id))) {
        answered.add(gate.id);
        answer(gate);
      }
    },
  };
}

type Answer = { readonly answer: 'approve' | 'deny' | 'text'; readonly text?: { readonly text: string } };

function answerTo({ kind, asks, digest }: GateView): Answer & { readonly digest?: string } {
  if (kind === 'accept')
    return { answer: 'deny', text: { text: 'Put the test back: only the code under src/ is to change.' } };
  if (kind === 'input') return { answer: 'text', text: { text: 'Decide as you think best.' } };
  return asks.startsWith(removesLegacy) ? { answer: 'approve', digest } : { answer: 'deny' };
}
