import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { entrySchema, type RunView, runViewSchema } from '../../src/contract/index.ts';
import { verifyExport } from '../../src/edge/store/export.ts';
import { type Desk, makeDesk, proof, scripts } from './kit.ts';

let desk: Desk;
let runs: readonly RunView[] = [];
beforeAll(async () => {
  desk = makeDesk();
  for (const args of [
    desk.run(scripts.twoFiles, '--foreground', ...proof),
    desk.run(scripts.busy, '--foreground', '--turns', '2', '--check', 'false'),
  ])
    await desk.tireless(args);
  runs = await desk.json<RunView[]>('runs');
}, 120_000);
afterAll(() => desk.clear());

const [done, paused] = [() => runs[1] as RunView, () => runs[0] as RunView];
const escapeCode = '\u001b';

describe('runs', () => {
  it('--json is an array, newest first, with everything a script asks for', () => {
    expect(runs.map((view) => view.state)).toEqual(['paused', 'done']);
    for (const view of runs) expect(runViewSchema.parse(view)).toEqual(view);
    expect(runs.map((view) => view.id)).toEqual(
      runs
        .map((view) => view.id)
        .toSorted()
        .toReversed(),
    );
    expect(done()).toMatchObject({ waitingOn: null, until: null, workspace: desk.workspace, turns: 2 });
    expect(paused()).toMatchObject({ cause: 'limit:turnsMax', turns: 2, turnsMax: 2 });
  });

  it('prints one block per run for people, and an empty list says how to begin', async () => {
    const { stdout, code } = await desk.tireless(['runs']);
    expect(code).toBe(0);
    expect(stdout).toContain(`${done().id}  done`);
    expect(stdout).toContain(`${paused().id}  paused (limit:turnsMax)`);
    const none = await desk.tireless(['runs'], { env: { TIRELESS_HOME: join(desk.folder, 'other') } });
    expect(none).toMatchObject({ code: 0, stdout: 'No runs yet. Start one with: tireless run "mission"\n' });
  });
});

describe('status', () => {
  it('takes the newest run of this folder, or any that is named in part, and says what to do next', async () => {
    const newest = await desk.tireless(['status']);
    expect(newest.stdout).toContain(`paused (limit:turnsMax)  ${paused().id}`);
    expect(newest.stdout).toContain(`tireless resume ${paused().id} --turns 4`);
    const named = await desk.tireless(['status', done().id.slice(-8)], { cwd: desk.folder });
    expect(named.stdout).toContain(`done  ${done().id}`);
    expect([newest.code, named.code]).toEqual([0, 0]);
  });

  it('--why names the rule, the reason and the confidence', async () => {
    const { stdout } = await desk.tireless(['status', '--why']);
    expect(stdout).toMatch(
      /decision +stop by rule turn-budget at \d\d:\d\d:\d\d, confidence 1\n.*used all 2 turns/,
    );
    expect((await desk.tireless(['status'])).stdout).not.toContain('by rule');
  });

  it('--json is the same view as the list and the state file, and says whether a keeper works it', async () => {
    const { keeper, ...status } = await desk.json<RunView & { keeper: unknown }>('status', paused().id);
    expect(keeper).toEqual({ keeper: 'none', since: null, pid: null });
    expect(status).toEqual(paused());
    expect(JSON.parse(readFileSync(join(desk.home, 'runs', paused().id, 'state.json'), 'utf8'))).toEqual(
      status,
    );
  });

  it('refuses what it cannot find or cannot tell apart, exit 2', async () => {
    const wrong = await Promise.all([
      desk.tireless(['status', 'nope']),
      desk.tireless(['status', '-']),
      desk.tireless(['status'], { cwd: desk.folder }),
      desk.tireless(['status', '--wy']),
    ]);
    expect(wrong.map((one) => one.code)).toEqual([2, 2, 2, 2]);
    expect(wrong[0]?.stderr).toBe('No run "nope". List them with: tireless runs\n');
    expect(wrong[1]?.stderr).toContain(`"-" matches 2 runs: ${paused().id}, ${done().id}`);
    expect(wrong[2]?.stderr).toContain('There are runs elsewhere: tireless runs');
    expect(wrong[3]?.stderr).toContain("unknown option '--wy'\n(Did you mean --why?)");
  });
});

describe('logs', () => {
  it('tell the story in plain lines without a terminal', async () => {
    const { stdout, code } = await desk.tireless(['logs', done().id]);
    expect(code).toBe(0);
    expect(stdout).not.toContain(escapeCode);
    for (const words of [
      'make two files',
      'turn started',
      'one.txt',
      'the agent claims completion',
      'done — every check passed',
    ])
      expect(stdout).toContain(words);
  });

  it('--json is every entry as one line, and -f of a run that is over ends', async () => {
    const [plain, followed] = await Promise.all([
      desk.tireless(['logs', '--json', done().id]),
      desk.tireless(['logs', '-f', '--json', done().id]),
    ]);
    const lines = plain.stdout.trimEnd().split('\n');
    const entries = lines.map((line) => entrySchema.parse(JSON.parse(line)));
    expect(entries.map((entry) => entry.seq)).toEqual(entries.map((_, i) => i + 1));
    expect(entries).toHaveLength(done().seq);
    expect(followed.code).toBe(0);
    expect(followed.stdout.startsWith(plain.stdout)).toBe(true);
  });

  it('colour only where it is wanted', async () => {
    const env = { FORCE_COLOR: '1' };
    expect((await desk.tireless(['logs'], { env })).stdout).toContain(escapeCode);
    expect((await desk.tireless(['logs'], { env: { ...env, NO_COLOR: '1' } })).stdout).not.toContain(
      escapeCode,
    );
  });
});

describe('replay', () => {
  it('of a ledger as it was written finds nothing, exit 0', async () => {
    const [text, json] = [await desk.tireless(['replay', done().id]), await desk.json('replay', done().id)];
    expect(text).toMatchObject({ code: 0, stderr: '' });
    expect(text.stdout).toContain('Every decision replays the same.');
    expect(json).toMatchObject({ run: done().id, entries: done().seq, damage: [], divergences: [] });
  });

  it('--policy shows as a diff what another policy would have decided, and changes nothing', async () => {
    const file = join(desk.folder, 'other.yaml');
    writeFileSync(file, 'limits:\n  turnsMax: 1\n');
    const { code, stdout } = await desk.tireless(['replay', done().id, '--policy', file]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/The other policy differs at \d+ points?:/);
    expect(stdout).toMatch(/- continue → \w+ \[continue\] nothing speaks against another turn/);
    expect(stdout).toMatch(/\+ stop → paused \[turn-budget\] used all 1 turns/);
    expect((await desk.tireless(['replay', done().id])).code).toBe(0);
  });

  it('refuses a policy it cannot read, with the file and the place, exit 2', async () => {
    const file = join(desk.folder, 'bad.yaml');
    const wrongs: readonly (readonly [string, RegExp])[] = [
      ['limits: {turnsMax: many}', /bad\.yaml is not a valid policy: limits\.turnsMax/],
      ['limits: [', /bad\.yaml cannot be read as a policy: .* line 1/],
    ];
    for (const [text, says] of wrongs) {
      writeFileSync(file, text);
      const { code, stderr } = await desk.tireless(['replay', done().id, '--policy', file]);
      expect([code, stderr]).toEqual([2, expect.stringMatching(says)]);
    }
    const missing = await desk.tireless(['replay', done().id, '--policy', '/no/such.yaml']);
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('/no/such.yaml')]);
  });
});

describe('export', () => {
  it('writes the whole chain, which verifies on its own', async () => {
    const { code, stdout } = await desk.tireless(['export', done().id]);
    const lines = stdout.trimEnd().split('\n');
    expect(code).toBe(0);
    expect(await verifyExport(lines)).toMatchObject({ ok: true, entries: done().seq });
    expect((await verifyExport(lines.with(3, (lines[3] ?? '').replace('"type"', '"typo"')))).ok).toBe(false);
  });

  it('--public names the original and tells no text, path or name', async () => {
    const { code, stdout } = await desk.tireless(['export', '--public', done().id]);
    const lines = stdout.trimEnd().split('\n');
    const whole = (await desk.tireless(['export', done().id])).stdout.trimEnd().split('\n');
    const last = JSON.parse(whole.at(-1) ?? '') as { hash: string };
    expect(code).toBe(0);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ public: 1, original: last.hash, entries: done().seq });
    expect((await verifyExport(lines)).ok).toBe(true);
    for (const secret of ['make two files', desk.workspace, 'one.txt', 'lovelace', 'Both are there'])
      expect(stdout).not.toContain(secret);
  });
});

describe('a ledger in which one row was edited', () => {
  it('is reported by replay, export and doctor, each with the row; exit 1', async () => {
    const copy = join(desk.folder, 'edited');
    cpSync(desk.home, copy, { recursive: true });
    const db = new DatabaseSync(join(copy, 'tireless.db'));
    db.exec('DROP TRIGGER entry_never_changes');
    db.prepare(
      "UPDATE entry SET json = replace(json, 'two files', 'ten files') WHERE run = ? AND seq = 1",
    ).run(done().id);
    db.close();
    const env = { TIRELESS_HOME: copy };
    const [replayed, json, exported, doctor] = await Promise.all([
      desk.tireless(['replay', done().id], { env }),
      desk.tireless(['replay', '--json', done().id], { env }),
      desk.tireless(['export', done().id], { env }),
      desk.tireless(['doctor'], { env }),
    ]);
    expect(replayed.stdout).toMatch(/damaged: #1 /);
    expect([replayed.code, json.code]).toEqual([1, 1]);
    expect(JSON.parse(json.stdout)).toMatchObject({ damage: [{ seq: 1 }] });
    expect((await verifyExport(exported.stdout.trimEnd().split('\n'))).damage).toMatchObject([{ seq: 1 }]);
    expect([doctor.code, doctor.stdout]).toEqual([1, expect.stringContaining(`run ${done().id}`)]);
    // Nothing is lost: the row is still there to be read, as it stands.
    expect(JSON.parse(exported.stdout.split('\n')[1] ?? '')).toMatchObject({ seq: 2 });
  });
});

describe('doctor', () => {
  it('finds nothing wrong here, says so as text and as JSON, exit 0', async () => {
    const { code, stdout } = await desk.tireless(['doctor']);
    expect(code).toBe(0);
    expect(stdout).toContain('2 runs, every chain intact');
    const findings = await desk.json<{ what: string; state: string }[]>('doctor');
    expect(findings.map((one) => one.what)).toEqual(
      expect.arrayContaining(['tireless', 'git', 'store', 'config']),
    );
    expect(findings.filter((one) => one.state === 'wrong')).toEqual([]);
  });
});
