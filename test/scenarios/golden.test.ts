import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { supervise } from '../../src/app/supervise.ts';
import { type Entry, entrySchema, upcast } from '../../src/contract/index.ts';
import { policyVersion, replay } from '../../src/core/index.ts';
import { tellStory } from '../../src/testkit/world.ts';
import { divergencesOf, pinned } from '../ledgers/divergences.ts';
import { busySession, threeCycles, wholeNight } from './golden-story.ts';

const ledgers = resolve(import.meta.dirname, '../ledgers');
const recorded: Readonly<Record<string, () => Promise<readonly Entry[]>>> = {
  'whole-night': async () => wholeNight(),
  'three-cycles': async () => threeCycles(),
  'busy-session': async () => busySession(),
  'stormy-night': async () => (await tellStory(supervise, stormySeed)).world.watch.entries,
};
/** A story with crashes, foreign turns, cycles and many rules. */
const stormySeed = 479;

if (process.env.RECORD !== undefined) {
  const folder = join(ledgers, `v${policyVersion}`);
  mkdirSync(folder, { recursive: true });
  for (const [name, tell] of Object.entries(recorded)) {
    const path = join(folder, `${name}.jsonl`);
    const lines = (await tell()).map((entry) => `${JSON.stringify(entry)}\n`);
    // What was recorded once is never written again.
    if (!existsSync(path)) writeFileSync(path, lines.join(''));
  }
}

const versions = readdirSync(ledgers).filter((name) => /^v\d+$/.test(name));
const files = versions.flatMap((version) =>
  readdirSync(join(ledgers, version)).map((name) => [version, name] as const),
);

describe('the ledgers that stay for ever', () => {
  it('hold one of every version', () => {
    expect(versions).toEqual(Array.from({ length: policyVersion }, (_, n) => `v${n + 1}`));
  });

  it.each(files)('%s/%s can be read, and replays as it was decided', (version, name) => {
    const text = readFileSync(join(ledgers, version, name), 'utf8');
    const entries = text
      .trimEnd()
      .split('\n')
      .map((line) => upcast(JSON.parse(line)));
    for (const entry of entries) expect(entrySchema.safeParse(entry).error).toBeUndefined();
    const { divergences, recordedVersion, run, decisions } = replay(entries);
    expect(recordedVersion).toBe(Number(version.slice(1)));
    expect(decisions).toBeGreaterThan(5);
    expect(run?.seq).toBe(entries.length);
    expect(divergences.map(pinned)).toEqual(
      divergencesOf(`ledgers/${version}/${name.replace('.jsonl', '')}`),
    );
  });
});
