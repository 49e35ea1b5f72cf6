import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { GateView, RunView } from '../../src/contract/index.ts';
import { loadConfig } from '../../src/edge/config/load.ts';
import { findHome } from '../../src/edge/home.ts';
import { holderHere } from '../../src/edge/lock.ts';
import { git } from '../cli/kit.ts';
import { divergencesOf, pinned } from '../ledgers/divergences.ts';
import {
  archive,
  asOtherVersion,
  copyGolden,
  env,
  home,
  json,
  names,
  root,
  runs,
  said,
  takePlace,
  tireless,
  workspace,
} from './kit.ts';

interface Replay {
  readonly divergences: readonly { readonly seq: number; readonly what: string }[];
}

let leavePlace = async (): Promise<void> => undefined;
beforeAll(async () => {
  leavePlace = await takePlace();
}, 700_000);
afterAll(() => leavePlace());

const branches = (): string =>
  git(join(root, 'remote.git'), 'for-each-ref', '--format=%(refname:short)', 'refs/heads').trim();

it('the golden home is the one that was written', () => {
  expect(createHash('sha256').update(readFileSync(archive)).digest('hex')).toBe(
    '35a14f067335fd54edbf36104cfaf55a569c3993be6f7892b17e541dcb84612a',
  );
});

describe('what is in the golden home', () => {
  beforeAll(copyGolden);

  it('is listed', async () => {
    const views = await json<RunView[]>('cycles', 'runs');
    expect(views.map(({ id }) => id)).toEqual(Object.values(runs).toReversed());
    expect(views).toMatchObject([
      {
        ...{ state: 'running', turns: 3, tokens: 3_600, cycle: { n: 2, max: 5 } },
        tasks: { open: 3, blocked: 0, done: 0, total: 3 },
      },
      { state: 'waiting', waitingOn: 'approval', turns: 0, gates: [{ id: 'g12', rule: 'git-push' }] },
      { state: 'paused', cause: 'limit:turnsMax', turns: 1, turnsMax: 1 },
      {
        state: 'done',
        cause: 'certified',
        turns: 2,
        turnsMax: 300,
        checks: [{ name: 'files', outcome: 'passed' }],
      },
    ]);
    for (const name of names) expect(await json<RunView>(name, 'status')).toMatchObject({ id: runs[name] });
  });

  it('is told to people', async () => {
    expect(await said('paused', 'status')).toContain(`tireless resume ${runs.paused} --turns`);
    expect(await said('cycles', 'status')).toContain('cycle 2 of 5');
    expect(await said('certified', 'report')).toContain('every check passed: files');
    expect(await said('cycles', 'report')).toContain('2 cycles');
    expect(await said('paused', 'logs')).toContain('one.txt');
    expect(await said('certified', 'doctor')).toContain('4 runs');
  });

  it('has one open question', async () => {
    expect(await json<GateView[]>('paused', 'inbox')).toMatchObject([
      { run: runs.asking, id: 'g12', kind: 'approval', asks: 'git push --quiet origin work:golden' },
    ]);
  });

  it('has tasks, notes and memories', async () => {
    const { tasks } = await json<{ tasks: { id: string }[] }>('cycles', 'tasks');
    expect(tasks.map(({ id }) => id)).toEqual(['lexer', 'parser', 'readme']);
    const { memories } = await json<{ memories: { text: string; scope: string; source: string | null }[] }>(
      ...(['cycles', 'memory', 'list'] as const),
    );
    expect(memories).toHaveLength(6);
    expect(memories).toContainEqual(
      expect.objectContaining({ text: 'The lexer reads UTF-8 only.', source: `${runs.cycles}/14` }),
    );
    expect(await said('cycles', 'memory', 'search', 'which encoding does the lexer read?')).toContain(
      'UTF-8',
    );
    expect(await said('paused', 'memory', 'search', 'short names')).toContain(
      'The person prefers short names.',
    );
  });

  it('replays to the same decisions, but for those that are pinned', async () => {
    for (const name of names) {
      const { divergences, ...replayed } = await json<Replay>(name, 'replay');
      expect(replayed).toMatchObject({ run: runs[name], policyVersion: 2, damage: [] });
      expect(divergences.map(pinned)).toEqual(divergencesOf(`golden-home/${name}`));
    }
  });

  it('is configured as it was, by the person and by a workspace they trusted', () => {
    const load = (name: 'certified' | 'paused') =>
      loadConfig({ home: findHome(env), workspace: workspace(name), env, nowAt: Date.now() });
    expect(load('certified')).toMatchObject({
      project: { trusted: true },
      checks: [{ name: 'files', command: 'sh check.sh' }],
      policy: { limits: { turnsMax: 300, cycleTokensMax: 3_000 }, gates: { timeoutMs: 3_153_600_000_000 } },
      notifications: { desktop: false },
    });
    expect(load('paused').policy.limits.turnsMax).toBe(200);
  });
});

describe('a keeper of the version that wrote the golden home', () => {
  beforeAll(async () => {
    await copyGolden();
    asOtherVersion();
    // It is this process, and still there.
    const { pid, pidStart, host } = holderHere('');
    const db = new DatabaseSync(join(home, 'tireless.db'));
    db.prepare(
      "UPDATE lease SET session = 'old', pid = ?, pid_start = ?, host = ?, heartbeat_at = ? WHERE key = ?",
    ).run(pid, pidStart, host, Date.now(), `run:${runs.asking}`);
    db.close();
  });

  it.each([['status'], ['logs'], ['steer', 'be brief'], ['deny', 'g12'], ['doctor']])(
    'is named beside a newer program, with what to do: %s',
    async (...words) => {
      const { code, stdout, stderr } = await tireless('asking', ...words);
      expect(code, stderr).toBe(0);
      const told = words[0] === 'doctor' ? stdout.replaceAll(/\n\s+/g, '; ') : stderr;
      const change = `tireless pause ${runs.asking}, then tireless resume ${runs.asking}`;
      expect(told).toContain(
        `run ${runs.asking} is kept by Tireless 0.1.0, this is 0.0.0; to switch: ${change}\n`,
      );
    },
  );

  it('is not named for a run that nobody keeps', async () => {
    expect(await tireless('cycles', 'status')).toMatchObject({ code: 0, stderr: '' });
    expect(await tireless('certified', 'logs')).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('a run of the golden home', () => {
  beforeEach(copyGolden);

  it('that is over stays over', async () => {
    expect(await tireless('certified', 'resume')).toMatchObject({ code: 2 });
    expect(await json('certified', 'replay')).toMatchObject({ entries: 26, divergences: [] });
  });

  it('that was paused by a limit goes on when it is raised, to a certified end', async () => {
    await said('paused', 'resume', '--turns', '5', '--foreground');
    expect(await json('paused', 'status')).toMatchObject({ state: 'done', cause: 'certified', turns: 2 });
    expect(await json('paused', 'replay')).toMatchObject({ divergences: [] });
  });

  it('that was killed in its second cycle goes on there, to a certified end', async () => {
    await said('cycles', 'resume', '--foreground');
    expect(await json('cycles', 'status')).toMatchObject({
      ...{ state: 'done', cause: 'certified', turns: 5, cycle: { n: 2, max: 5 } },
      tasks: { open: 1, done: 1, total: 2 },
    });
    expect(await json('cycles', 'replay')).toMatchObject({ divergences: [] });
    const told = readFileSync(join(home, 'runs', runs.cycles, 'agent.log'), 'utf8');
    expect(told.match(/## Cycle 2 of 5/g)).toHaveLength(1);
    expect(await said('cycles', 'memory', 'search', 'lookahead of the parser')).toContain(
      'two tokens of lookahead',
    );
  });

  it('is checked from its start where its snapshot no longer counts', async () => {
    const db = new DatabaseSync(join(home, 'tireless.db'));
    db.exec('UPDATE snapshot SET fold_version = 0; DROP TRIGGER entry_never_changes');
    db.exec(
      `UPDATE entry SET json = replace(json, 'lexer', 'lever') WHERE run = '${runs.cycles}' AND seq < 20`,
    );
    db.close();
    const resumed = await tireless('cycles', 'resume', '--foreground');
    expect(resumed.code, resumed.stdout).toBe(1);
    expect(resumed.stderr).toContain('is damaged: the text of row');
    expect(await json('cycles', 'status')).toMatchObject({ state: 'running', turns: 3 });
  });

  it('hears the answer to its open question, and uses it once', async () => {
    await said('asking', 'approve', 'g12');
    expect(branches()).toBe('');
    await said('asking', 'resume', '--foreground');
    expect(branches()).toBe('golden');
    expect(await json('asking', 'status')).toMatchObject({ state: 'done', cause: 'certified', gates: [] });
    expect(await json('asking', 'inbox')).toEqual([]);
    expect(await said('asking', 'logs')).toContain('leave the README as it is');
    expect(await json('asking', 'replay')).toMatchObject({ divergences: [] });
  });
});
