import { type EventOf, factCharsMax, type Text } from '../../contract/index.ts';
import { bounds } from '../bounds.ts';
import { acceptedCertificate } from '../completion/certificate.ts';
import { move } from '../fold/lifecycle.ts';
import { toDeciding } from '../fold/to-deciding.ts';
import { boundedTexts } from '../fold/unsent.ts';
import { type Gate, lastOf, type Run } from '../run.ts';
import { withUnused } from './deliver.ts';
import { isAlive, isOverTools, isReachGate, withoutGate, workAgain } from './gates.ts';

/**
 * A person answered. The answer is bound to the exact action by digest and used once; one that matches no open gate
 * changes nothing. If the agent has died, an approval waits until the same action is asked about again.
 */
export function foldGateAnswer(run: Run, event: EventOf<'gate-answered'>): Run | null {
  const gate = run.gates.find((g) => g.id === event.gate);
  if (gate === undefined) return approvedLate(run, event);
  if (event.digest !== undefined && event.digest !== gate.digest) return null;
  if (event.answer === 'text' && gate.kind === 'approval') return null;
  if (event.answer === 'approve' && gate.kind === 'input') return null;
  const next: Run = withShapes({ ...withoutGate(run, gate), expiriesInRow: 0 }, gate, event);
  if (gate.kind === 'accept') return acceptAnswered(next, event);
  if (isReachGate(gate)) return reachAnswered(next, event);
  if (gate.request === null) return adviceAnswered(next, event);
  if (isAlive(run, gate)) return workAgain(next);
  if (event.answer === 'approve') return withUnused(next, { digest: gate.digest, gate: gate.id });
  // The agent that asked is gone: the answer goes into the next input.
  return event.answer === 'text' && event.text !== undefined
    ? { ...next, steers: boundedTexts([...next.steers, wordsAbout(gate, event.text)]) }
    : next;
}

/** By then the agent may have forgotten what it asked. */
const wordsAbout = (gate: Gate, said: Text): Text =>
  isOverTools(gate)
    ? {
        ...said,
        text: `You asked: ${gate.asks.text.slice(0, bounds.unansweredCharsMax)}\n\nThe answer: ${said.text}`.slice(
          0,
          factCharsMax,
        ),
      }
    : said;

/**
 * A person approves an action whose gate expired. It was denied and the agent went on; now the agent is told that it may
 * do it, and the approval waits until the same action is asked about again. The digest is required: no gate is open.
 */
function approvedLate(run: Run, event: EventOf<'gate-answered'>): Run | null {
  const isIt = (g: Gate): boolean =>
    g.id === event.gate && g.digest === event.digest && g.kind === 'approval';
  const gate = run.unanswered.find(isIt);
  if (gate === undefined || event.answer !== 'approve') return null;
  const text = `A person now approves what nobody answered in time. Do exactly this again, it is allowed once:\n${gate.asks.text}`;
  const next: Run = {
    ...withUnused(run, { digest: gate.digest, gate: gate.id, late: true }),
    unanswered: run.unanswered.filter((g) => g !== gate),
    steers: boundedTexts([...run.steers, { text }]),
    expiriesInRow: 0,
  };
  return withShapes(next, gate, event);
}

/** A person allowed a shape for this run. Actions that may only be approved one at a time have none. */
function withShapes(run: Run, gate: Gate, event: EventOf<'gate-answered'>): Run {
  if (event.answer !== 'approve' || event.shape !== true || gate.never) return run;
  const allow = (shapes: Run['shapes'], shape: string): Run['shapes'] =>
    lastOf(shapes, { shape, kinds: gate.kinds, gate: gate.id, times: 0 }, bounds.shapesMax);
  return { ...run, shapes: gate.shapes.reduce(allow, run.shapes) };
}

const notAccepted = { text: 'A person looked at the work and did not accept it as done. Go on.' };

/**
 * A person judged the work. Without checks their approval is the evidence; where the proof was altered it counts for
 * what they were shown, and the checks run again. A denial with a text is steering.
 */
function acceptAnswered(run: Run, event: EventOf<'gate-answered'>): Run {
  const isYes = event.answer === 'approve';
  const steers = isYes ? run.steers : boundedTexts([...run.steers, event.text ?? notAccepted]);
  const shown = run.proof?.certificate.because ?? [];
  const proof =
    isYes && run.checks.length === 0
      ? { certificate: acceptedCertificate(run.claim, run.tree?.tree ?? 'unknown', event.by), results: [] }
      : null;
  const accepted = isYes ? { by: event.by, because: shown } : null;
  return backToDeciding(
    { ...run, steers, proof, accepted, claim: isYes ? run.claim : null, reviewed: lookedAt(run, isYes) },
    isYes ? 'the person accepted what they were shown' : 'the person did not accept the work',
  );
}

/** A person's judgement counts as a review. */
const lookedAt = ({ reviewed }: Run, isYes: boolean): Run['reviewed'] =>
  reviewed.rounds === 0 ? reviewed : { rounds: 0, isPassed: isYes, isUnclear: false };

/** The guard sees less than was confirmed. A yes confirms what it does see; a no pauses. */
function reachAnswered(run: Run, event: EventOf<'gate-answered'>): Run {
  if (event.answer !== 'approve') {
    const because = 'the person did not agree to what the guard sees';
    return backToDeciding({ ...run, reachDenied: true }, because);
  }
  const agent = { ...run.agent, sees: run.proven ?? run.agent.sees };
  return backToDeciding({ ...run, agent }, 'the person confirmed what the guard sees');
}

/** Our own question, not an agent's: a text is directions, a denial pauses. */
function adviceAnswered(run: Run, event: EventOf<'gate-answered'>): Run {
  const steers = event.text === undefined ? run.steers : boundedTexts([...run.steers, event.text]);
  const asked = event.answer === 'deny' ? { ...run.asked, pause: true } : run.asked;
  return backToDeciding({ ...run, steers, asked, refusals: null }, 'the person answered');
}

/** What was on its way to the agent meanwhile waits for the next input. */
function backToDeciding(run: Run, because: string): Run {
  if (run.state !== 'waiting' || run.turn !== null) return run;
  return run.launch === null ? move(run, 'deciding', { because }) : toDeciding(run, because);
}
