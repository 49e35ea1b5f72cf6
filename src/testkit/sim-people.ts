import type { Event, LimitName, Policy, RunView } from '../contract/index.ts';
import type { Dice } from './dice.ts';

const by = 'somebody';

/** One thing a person does while the run is at work. */
export function drawAct(dice: Dice, n: number): Event {
  const roll = dice.roll();
  if (roll < 0.35) return { type: 'steer-given', text: { text: `also look at place ${n}.` }, by };
  if (roll < 0.6) return { type: 'person-asked', ask: 'pause', now: dice.chance(0.5), by };
  if (roll < 0.78) return { type: 'person-asked', ask: 'resume', by };
  if (roll < 0.84) return { type: 'person-asked', ask: 'stop', now: dice.chance(0.5), by };
  if (roll < 0.87) return { type: 'person-asked', ask: 'off', now: dice.chance(0.5), by };
  if (roll < 0.95) return { type: 'limits-changed', limits: { turnsMax: dice.between(3, 30) }, by };
  return { type: 'gate-answered', gate: 'g1', answer: 'approve', by };
}

/** An answer to an open question: mostly fitting, sometimes of the wrong kind or to another action. */
export function drawAnswer(dice: Dice, gate: RunView['gates'][number]): Event {
  const kinds =
    gate.kind === 'input' ? (['text', 'text', 'deny'] as const) : (['approve', 'approve', 'deny'] as const);
  const answer = dice.chance(0.95) ? dice.pick(kinds) : dice.pick(['approve', 'deny', 'text'] as const);
  const digest = dice.chance(0.9) ? gate.digest : 'f'.repeat(64);
  const text = answer === 'approve' ? {} : { text: { text: 'because I say so' } };
  return { type: 'gate-answered', gate: gate.id, answer, digest, ...text, by };
}

const raised: Partial<Record<LimitName, (policy: Policy, now: number) => number>> = {
  turnsMax: ({ limits }) => limits.turnsMax + 3,
  tokensMax: ({ limits }) => (limits.tokensMax ?? 0) + 5_000,
  moneyMax: ({ limits }) => (limits.moneyMax ?? 0) + 2,
  activeHoursMax: ({ limits }) => limits.activeHoursMax + 0.05,
  until: (_policy, now) => now + 3_600_000,
  cyclesMax: ({ limits }) => limits.cyclesMax + 1,
};

/** What a person does about a paused run: raises the limit behind it, or not, and resumes. */
export function resumePaused(dice: Dice, view: RunView, policy: Policy, now: number): readonly Event[] {
  const name = (view.cause ?? '').replace('limit:', '') as LimitName;
  const raise = raised[name];
  const resume: Event = { type: 'person-asked', ask: 'resume', by };
  if (raise === undefined || dice.chance(0.2)) return [resume];
  return [{ type: 'limits-changed', limits: { [name]: raise(policy, now) }, by }, resume];
}
