import { type Command, InvalidArgumentError } from 'commander';
import { autonomousCyclesMax, type Limits } from '../../contract/index.ts';
import { momentAt } from '../../edge/config/moments.ts';

export interface LimitFlags {
  readonly turns?: number;
  readonly tokens?: number;
  readonly money?: number;
  readonly hours?: number;
  readonly until?: string;
}

const positive = (whole: boolean) => (text: string) => {
  const n = Number(text.replaceAll('_', ''));
  if (!Number.isFinite(n) || n <= 0 || (whole && !Number.isInteger(n)))
    throw new InvalidArgumentError(`It must be a ${whole ? 'whole ' : ''}number above 0.`);
  return n;
};

/** Reads a whole number above 0, or says that one is needed. */
export const wholeNumber = positive(true);

const readMoment = (text: string): string => {
  if (momentAt(text, Date.now()) === undefined)
    throw new InvalidArgumentError('It must be a time such as 07:30 or 2031-05-01T07:30.');
  return text;
};

/** How many cycles a run may use. */
export const cycleCount = (text: string): number => {
  const n = wholeNumber(text);
  if (n > autonomousCyclesMax) throw new InvalidArgumentError(`At most ${autonomousCyclesMax} cycles.`);
  return n;
};

/** The budgets a person may set for a run; each counts alone. */
export function limitOptions(command: Command): Command {
  return command
    .option('--turns <n>', 'turns it may take', wholeNumber)
    .option('--tokens <n>', 'tokens it may use', wholeNumber)
    .option('--money <dollars>', 'US dollars it may cost', positive(false))
    .option('--hours <n>', 'hours it may work', positive(false))
    .option('--until <time>', 'no turn starts after this, e.g. 07:30', readMoment);
}

/** The limits among the flags, named as the policy names them. */
export const limitsOf = ({ turns, tokens, money, hours, until }: LimitFlags): Partial<Limits> => ({
  turnsMax: turns,
  tokensMax: tokens,
  moneyMax: money,
  activeHoursMax: hours,
  until: until === undefined ? undefined : momentAt(until, Date.now()),
});
