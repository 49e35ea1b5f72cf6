/** An agent that outlives whoever started it: it goes on with its turn when nobody listens any more, and stays. */
import { PassThrough } from 'node:stream';
import * as real from '../../../src/edge/agents/scripted/agent-process.ts';

const stayMs = 60_000;

export const runScriptedAgent: typeof real.runScriptedAgent = (options) => {
  if (process.env.CRASH_AGENT !== 'survives') return real.runScriptedAgent(options);
  const input = new PassThrough();
  options.input.on('data', (bytes: Uint8Array) => input.write(bytes));
  // Nobody reads what it says after the keeper's death.
  options.output.on('error', () => undefined);
  setTimeout(() => process.exit(4), stayMs);
  return real.runScriptedAgent({ ...options, input });
};
