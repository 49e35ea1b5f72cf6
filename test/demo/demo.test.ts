import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { Entry } from '../../src/contract/index.ts';
import { replay } from '../../src/core/index.ts';
import type { LogLine } from '../../src/edge/agents/scripted/agent-log.ts';
import { makeDice } from '../../src/testkit/dice.ts';
import { type Desk, ownDesk } from '../cli/kit.ts';

/** A whole demo on a machine that may be busy with other tests. */
vi.setConfig({ testTimeout: 240_000 });

const rulesOf = (entries: readonly Entry[]): string[] =>
  entries.flatMap(({ decision }) => (decision === undefined ? [] : [decision.rule]));
const partsOf = (entries: readonly Entry[]): string[] =>
  entries.flatMap(({ decision }) => decision?.input?.parts.map(({ part }) => part) ?? []);
const answersOf = (entries: readonly Entry[]): string[] =>
  entries.flatMap(({ event }) => (event.type === 'gate-answered' ? [`${event.by}: ${event.answer}`] : []));

/** Every dispatch the agent took, by its own log. */
const dispatches = (dir: string): string[] =>
  readFileSync(join(dir, 'agent.log'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as LogLine)
    .flatMap((line) => (line.kind === 'turn' ? [line.dispatch] : []));

async function isWhole(desk: Desk, dir: string): Promise<Entry[]> {
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

describe('the demo', () => {
  it.each([['in a background keeper'], ['in its own process', '--foreground']])(
    'tells its whole story %s',
    async (_where, ...flags) => {
      const desk = ownDesk();
      const dir = join(desk.folder, 'shop');
      const ended = await desk.tireless(['demo', '--dir', dir, '--yes', '--pace', '0', ...flags]);
      expect(ended, ended.stderr).toMatchObject({ code: 0 });
      const entries = await isWhole(desk, dir);
      const chapters = [
        'take-baseline',
        'verify-claim',
        'continue',
        'verify-claim',
        'ask-altered',
        'person-steer',
      ];
      const rest = ['usage-limit', 'cooldown', 'cooldown', 'cooldown', 'verify-claim', 'certified'];
      const told = rulesOf(entries).filter((rule, i) => rule !== 'continue' || i === 3);
      expect(told).toEqual([...chapters, ...rest]);
      expect(partsOf(entries)).toEqual(expect.arrayContaining(['evidence', 'steer', 'nudge']));
      expect(answersOf(entries)).toEqual(['stand-in (demo): deny', 'stand-in (demo): approve']);
      expect(ended.stdout).toMatch(/demo: clock skipped \d min/);
      expect(ended.stdout).toContain('stand-in (demo) answers: approve');
      expect(ended.stdout).toMatch(/Certificate[\s\S]*check .*passed[\s\S]*tireless report --html/);
    },
  );

  it('leaves the answers to you when you ask for it', async () => {
    const desk = ownDesk();
    const dir = join(desk.folder, 'shop');
    const ended = await desk.tireless(['demo', '--dir', dir, '--yes', '--pace', '0', '--ask']);
    expect(ended).toMatchObject({ code: 10 });
    const { id } = await desk.gate('accept');
    await desk.tireless(['deny', id, 'put it back'], { cwd: dir });
    const gate = await desk.gate('approval');
    await desk.tireless(['approve', gate.id], { cwd: dir });
    await desk.seen(({ state }) => state === 'done');
    const me = `${desk.env.USER}@cli`;
    expect(answersOf(await isWhole(desk, dir))).toEqual([`${me}: deny`, `${me}: approve`]);
  });

  it('is finished after it was killed twice anywhere', async () => {
    const seed = Number(process.env.DEMO_SEED ?? Date.now() % 1_000_000);
    const dice = makeDice(seed);
    const at = [dice.between(2, 45), dice.between(46, 95)];
    const desk = ownDesk();
    const dir = join(desk.folder, 'shop');
    let args = ['demo', '--dir', dir, '--yes', '--foreground', '--pace', '20'];
    for (const seq of at) {
      const running = desk.start(args);
      const view = await desk.seen((one) => one.seq >= seq || one.state === 'done');
      running.send('SIGKILL');
      await running.ended;
      args = ['resume', '--foreground', view.id];
    }
    const { id, state } = await desk.seen(() => true);
    const ended = state === 'done' ? { code: 0 } : await desk.tireless(['resume', '--foreground', id]);
    expect(ended, `DEMO_SEED=${seed}, killed at ${at}: ${JSON.stringify(ended)}`).toMatchObject({ code: 0 });
    await isWhole(desk, dir);
  });
});
