import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventSchema } from '../../src/contract/index.ts';
import { logTranslator, type TranslatedLine } from '../../src/edge/agents/codex/translate-log.ts';
import { boundedLines, type Line } from '../../src/edge/agents/shared/bounded-lines.ts';
import { recorded, recordings, replay } from '../agents/codex/replay.ts';
import { type Desk, ownDesk, withinMs } from './kit.ts';

const folder = join(import.meta.dirname, '../recordings/codex');
const textOf = (name: string) => readFileSync(join(folder, `${name}.jsonl`), 'utf8');

async function* chunked(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

async function lines(text: string, size = 1_000, bytesMax?: number): Promise<Line[]> {
  const found: Line[] = [];
  for await (const line of boundedLines(chunked(text, size), bytesMax)) found.push(line);
  return found;
}

describe('a translated log', { timeout: withinMs }, () => {
  it.each(recordings)('%s has one answer for each line, with the events in their place', async (name) => {
    const text = textOf(name);
    const translated = (await lines(text)).map(logTranslator());
    expect(translated.map(({ line }) => line)).toEqual(
      text
        .trimEnd()
        .split('\n')
        .map((_line, index) => index + 1),
    );
    const told = translated.flatMap(({ event, more }) => (event === null ? [] : [event, ...more]));
    expect(told).toEqual(replay(recorded(name)).events);
    for (const event of told) expect(eventSchema.safeParse(event).error).toBeUndefined();
  });

  it('counts the frames that are only shown live', async () => {
    const translated = (await lines(textOf('plain'))).map(logTranslator());
    expect(translated.reduce((sum, { live }) => sum + live, 0)).toBe(replay(recorded('plain')).live.length);
  });

  it.each([
    'not json',
    '',
    '{}',
    '[]',
    'null',
    '{"dir":"=","msg":{}}',
    '{"dir":"<"',
    '{"t":"x","dir":"<","msg":1}',
  ])('has an unreadable event in the place of %j, and goes on', async (bad) => {
    const [before, ...after] = textOf('plain').split('\n');
    const translated = (await lines([before, bad, ...after].join('\n'))).map(logTranslator());
    expect(translated[1]).toMatchObject({ line: 2, dir: null, event: { type: 'unreadable' }, more: [] });
    expect(eventSchema.safeParse(translated[1]?.event).success).toBe(true);
    const types = translated.map(({ event }) => event?.type);
    expect(types).toContain('turn-ended');
  });

  it('is cut into lines wherever the bytes are cut, and holds no line over the bound', async () => {
    const text = fc.array(fc.string({ unit: 'binary', maxLength: 30 }), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 1, max: 40 }), async (parts, size) => {
        const clean = parts.map((part) => part.replaceAll(/[\r\n]/g, ''));
        const read = await lines(clean.map((part) => `${part}\n`).join(''), size);
        expect(read).toEqual(clean.map((part) => ({ text: Buffer.from(part).toString('utf8') })));
      }),
      { numRuns: 50 },
    );
    expect(await lines(`a\n${'b'.repeat(5_000)}\nc`, 7, 100)).toEqual([
      { text: 'a' },
      { overlong: 5_000, begins: 'b'.repeat(2_000) },
      { text: 'c' },
    ]);
  });
});

describe('tireless agents', { timeout: withinMs }, () => {
  it('translate prints one line of JSON for each line and succeeds', async () => {
    const desk = ownDesk();
    const file = join(desk.folder, 'log.jsonl');
    writeFileSync(file, `nonsense\n${textOf('command-approved')}`);
    const { code, stdout, stderr } = await desk.tireless(['agents', 'translate', 'codex', file]);
    expect([code, stderr]).toEqual([0, '']);
    const printed = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as TranslatedLine);
    expect(printed).toHaveLength(recorded('command-approved').length + 1);
    expect(Object.keys(printed[0] ?? {})).toEqual(['line', 'dir', 'event', 'more', 'live']);
    expect(printed[0]?.event).toMatchObject({ type: 'unreadable' });
    expect(printed.map(({ event }) => event?.type)).toContain('approval-asked');
  });

  it.each([
    [['codex', 'nowhere.jsonl'], 'nowhere.jsonl cannot be read'],
    [['codex', '.'], 'cannot be read'],
    [['claude', 'x.jsonl'], 'known: codex'],
  ])('translate %j says what is wrong, exit 2', async (args, says) => {
    const { code, stdout, stderr } = await ownDesk().tireless(['agents', 'translate', ...args]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(says);
  });

  it('lists what is known, installed or not, with its version', async () => {
    const desk = ownDesk();
    expect(await desk.json('agents', 'list')).toMatchObject([
      { name: 'codex', installed: false, version: null },
      { name: 'scripted', installed: true },
    ]);
    const { stdout } = await desk.tireless(['agents'], withCodex(desk, 'codex-cli 0.166.0', 'exit 0'));
    expect(stdout).toContain('codex-cli 0.166.0');
  });
});

/** A program called codex that says what it is told to. */
function withCodex(desk: Desk, version: string, login: string, more: readonly string[] = []) {
  const bin = join(desk.folder, 'bin');
  mkdirSync(bin, { recursive: true });
  const file = join(bin, 'codex');
  writeFileSync(
    file,
    `#!/bin/sh\ncase "$1" in\n--version) echo 'WARNING: proceeding, even though 1.2 things' >&2; echo '${version}';;\nlogin) ${login};;\nesac\n`,
  );
  for (const name of more) writeFileSync(join(bin, name), '#!/bin/sh\n', { mode: 0o755 });
  chmodSync(file, 0o755);
  return { env: { PATH: [bin, desk.env.PATH].join(delimiter) } };
}

describe('the doctor on Codex', { timeout: withinMs }, () => {
  const key = 'sk-proj-***Zq9xT';
  it.each([
    ['Logged in using ChatGPT', 'echo Logged in using ChatGPT >&2', 'logged in with ChatGPT'],
    ['an API key', `echo 'Logged in using an API key - ${key}'`, 'logged in with an API key'],
    ['nobody', 'echo Not logged in >&2; exit 1', 'not logged in'],
    ['a broken config', `echo 'Error loading configuration ${key}' >&2; exit 1`, 'ended with exit code 1'],
  ])('tells the login (%s) without passing on what Codex says of it', async (_who, login, says) => {
    const desk = ownDesk();
    const { code, stdout } = await desk.tireless(['doctor'], withCodex(desk, 'codex-cli 0.166.0', login));
    expect(code).toBe(0);
    expect(stdout).toContain(says);
    expect(stdout).not.toContain('Zq9xT');
    expect(stdout).not.toContain('we test with');
  });

  it('notes another version than the tested one, and whether bubblewrap is there', async () => {
    const desk = ownDesk();
    const other = withCodex(desk, 'codex-cli 0.170.1', 'exit 0');
    expect((await desk.tireless(['doctor'], other)).stdout).toContain('we test with 0.166.0');
    const wrapped = withCodex(desk, 'codex-cli 0.166.0', 'exit 0', ['bwrap']);
    expect((await desk.tireless(['doctor'], wrapped)).stdout).toMatch(/bubblewrap \(.*bwrap\)/);
  });

  it('does not wait for a Codex that never answers, and leaves nothing of it behind', async () => {
    const desk = ownDesk();
    const where = withCodex(desk, 'codex-cli 0.166.0', 'sleep 300 & wait');
    const { code, stdout } = await desk.tireless(['doctor'], where);
    expect(code).toBe(0);
    expect(stdout).toContain('no answer within');
    expect(desk.alive()).toEqual([]);
  });
});
