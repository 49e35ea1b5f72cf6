import { ModelFailure } from '../../contract/index.ts';
import { adviceFactsOf, toolAskedOf } from '../../core/models/index.ts';
import type { Handler } from './context.ts';
import { failureOf } from './failure-of.ts';

export const requestSlot: Handler<'slot-request'> = async (_effect, { slots, run }) => {
  await slots.request(run().id);
  return { outcome: { of: 'slot-request' } };
};

export const askAdvice: Handler<'advice-ask'> = async (_effect, { advise, run }) => {
  if (advise === undefined)
    return {
      outcome: { of: 'advice-ask', failure: { kind: 'setup', message: 'no decision model is configured' } },
    };
  try {
    const { usage, ...advice } = await advise(adviceFactsOf(run()));
    return { outcome: { of: 'advice-ask', advice, usage } };
  } catch (error) {
    const usage = error instanceof ModelFailure ? error.usage : undefined;
    return { outcome: { of: 'advice-ask', failure: failureOf(error), usage } };
  }
};

export const adviseInput: Handler<'input-advise'> = async (effect, { adviseTool, run }) => {
  if (adviseTool === undefined)
    return {
      outcome: { of: 'input-advise', failure: { kind: 'setup', message: 'no decision model is configured' } },
    };
  try {
    const { usage, ...advised } = await adviseTool(toolAskedOf(run(), effect.questions));
    return { outcome: { of: 'input-advise', advised, usage } };
  } catch (error) {
    const usage = error instanceof ModelFailure ? error.usage : undefined;
    return { outcome: { of: 'input-advise', failure: failureOf(error), usage } };
  }
};

/** A person who cannot be told is not told; the gate stays open and the run goes on waiting. */
export const openGate: Handler<'gate-open'> = async (effect, { notify, run }) => {
  const { id } = run();
  const ok = await told(() =>
    notify({
      key: `${id}/${effect.gate}`,
      title: 'Tireless needs you',
      text: `${effect.because}: ${effect.asks.text.slice(0, 300)}`,
      run: id,
      gate:
        effect.kind === 'input'
          ? undefined
          : { id: effect.gate, digest: effect.digest, expiresAt: effect.expiresAt },
    }),
  );
  return { outcome: { of: 'gate-open', ok } };
};

export const sendNote: Handler<'notify'> = async (effect, { notify, run }) => {
  const ok = await told(() =>
    notify({ key: effect.key, title: effect.title, text: effect.text, run: run().id }),
  );
  return { outcome: { of: 'notify', ok } };
};

async function told(tell: () => Promise<void>): Promise<boolean> {
  try {
    await tell();
    return true;
  } catch {
    return false; // recorded as the outcome
  }
}
