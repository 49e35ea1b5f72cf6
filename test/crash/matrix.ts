import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { GateView } from '../../src/contract/index.ts';
import type { Script } from '../../src/edge/agents/scripted/script.ts';
import { makeDice } from '../../src/testkit/dice.ts';
import { bundleWithFuses } from './bundle.ts';
import { type Crash, type Crashed, crash, type Person, steer } from './crash.ts';
import { makeGround, makePlace, type Place } from './place.ts';
import { askingTurn, twoTurns } from './scripts.ts';

const atOnce = 3;
const lookMs = 15;
const thinkMs = 30;
const repeatedMax = 8;

/** The sample has one crash at each kind of act, the rest has all others: together they are every boundary. */
type Part = 'sample' | 'rest';

interface Ground {
  /** The boundaries of a run nobody kills. */
  uninterrupted(script: Script, one?: Pick<Crash, 'flags' | 'person'>): Promise<readonly string[]>;
  /** Works through all crashes, a few at a time. */
  all(script: Script, crashes: readonly Crash[]): Promise<(Crash & Crashed)[]>;
}

/** Every crash in a place of its own, all with the one program built for this file. */
function ownGround(): Ground {
  const ground = makeGround();
  let program = '';
  beforeAll(async () => {
    program = await bundleWithFuses(`${ground.folder}/program`);
  }, 60_000);
  afterAll(() => ground.remove());

  async function inPlace<T>(script: Script, work: (place: Place) => Promise<T>): Promise<T> {
    const place = makePlace(ground, program, script);
    try {
      return await work(place);
    } finally {
      await place.remove();
    }
  }
  return {
    async uninterrupted(script, one = {}) {
      const crashed = await inPlace(script, (place) => crash(place, { ...one, at: 0, agent: 'dies' }));
      expect(crashed).toMatchObject({ boundary: null, wrong: [] });
      return crashed.passed;
    },
    async all(script, crashes) {
      const done: (Crash & Crashed)[] = [];
      const queue = [...crashes];
      const worker = async (): Promise<void> => {
        for (let one = queue.shift(); one !== undefined; one = queue.shift()) {
          const next = one;
          done.push({ ...next, ...(await inPlace(script, (place) => crash(place, next))) });
        }
      };
      await Promise.all(Array.from({ length: atOnce }, worker));
      return done;
    },
  };
}

/** A boundary before an act that directly follows the one after another act: nothing was written or done between them. */
const isSameAsLast = (passed: readonly string[], i: number): boolean =>
  passed[i]?.startsWith('before') === true && passed[i - 1]?.startsWith('after') === true;

/**
 * Every boundary, and while there is an agent every moment twice: with one that dies with its keeper and with one
 * that does not.
 */
function everyMoment(passed: readonly string[]): Crash[] {
  const [born, gone] = ['before agent open', 'after session close'].map((name) => passed.indexOf(name));
  return passed.flatMap((_, i): Crash[] => {
    const at = i + 1;
    const hasAgent = i >= (born ?? 0) && i < (gone ?? 0);
    return [
      ...(hasAgent && !isSameAsLast(passed, i + 1) ? [{ at, agent: 'survives' as const }] : []),
      ...(isSameAsLast(passed, i) ? [] : [{ at, agent: 'dies' as const }]),
    ];
  });
}

function partOf(part: Part, passed: readonly string[], crashes: readonly Crash[]): readonly Crash[] {
  const act = ({ at }: Crash): string | undefined => passed[at - 1]?.replace(/^(before|after) /, '');
  const kinds = [...Map.groupBy(crashes, act).values()];
  const sample = new Set(kinds.map((same) => same[same.length >> 1]));
  return crashes.filter((one) => sample.has(one) === (part === 'sample'));
}

const troubles = (crashed: readonly (Crash & Crashed)[]): string[] =>
  crashed.flatMap(({ at, boundary, agent, again = [], wrong }) =>
    wrong.map((what) => `killed at ${[at, ...again].join(', ')} (${boundary}), agent ${agent}: ${what}`),
  );

const total = (crashed: readonly Crashed[], of: (one: Crashed) => number): number =>
  crashed.reduce((sum, one) => sum + of(one), 0);

function tell(name: string, boundaries: number, crashed: readonly Crashed[]): void {
  const missed = crashed.filter((one) => one.boundary === null).length;
  console.log(
    `${name}: ${boundaries} boundaries, ${total(crashed, (one) => one.kills)} kills (${missed} runs ended before theirs), ` +
      `${total(crashed, (one) => one.messages)} messages, ${crashed.filter((one) => !one.recorded).length} before anything was recorded, ` +
      `${crashed.filter((one) => one.orphans > 0).length} with a process that outlived the keeper`,
  );
}

/** Answers every question as soon as it is seen, each once, and has a word to add after the first. */
function attentive(): Person {
  const answered = new Set<string>();
  return async (store, run, isOver) => {
    const left: string[] = [];
    while (!isOver()) {
      const gates: readonly GateView[] = (await store.view(run))?.gates ?? [];
      for (const { id, kind, digest } of gates.filter((gate) => !answered.has(gate.id))) {
        answered.add(id);
        const words =
          kind === 'input'
            ? ({ answer: 'text', text: { text: 'yes' } } as const)
            : ({ answer: 'approve' } as const);
        left.push(await store.post(run, { type: 'gate-answered', gate: id, digest, by: 'test', ...words }));
        if (answered.size === 1) left.push(await store.post(run, steer('keep it small')));
      }
      await pause(lookMs);
    }
    return left;
  };
}

/** Kills the keeper of a real run with SIGKILL, again and again, and looks at what becomes of the run. */
export function describeCrashes(part: Part): void {
  describe(`a run whose keeper is killed with SIGKILL (${part})`, { timeout: 1_800_000 }, () => {
    const { uninterrupted, all } = ownGround();

    it('at every write and act, with its agent or without, recovers and repeats nothing', async () => {
      const script = twoTurns(thinkMs);
      const passed = await uninterrupted(script);
      const crashes = partOf(part, passed, everyMoment(passed));
      const crashed = await all(script, crashes);
      tell('crash matrix', passed.length, crashed);
      expect(troubles(crashed)).toEqual([]);
      // A matrix that kills nothing, or never leaves an agent behind, would prove nothing.
      expect(total(crashed, (one) => one.kills)).toBeGreaterThan(crashes.length * 0.8);
      expect(crashed.filter((one) => one.orphans > 0).length).toBeGreaterThan(crashes.length / 20);
      expect(crashed.some((one) => !one.recorded)).toBe(true);
    });

    it('while a person answers its questions and steers it loses no word', async () => {
      const flags = ['--approvals', 'pause'];
      const passed = await uninterrupted(askingTurn, { flags, person: attentive() });
      const [from, to] = [
        passed.indexOf('before session turn'),
        passed.lastIndexOf('after session answer') + 3,
      ];
      const every = passed.flatMap((_, i): Crash[] =>
        i < from || i > to || isSameAsLast(passed, i)
          ? []
          : [{ at: i + 1, agent: i % 2 === 0 ? 'dies' : 'survives', flags, person: attentive() }],
      );
      const crashes = partOf(part, passed, every);
      const crashed = await all(askingTurn, crashes);
      tell('crash matrix with a person', crashes.length, crashed);
      expect(troubles(crashed)).toEqual([]);
      expect(total(crashed, (one) => one.messages)).toBeGreaterThan(crashed.length * 2);
    });

    it('again while it is being picked up recovers all the same', async () => {
      const seed = 20_261_115;
      const dice = makeDice(seed);
      const script = twoTurns(thinkMs);
      const every = Array.from(
        { length: repeatedMax },
        (_, i): Crash => ({
          at: dice.between(12, 80),
          agent: i % 2 === 0 ? 'survives' : 'dies',
          again: [dice.between(1, 20), dice.between(1, 30)],
        }),
      );
      const crashes = part === 'sample' ? every.slice(0, 1) : every.slice(1);
      const crashed = await all(script, crashes);
      tell(`repeated crashes (seed ${seed})`, crashes.length, crashed);
      expect(troubles(crashed), `seed ${seed}`).toEqual([]);
    });
  });
}
