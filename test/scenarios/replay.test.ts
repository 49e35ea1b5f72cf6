import { describe, expect, it } from 'vitest';
import { supervise } from '../../src/app/supervise.ts';
import { type Effect, type Entry, policySchema } from '../../src/contract/index.ts';
import { closingLine, policyVersion, type Run, remember, replay, step } from '../../src/core/index.ts';
import { checksOutcome, failed, ledgerRun, passed } from '../../src/testkit/ledger-run.ts';
import { tellStory } from '../../src/testkit/world.ts';
import { threeCycles, wholeNight } from './golden-story.ts';

/** A story with a refused claim, a failure, a question and an end. */
function story(): readonly Entry[] {
  const r = ledgerRun();
  r.launch();
  r.started();
  r.ended({ message: { text: closingLine } });
  r.outcome('checks-run', checksOutcome([failed()], 't1'));
  r.launch();
  r.started();
  r.ended({ status: 'failed', failure: { kind: 'server-error', message: 'no' } });
  r.onEvent({ type: 'timer-fired', timer: 'wait', effect: r.run().timers.wait?.effect ?? '' }, 60_000);
  r.launch();
  r.started();
  r.onEvent({ type: 'turn-ended', session: 'nobody', turn: 'nobody', status: 'completed' });
  r.ended({ message: { text: closingLine } });
  r.outcome('checks-run', checksOutcome([passed()], 't3'));
  return r.entries;
}

const edited = (entries: readonly Entry[], seq: number, edit: (entry: Entry) => Entry): readonly Entry[] =>
  entries.map((entry) => (entry.seq === seq ? edit(entry) : entry));

/** The value once for every number, text and yes or no in it, with that one changed; by the names on the way to it. */
function leaves(value: unknown, path: string): [string, unknown][] {
  if (Array.isArray(value))
    return value.flatMap((one, n) =>
      leaves(one, path).map(([at, changed]): [string, unknown] => [at, value.with(n, changed)]),
    );
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, one]) =>
      leaves(one, `${path}.${key}`).map(([at, changed]): [string, unknown] => [
        at,
        { ...value, [key]: changed },
      ]),
    );
  if (typeof value === 'string') return [[path, `${value}, put better`]];
  if (typeof value === 'number') return [[path, value + 1]];
  return typeof value === 'boolean' ? [[path, !value]] : [];
}

describe('a replay', () => {
  it('comes to the same decisions, also from text', () => {
    const entries = story();
    const again = JSON.parse(JSON.stringify(entries)) as Entry[];
    expect(replay(entries).divergences).toEqual([]);
    expect(replay(again)).toMatchObject({ divergences: [], recordedVersion: policyVersion });
    expect(replay(entries).entries).toBe(entries.length);
    expect(replay(entries).decisions).toBe(entries.filter((e) => e.decision !== undefined).length);
  });

  it('does not mind the order of keys', () => {
    const turned = story().map((entry) => {
      const { decision, effects, ...rest } = entry;
      return { effects, decision, ...rest };
    });
    expect(replay(turned as Entry[]).divergences).toEqual([]);
  });

  it('finds a decision that the rules would not have made', () => {
    const entries = story();
    const receipt = entries.find((e) => e.decision?.rule === 'continue');
    const forged = edited(entries, receipt?.seq ?? 0, (entry) => ({
      ...entry,
      decision: entry.decision && { ...entry.decision, rule: 'advice' },
    }));
    expect(replay(forged).divergences[0]).toMatchObject({
      seq: receipt?.seq,
      what: 'continue by advice became continue by continue',
    });
  });

  it('finds other particulars, other effects and other hearing', () => {
    const entries = story();
    const receipt = entries.find((e) => e.decision?.verdict === 'wait')?.seq ?? 0;
    const unsure = edited(entries, receipt, (e) => ({
      ...e,
      decision: e.decision && { ...e.decision, confidence: 0.5 },
    }));
    expect(replay(unsure).divergences).toMatchObject([
      { what: 'wait by failed-turn with other particulars' },
    ]);
    const late = entries.find((e) => e.late === true)?.seq ?? 0;
    const stamped = edited(entries, late, ({ late: _late, ...entry }) => entry);
    expect(replay(stamped).divergences).toMatchObject([{ what: 'it would have been heard too late' }]);
    const sent = entries.find((e) => e.effects?.some((f) => f.type === 'turn-start'))?.seq ?? 0;
    const other = edited(entries, sent, (entry) => ({
      ...entry,
      effects: entry.effects?.map((f) => (f.type === 'turn-start' ? { ...f, session: 's9' } : f)),
    }));
    expect(replay(other).divergences[0]).toMatchObject({ seq: sent, what: 'other effects' });
  });

  it('minds all that was decided and set out to do, and not how it is put', () => {
    const unnoticed = new Set<string>();
    for (const night of [wholeNight(), threeCycles()])
      night.forEach((entry, n) => {
        const forgeries = [
          ...leaves(entry.decision, 'decision').map(([path, decision]) => [path, { ...entry, decision }]),
          ...(entry.effects ?? []).flatMap((effect, at) =>
            leaves(effect, effect.type).map(([path, forged]) => [
              path,
              { ...entry, effects: entry.effects?.with(at, forged as Effect) },
            ]),
          ),
        ] as [string, Entry][];
        for (const [path, forged] of forgeries)
          if (replay([...night.slice(0, n), forged]).divergences.length === 0) unnoticed.add(path);
      });
    expect([...unnoticed].sort()).toEqual([
      'checks-run.because',
      'decision.because',
      'decision.input.parts.actions.because',
      'decision.input.parts.tasks',
      'decision.waiting.because',
      'gate-open.asks.text',
      'gate-open.because',
      'notify.text',
      'notify.title',
      'request-answer.because',
      'session-close.because',
      'turn-start.input.parts.actions.because',
      'turn-start.input.parts.tasks',
    ]);
  });

  it('shows what another policy would have decided, at each point by itself', () => {
    const strict = policySchema.parse({ limits: { turnsMax: 1, failuresMax: 1 } });
    const { divergences } = replay(story(), strict);
    expect(divergences.map((d) => d.what)).toEqual([
      'continue by continue became stop by turn-budget',
      'no decision became stop by turn-budget',
      'wait by failed-turn became stop by failures-max',
      'continue by continue became stop by failures-max',
      'no decision became stop by turn-budget',
    ]);
    expect(replay(story(), policySchema.parse({})).divergences).toEqual([]);
  });

  it('says which version of the rules the ledger was written by', () => {
    const entries = edited(story(), 1, (entry) =>
      entry.event.type === 'run-created' ? { ...entry, event: { ...entry.event, policyVersion: 7 } } : entry,
    );
    expect(replay(entries).recordedVersion).toBe(7);
  });

  it('remembers every recorded entry as stepping made it', { timeout: 120_000 }, async () => {
    for (let seed = 1; seed <= 10; seed++) {
      const { entries } = (await tellStory(supervise, seed)).world.watch;
      let [told, stepped]: [Run | null, Run | null] = [null, null];
      for (const entry of entries) {
        told = remember(told, entry);
        stepped = step(stepped, entry, entry.run).run;
        expect(told, `seed ${seed}, entry ${entry.seq}`).toEqual(stepped);
      }
      expect(replay(entries).divergences, `seed ${seed}`).toEqual([]);
    }
  });

  it('says where a ledger holds what cannot have happened, and stops there', () => {
    const entries = story().filter((e) => e.seq !== 4);
    expect(replay(entries).divergences.at(-1)).toMatchObject({
      seq: 5,
      what: 'this cannot have happened: entry 5 does not follow 3',
    });
  });
});
