import { closingLine } from '../../src/core/index.ts';
import type { Script } from '../../src/edge/agents/scripted/script.ts';

/** What proves the end: quick, and only the second turn makes it pass. It names no file the agent works on. */
export const check = 'sh check.sh';
export const checkScript = 'grep -q Math.round src/cart.js\n';

const lastTurn = {
  steps: [
    { write: 'src/cart.js', text: 'export const withDiscount = (cents) => Math.round(cents * 0.9);\n' },
    { run: check },
  ],
  message: `It is in whole cents now.\n\n${closingLine}`,
};

/**
 * The demo in small: a first turn whose claim is wrong, a second one that is complete in itself. `thinkMs` keeps the
 * agent at work for a while, so that one which outlives its keeper is in the middle of something.
 */
export const twoTurns = (thinkMs: number): Script => ({
  asks: false,
  paceMs: 0,
  turns: [
    {
      steps: [
        { plan: [{ step: 'count every item', status: 'in-progress' }] },
        { replace: 'src/cart.js', find: 'sum += item.price;', with: 'sum += item.price * item.count;' },
        { think: thinkMs },
      ],
      message: `The total counts every item now.\n\n${closingLine}`,
    },
    {
      steps: [...lastTurn.steps.slice(0, 1), { think: thinkMs }, ...lastTurn.steps.slice(1)],
      message: lastTurn.message,
    },
  ],
});

/** Asks before it acts, and asks a question. */
export const askingTurn: Script = {
  asks: true,
  paceMs: 0,
  turns: [
    {
      steps: [{ ask: 'Whole cents?', options: ['yes', 'no'] }, ...lastTurn.steps],
      message: lastTurn.message,
    },
  ],
};

/** A first turn that never ends by itself; whoever comes after it finds the second. */
export const busyTurn: Script = {
  asks: false,
  paceMs: 0,
  turns: [{ steps: [{ hang: true }], message: '' }, lastTurn],
};

/** No turn ever ends by itself. */
export const endlessTurn: Script = {
  asks: false,
  paceMs: 0,
  turns: [{ steps: [{ hang: true }], message: '' }],
};

/** A first turn in the middle of two commands: one of them has left the process group of the agent. */
export const orphanTurn: Script = {
  asks: false,
  paceMs: 0,
  turns: [{ steps: [{ run: 'setsid sleep 301 & sleep 302' }], message: '' }, lastTurn],
};
