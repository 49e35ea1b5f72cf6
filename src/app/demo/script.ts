import { closingLine } from '../../core/index.ts';
import type { Script } from '../../edge/agents/scripted/script.ts';

export const demoMission = 'Make the tests of this project pass. Change only the code under src/.';

const fixedCart = `export function total(cart) {
  let sum = 0;
  for (const item of cart) sum += item.price * item.count;
  return sum;
}

export function withDiscount(cents) {
  return cents >= 5000 ? Math.round(cents * 0.9) : cents;
}
`;

/** What the scripted agent says and does. Its last turn is complete in itself, so any crash before it can be recovered. */
export function demoScript(paceMs: number): Script {
  return {
    asks: true,
    paceMs,
    turns: [
      {
        steps: [
          {
            plan: [
              { step: 'see what fails', status: 'in-progress' },
              { step: 'fix the total', status: 'pending' },
              { step: 'fix the discount', status: 'pending' },
            ],
          },
          { run: 'node --test' },
          { say: 'The total forgets how many of each item are in the cart.' },
          { replace: 'src/cart.js', find: 'sum += item.price;', with: 'sum += item.price * item.count;' },
          {
            plan: [
              { step: 'see what fails', status: 'completed' },
              { step: 'fix the total', status: 'completed' },
              { step: 'fix the discount', status: 'in-progress' },
            ],
          },
        ],
        message: `The total counts every item now, so the tests should pass.\n\n${closingLine}`,
      },
      {
        steps: [
          { say: 'One test still fails: the discount starts too late and leaves half cents.' },
          { write: 'src/cart.js', text: fixedCart },
          { run: 'node --test' },
          {
            plan: [
              { step: 'see what fails', status: 'completed' },
              { step: 'fix the total', status: 'completed' },
              { step: 'fix the discount', status: 'completed' },
            ],
          },
        ],
        message: `The discount now starts at exactly 50.00 and stays in whole cents. All three tests pass.\n\n${closingLine}`,
      },
    ],
  };
}
