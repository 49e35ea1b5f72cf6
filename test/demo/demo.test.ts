import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { Entry } from '../../src/contract/index.ts';
import { ownDesk } from '../cli/kit.ts';
import { isWhole } from './story.ts';

/** A whole demo on a machine that may be busy with other tests. */
vi.setConfig({ testTimeout: 240_000 });

const rulesOf = (entries: readonly Entry[]): string[] =>
  entries.flatMap(({ decision }) => (decision === undefined ? [] : [decision.rule]));
const partsOf = (entries: readonly Entry[]): string[] =>
  entries.flatMap(({ decision }) => decision?.input?.parts.map(({ part }) => part) ?? []);
const answersOf = (entries: readonly Entry[]): string[] =>
  entries.flatMap(({ event }) => (event.type === 'gate-answered' ? [`${event.by}: ${event.answer}`] : []));

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
});
