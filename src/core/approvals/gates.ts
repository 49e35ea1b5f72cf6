import {
  type EffectOf,
  type EventOf,
  factCharsMax,
  type Text,
  toolRequestPrefix,
} from '../../contract/index.ts';
import { bounds } from '../bounds.ts';
import { acceptedCertificate } from '../completion/certificate.ts';
import { interrupted, move } from '../fold/lifecycle.ts';
import { boundedTexts } from '../fold/unsent.ts';
import { type Gate, lastOf, type Run, type UnusedApproval, without } from '../run.ts';

export const gateTimer = (gate: string): string => `gate:${gate}`;

const withoutGate = (run: Run, gate: Gate): Run => ({
  ...run,
  gates: run.gates.filter((g) => g.id !== gate.id),
  timers: without(run.timers, gateTimer(gate.id)),
});

/** The run without some of its gates, and without their clocks. */
export const withoutGates = (run: Run, gone: (gate: Gate) => boolean): Run =>
  run.gates.filter(gone).reduce(withoutGate, run);

/** Can the agent that asked still be answered? Its session is open and the turn it asked in goes on. */
export const isAlive = (run: Run, gate: Pick<Gate, 'session' | 'turn' | 'request'>): boolean =>
  gate.request !== null &&
  run.session?.open === true &&
  run.session.id === gate.session &&
  (run.foreign === gate.turn || run.turn?.turn === gate.turn);

/**
 * A person answered. The answer is bound to the exact action by digest and used once; one that fits no open gate
 * changes nothing. Approved after the agent's death, it waits for the same action to be asked again.
 */
export function foldGateAnswer(run: Run, event: EventOf<'gate-answered'>): Run | null {
  const gate = run.gates.find((g) => g.id === event.gate);
  if (gate === undefined) return approvedLate(run, event);
  if (event.digest !== undefined && event.digest !== gate.digest) return null;
  if (event.answer === 'text' && gate.kind === 'approval') return null;
  if (event.answer === 'approve' && gate.kind === 'input') return null;
  const next: Run = withShapes({ ...withoutGate(run, gate), expiriesInRow: 0 }, gate, event);
  if (gate.kind === 'accept') return acceptAnswered(next, event);
  if (gate.request === null) return adviceAnswered(next, event);
  if (isAlive(run, gate)) return workAgain(next);
  if (event.answer === 'approve') return withUnused(next, { digest: gate.digest, gate: gate.id });
  // The agent that asked is gone, the words are not: they are the next thing it hears.
  return event.answer === 'text' && event.text !== undefined
    ? { ...next, steers: boundedTexts([...next.steers, wordsAbout(gate, event.text)]) }
    : next;
}

/** A question over our tools outlives its turn: the person may take their time, and the answer waits for the agent. */
export const isOverTools = (gate: Pick<Gate, 'request'>): boolean =>
  gate.request?.startsWith(toolRequestPrefix) === true;

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
 * A person approves what nobody answered in time. The agent heard no and went on; now it hears that it may, and the
 * approval waits for the same action to be asked again. The digest is demanded: this is no open question.
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

/** A person allowed a shape for this run. The never list and what is asked about one at a time have none. */
function withShapes(run: Run, gate: Gate, event: EventOf<'gate-answered'>): Run {
  if (event.answer !== 'approve' || event.shape !== true || gate.never) return run;
  const allow = (shapes: Run['shapes'], shape: string): Run['shapes'] =>
    lastOf(shapes, { shape, kinds: gate.kinds, gate: gate.id, times: 0 }, bounds.shapesMax);
  return { ...run, shapes: gate.shapes.reduce(allow, run.shapes) };
}

/** An approval whose request was lost: it applies once, to the same action. */
export const withUnused = (run: Run, approval: UnusedApproval): Run => ({
  ...run,
  unusedApprovals: lastOf(run.unusedApprovals, approval, bounds.gatesMax),
});

const notAccepted = { text: 'A person looked at the work and did not accept it as done. Go on.' };

/**
 * A person looked at the work. Without checks their yes is the evidence; where the proof was altered it counts for
 * what they were shown, and the checks run again. A no with words is steering.
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

/** A person's look is worth a review. */
const lookedAt = ({ reviewed }: Run, isYes: boolean): Run['reviewed'] =>
  reviewed.rounds === 0 ? reviewed : { rounds: 0, isPassed: isYes, isUnclear: false };

/** A question of our own, not an agent's: words are directions, a no pauses. */
function adviceAnswered(run: Run, event: EventOf<'gate-answered'>): Run {
  const steers = event.text === undefined ? run.steers : boundedTexts([...run.steers, event.text]);
  const asked = event.answer === 'deny' ? { ...run.asked, pause: true } : run.asked;
  return backToDeciding({ ...run, steers, asked, refusals: null }, 'the person answered');
}

const backToDeciding = (run: Run, because: string): Run =>
  run.state === 'waiting' && run.turn === null ? move(run, 'deciding', { because }) : run;

/** The last question of a running turn was answered: the turn goes on. */
function workAgain(run: Run): Run {
  const open = run.gates.some((gate) => isAlive(run, gate));
  return !open && run.turn !== null && run.state === 'waiting'
    ? move(run, 'running', { because: 'every question of this turn was answered' })
    : run;
}

/** The agent no longer waits for an answer. */
export function foldWithdrawn(run: Run, event: EventOf<'request-withdrawn'>): Run | null {
  const isIt = ({ session, request }: { session: string | null; request: string | null }): boolean =>
    request === event.request && session === event.session;
  const gate = run.gates.find(isIt);
  if (gate !== undefined) return workAgain(withoutGate(run, gate));
  // A model that still thinks about it is not heard any more.
  const pending = run.pending.filter((one) => one.type !== 'input-advise' || !isIt(one));
  return pending.length === run.pending.length ? null : { ...run, pending };
}

/** Nobody answered in time. What that means is the policy's to say; it is never an approval. */
export function expireGate(run: Run, timer: string): Run | null {
  const gate = run.gates.find((g) => gateTimer(g.id) === timer);
  if (gate === undefined) return null;
  const asks = gate.asks.text.slice(0, bounds.unansweredCharsMax);
  const next: Run = {
    ...withoutGate(run, gate),
    expiriesInRow: run.expiriesInRow + 1,
    unanswered: lastOf(run.unanswered, { ...gate, asks: { text: asks } }, bounds.unansweredMax),
  };
  if (run.policy.gates.whenUnanswered !== 'stop') return workAgain(next);
  const stopped: Run = { ...next, unansweredStop: asks };
  if (stopped.turn === null)
    return stopped.state === 'waiting'
      ? move(stopped, 'deciding', { because: 'a question stayed unanswered' })
      : stopped;
  return workAgain(interrupted(stopped, 'person'));
}

/**
 * A gate as its effect describes it. A newer request for the same action replaces the older; a gate that is told
 * again after a restart is the one that is open.
 */
export function openGate(run: Run, effect: EffectOf<'gate-open'>): Run {
  if (run.gates.some((g) => g.id === effect.gate)) return run;
  const gate: Gate = {
    id: effect.gate,
    kind: effect.kind,
    session: effect.session ?? null,
    turn: effect.turn ?? null,
    request: effect.request ?? null,
    asks: { ...effect.asks, text: effect.asks.text.slice(0, bounds.gateAsksCharsMax) },
    digest: effect.digest,
    because: effect.because,
    rule: effect.rule,
    never: effect.never === true,
    ...foundBy(effect),
    askedAt: run.at,
    expiresAt: effect.expiresAt,
  };
  const kept = withoutGates(
    run,
    (g) =>
      g.kind === gate.kind &&
      (g.digest === gate.digest ||
        (g.request !== null && g.request === gate.request && g.session === gate.session)),
  );
  const opened: Run = { ...kept, gates: [...kept.gates, gate] };
  if (opened.turn === null || opened.turn.turn !== gate.turn || opened.state === 'waiting') return opened;
  const on = gate.kind === 'approval' ? 'approval' : 'input';
  // A turn that waits for an answer would not end by itself, and nobody wants it to go on.
  const wanted = run.asked.stop || run.asked.off ? interrupted(opened, 'person') : opened;
  return move(wanted, 'waiting', {
    because: gate.because,
    waiting: { on, until: gate.expiresAt, because: gate.because },
  });
}

/** What the guard found out about the action, and what was offered as answers. */
const foundBy = (
  effect: EffectOf<'gate-open'>,
): Pick<Gate, 'action' | 'instead' | 'destructive' | Lists> => ({
  action: effect.action ?? null,
  instead: effect.instead ?? null,
  effects: effect.effects ?? [],
  kinds: effect.kinds ?? [],
  shapes: effect.shapes ?? [],
  options: effect.options ?? [],
  destructive: effect.destructive === true,
});
type Lists = 'effects' | 'kinds' | 'shapes' | 'options';

/** An approval that waited for its action is used: once. */
export function useApproval(run: Run, gate: string | undefined): Run {
  const left = run.unusedApprovals.filter((a) => a.gate !== gate);
  return left.length === run.unusedApprovals.length ? run : { ...run, unusedApprovals: left };
}

/** The rule behind an automatic approval by a shape that a person allowed at this question. */
export const shapeRule = (gate: string): string => `shape:${gate}`;

const shapeUsed = (run: Run, rule: string): Run => {
  const at = run.shapes.findIndex((one) => shapeRule(one.gate) === rule);
  const shapes = run.shapes.map((one, i) => (i === at ? { ...one, times: one.times + 1 } : one));
  return at === -1 ? run : { ...run, shapes };
};

/** Denials are remembered: too many in one turn, or one of the never list, are an unsafe context. */
export function noteAnswer(run: Run, effect: EffectOf<'request-answer'>): Run {
  const next = useApproval(run, effect.gate);
  if (effect.answer !== 'deny') return shapeUsed(next, effect.rule);
  const unsafe =
    effect.never === true ? `the agent attempted what is never allowed: ${effect.because}` : next.unsafe;
  // Nobody said no: unanswered questions are counted by themselves.
  const isNo = effect.rule !== 'gate-expired';
  const turn = next.turn === null || !isNo ? next.turn : { ...next.turn, denials: next.turn.denials + 1 };
  if (effect.action === undefined) return { ...next, unsafe, turn };
  const denial = { rendered: effect.action, because: effect.because.slice(0, bounds.actionCharsMax) };
  return { ...next, unsafe, turn, denied: lastOf(next.denied, denial, bounds.deniedMax) };
}
