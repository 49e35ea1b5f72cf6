import type {
  Advice,
  CheckResult,
  Recalled,
  Summarised,
  ToolAdvised,
  ToolAsked,
  Workspace,
} from '../contract/index.ts';
import type { Dice } from './dice.ts';
import type { SimProcess } from './sim-process.ts';
import type { SimulatedClock } from './simulated-clock.ts';

/** The files as they are, whoever changed them. */
export interface SimFiles {
  tree: number;
  head: number;
  /** How often a check fails here. */
  readonly failing: number;
  /** How often somebody touches the proof itself. */
  readonly altering: number;
}

const id = (n: number): string => n.toString(16).padStart(40, '0');

/** Later, on the simulated clock. */
const after = (clock: SimulatedClock, ms: number): Promise<void> =>
  new Promise((resolve) => void clock.after(ms, resolve));

export function simWorkspace(
  { clock, dice, files }: { clock: SimulatedClock; dice: Dice; files: SimFiles },
  keeper: SimProcess,
): Workspace {
  return {
    path: '/work',
    tree: () =>
      keeper.act(async () => {
        if (dice.chance(0.1)) await after(clock, dice.between(1, 5_000));
        if (dice.chance(0.04)) return { tree: 'unknown', head: null, because: 'it took too long' };
        return { tree: id(files.tree), head: files.head === 0 ? null : id(files.head) };
      }),
    check: ({ name, command }) =>
      keeper.act(async () => {
        await after(clock, dice.between(10, 20_000));
        const outcome = dice.chance(files.failing) ? dice.pick(['failed', 'timed-out'] as const) : 'passed';
        const result: CheckResult = {
          name,
          command,
          outcome,
          exitCode: outcome === 'passed' ? 0 : 1,
          durationMs: 10,
          outputDigest: '0'.repeat(64),
          tail: { text: `${name} ${outcome}` },
        };
        return result;
      }),
    savepoint: () =>
      keeper.act(async () => {
        if (dice.chance(0.2)) throw new Error('the files could not be kept');
      }),
    changedPaths: async () => (dice.chance(0.3) ? ['coverage/lcov.info'] : []),
    suiteAlterations: async () =>
      dice.chance(files.altering) ? [{ path: 'test/a.test.ts', part: 'tests', what: 'a test is gone' }] : [],
  };
}

/** A decision model as they are: mostly sensible, sometimes slow, silent or confused. */
export async function simAdvice(clock: SimulatedClock, dice: Dice): Promise<Advice> {
  await after(clock, dice.between(10, dice.chance(0.1) ? 120_000 : 2_000));
  if (dice.chance(0.15)) throw new Error('the model is overloaded');
  const action = dice.chance(0.7)
    ? 'continue'
    : dice.pick(['continue', 'pause', 'stop', 'review', 'unknown'] as const);
  return {
    action,
    reason: 'it looks that way',
    problems: [],
    raw: { text: '{"action":…}' },
    confidence: dice.chance(0.05) ? null : 0.4 + dice.roll() * 0.6,
    claimsDone: dice.chance(0.05) ? true : undefined,
    nextInput: dice.chance(0.3) ? { text: 'try the other way' } : undefined,
  };
}

/** The same model, asked in a person's place. */
export async function simToolAdvice(
  clock: SimulatedClock,
  dice: Dice,
  questions: ToolAsked['questions'],
): Promise<ToolAdvised> {
  await after(clock, dice.between(10, dice.chance(0.1) ? 120_000 : 2_000));
  if (dice.chance(0.15)) throw new Error('the model is overloaded');
  return {
    problems: [],
    isSure: dice.chance(0.9),
    model: 'simulated',
    confidence: dice.roll(),
    answers: dice.chance(0.9) ? questions.map(({ id }) => ({ id, answer: 'left' })) : null,
  };
}

/** A summariser as they are: mostly good, sometimes slow, failing or hanging. */
export async function simSummary(clock: SimulatedClock, dice: Dice, cycle: number): Promise<Summarised> {
  await after(clock, dice.between(10, dice.chance(0.1) ? 900_000 : 5_000));
  if (dice.chance(0.2)) throw new Error('the model is overloaded');
  const usage = dice.chance(0.5) ? { usage: { totalTokens: dice.between(10, 500) } } : {};
  return { summary: `cycle ${cycle} did this`, memories: [`m${cycle}`], diagnostics: [], ...usage };
}

export async function simRecall(dice: Dice): Promise<Recalled> {
  if (dice.chance(0.1)) throw new Error('the memory is locked');
  const memories = [{ id: 'm', text: '- (fact) the tests need a database' }];
  return { memories: dice.chance(0.7) ? memories : [], leftOut: 0 };
}

/** The next turn may have to wait for others. */
export const simSlot = (clock: SimulatedClock, dice: Dice): Promise<void> =>
  dice.chance(0.8) ? Promise.resolve() : after(clock, dice.between(1, 60_000));
