import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { until } from '../process-kit.ts';
import { type Desk, ownDesk, program, proof, scripts, withinMs } from './kit.ts';

const atWork = (desk: Desk) => desk.seen(({ state, seq }) => state === 'running' && seq > 5);
const isGone = (desk: Desk): Promise<unknown> =>
  until(
    () => desk.alive().length === 0,
    () => `still alive: ${desk.alive().join(', ')}`,
  );

describe('Ctrl-C', { timeout: 120_000 }, () => {
  it('once lets the turn end, then the run is stopped; exit 130', async () => {
    const desk = ownDesk();
    const view = desk.start(desk.run(scripts.slow, '--foreground', ...proof));
    const { id } = await atWork(desk);
    view.send('SIGINT');
    await view.says(/Stopping after this turn\. Ctrl-C again stops now\./);
    expect((await view.ended).code).toBe(130);
    expect(await desk.seen(() => true)).toMatchObject({ state: 'stopped', turns: 1 });
    const ends = (await desk.entries(id)).flatMap(({ event }) =>
      event.type === 'turn-ended' ? [event.status] : [],
    );
    expect(ends).toEqual(['completed']);
    await isGone(desk);
  });

  it('twice stops at once', async () => {
    const desk = ownDesk();
    const view = desk.start(desk.run(scripts.endless, '--foreground'));
    const { id } = await atWork(desk);
    view.send('SIGINT');
    await view.says(/Stopping after this turn/);
    view.send('SIGINT');
    await view.says(/Stopping now\./);
    expect((await view.ended).code).toBe(130);
    expect((await desk.seen(() => true)).state).toBe('stopped');
    const ends = (await desk.entries(id)).flatMap(({ event }) =>
      event.type === 'turn-ended' ? [event.status] : [],
    );
    expect(ends).toEqual(['interrupted']);
    await isGone(desk);
  });

  it('in the view of a background run asks that run to stop', async () => {
    const desk = ownDesk();
    const view = desk.start(desk.run(scripts.endless));
    await atWork(desk);
    view.send('SIGINT');
    await view.says(/Stopping after this turn/);
    view.send('SIGINT');
    expect((await view.ended).code).toBe(130);
    await desk.seen(({ state }) => state === 'stopped');
  });
});

describe('a view that is closed', { timeout: 120_000 }, () => {
  it.each(['SIGHUP', 'SIGTERM'] as const)('by %s leaves the run alone', async (signal) => {
    const desk = ownDesk();
    const view = desk.start(desk.run(scripts.slow, ...proof));
    await atWork(desk);
    view.send(signal);
    expect((await view.ended).code).toBe(130);
    expect((await desk.seen(({ state }) => state === 'done')).turns).toBe(2);
  });

  it('can be opened again: logs -f goes on from the beginning to the end', async () => {
    const desk = ownDesk();
    await desk.tireless([...desk.run(scripts.slow, ...proof), '--detach']);
    await atWork(desk);
    const { code, stdout } = await desk.tireless(['logs', '-f']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/make two files[\s\S]*two\.txt[\s\S]*done: every check passed/);
  });

  it('by a reader who has seen enough leaves the run alone, also one of the same process', async () => {
    const desk = ownDesk();
    const command = [process.execPath, program, ...desk.run(scripts.twoFiles, '--foreground', ...proof)]
      .map((word) => `'${word}'`)
      .join(' ');
    const { stderr } = spawnSync('sh', ['-c', `${command} | head -n 1`], {
      cwd: desk.workspace,
      env: desk.env,
      encoding: 'utf8',
      timeout: withinMs,
    });
    expect(stderr).toBe('');
    expect((await desk.seen(() => true)).state).toBe('done');
  });
});

/** A real terminal. Its keys and its screen are all a person has. */
function terminal(desk: Desk, ...args: readonly string[]) {
  const socket = join(desk.folder, 'tmux');
  const tmux = (...words: readonly string[]): string =>
    execFileSync('tmux', ['-S', socket, '-f', '/dev/null', ...words], {
      encoding: 'utf8',
      env: { ...desk.env, TERM: 'xterm' },
    });
  const line = `cd '${desk.workspace}' && ${[process.execPath, program, ...args].map((word) => `'${word}'`).join(' ')}; echo "exit=$?"; cat`;
  tmux('new-session', '-d', '-x', '110', '-y', '50', line);
  onTestFinished(() => void spawnSync('tmux', ['-S', socket, 'kill-server']));
  const screen = (): string => tmux('capture-pane', '-p', '-S', '-200');
  return {
    tmux,
    press: (...keys: readonly string[]) => void tmux('send-keys', ...keys),
    shows: (pattern: RegExp) =>
      until(
        () => pattern.exec(screen()),
        () => `the screen never showed ${pattern}:\n${screen()}`,
        withinMs,
      ),
  };
}

const hasTmux = spawnSync('tmux', ['-V']).status === 0;

describe.skipIf(!hasTmux)('in a real terminal', { timeout: 120_000 }, () => {
  it('the preflight is one screen, Enter starts, the footer lives, and the end is told', async () => {
    const desk = ownDesk();
    const person = terminal(desk, ...desk.run(scripts.slow, ...proof).filter((arg) => arg !== '--yes'));
    await person.shows(/limits.*200 turns[\s\S]*Press Enter to start, Ctrl-C to cancel\./);
    person.press('Enter');
    await person.shows(/running · turn 1\/200/);
    await person.shows(/done: every check passed/);
    await person.shows(/exit=0/);
  });

  it('Ctrl-C at the question starts nothing', async () => {
    const desk = ownDesk();
    const person = terminal(desk, ...desk.run(scripts.slow).filter((arg) => arg !== '--yes'));
    await person.shows(/Press Enter to start/);
    person.press('C-c');
    await person.shows(/Nothing was started\.\s+exit=130/);
    expect(await desk.json('runs')).toEqual([]);
  });

  it('Ctrl-C twice stops a run at once and gives the cursor back', async () => {
    const desk = ownDesk();
    const person = terminal(desk, ...desk.run(scripts.endless, '--foreground'));
    await person.shows(/turn started/);
    person.press('C-c');
    await person.shows(/Stopping after this turn/);
    person.press('C-c');
    await person.shows(/exit=130/);
    expect(person.tmux('display-message', '-p', '#{cursor_flag}').trim()).toBe('1');
    expect((await desk.seen(() => true)).state).toBe('stopped');
  });

  it('closing the window changes nothing about the run', async () => {
    const desk = ownDesk();
    const person = terminal(desk, ...desk.run(scripts.slow, ...proof));
    await person.shows(/turn started/);
    person.tmux('kill-server');
    expect((await desk.seen(({ state }) => state === 'done')).turns).toBe(2);
  });
});
