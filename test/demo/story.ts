import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Entry } from '../../src/contract/index.ts';
import { replay } from '../../src/core/index.ts';
import type { LogLine } from '../../src/edge/agents/scripted/agent-log.ts';
import type { Desk } from '../cli/kit.ts';

/** Every dispatch the agent took, by its own log. */
const dispatches = (dir: string): string[] =>
  readFileSync(join(dir, 'agent.log'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as LogLine)
    .flatMap((line) => (line.kind === 'turn' ? [line.dispatch] : []));

/** The demo was told to its end, and every promise held; gives its entries. */
export async function isWhole(desk: Desk, dir: string): Promise<Entry[]> {
  const { id, state } = await desk.seen(() => true);
  const entries = await desk.entries(id);
  expect(state).toBe('done');
  expect(replay(entries).divergences).toEqual([]);
  const taken = dispatches(dir);
  expect(new Set(taken).size, 'no prompt reached the agent twice').toBe(taken.length);
  expect(existsSync(join(dir, 'legacy'))).toBe(false);
  expect(readFileSync(join(dir, 'test/cart.test.js'), 'utf8')).toContain('withDiscount(5005), 4505');
  return entries;
}
