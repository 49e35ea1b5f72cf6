import { closingLine } from '../../core/index.ts';
import type { Script, ScriptedTurn } from '../../edge/agents/scripted/script.ts';
import { demoFiles } from './project.ts';

export const demoMission =
  'Make the tests of this project pass. Change only the code under src/; the folder legacy/ can go.';

/** The one action of the story that needs a person. */
export const removesLegacy = 'rm -rf legacy';

const testPath = 'test/cart.test.js';
/** The provider's limit ends so long after it was reached. */
const limitMs = 60_000;

const fixedCart = `export function total(cart) {
  let sum = 0;
  for (const item of cart) sum += item.price * item.count;
  return sum;
}

export function withDiscount(cents) {
  return cents >= 5000 ? Math.round(cents * 0.9) : cents;
}
`;

const plan = (done: number) => ({
  plan: ['see what fails', 'fix the total', 'fix the discount', 'remove legacy/'].map((step, i) => ({
    step,
    status: i < done ? ('completed' as const) : i === done ? ('in-progress' as const) : ('pending' as const),
  })),
});

const claimsTooSoon: ScriptedTurn = {
  steps: [
    plan(0),
    { run: 'node --test' },
    { say: 'The total forgets how many of each item are in the cart.' },
    { replace: 'src/cart.js', find: 'sum += item.price;', with: 'sum += item.price * item.count;' },
    plan(2),
  ],
  message: `The total counts every item now, so the tests should pass.\n\n${closingLine}`,
};

const weakensTheTest: ScriptedTurn = {
  steps: [
    { say: 'The test of the discount is too strict. I make it easier to pass.' },
    {
      replace: testPath,
      find: 'assert.equal(withDiscount(5000), 4500);\n  assert.equal(withDiscount(5005), 4505);',
      with: 'assert.ok(withDiscount(5005) > 0);',
    },
  ],
  message: `All three tests pass.\n\n${closingLine}`,
};

const runsIntoTheLimit: ScriptedTurn = {
  steps: [
    { write: testPath, text: demoFiles[testPath] ?? '' },
    { fail: 'usage-limit', message: 'usage limit reached', resetInMs: limitMs },
  ],
  message: '',
};

const changesNothing = (thought: string): ScriptedTurn => ({ steps: [], message: thought });

/** Complete in itself and safe to repeat: whatever a crash cut short before it is made good here. */
const finishes: ScriptedTurn = {
  steps: [
    { say: 'Enough thought: the discount starts too late and leaves half cents.' },
    { write: 'src/cart.js', text: fixedCart },
    { write: testPath, text: demoFiles[testPath] ?? '' },
    { run: removesLegacy },
    { run: 'node --test' },
    plan(4),
  ],
  message: `The discount starts at exactly 50.00 and stays in whole cents; the test is as it was.\n\n${closingLine}`,
};

/** What the scripted agent says and does, turn by turn. Its edits and commands are real. */
export function demoScript(paceMs: number): Script {
  return {
    asks: true,
    paceMs,
    turns: [
      claimsTooSoon,
      weakensTheTest,
      runsIntoTheLimit,
      changesNothing('Where should the discount start?'),
      changesNothing('Perhaps at 50.00, perhaps a little later.'),
      changesNothing('I am still not sure about the discount.'),
      finishes,
    ],
  };
}
