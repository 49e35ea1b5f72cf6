import { describe, expect, it } from 'vitest';
import { ownDesk, proof, scripts } from './kit.ts';

describe('a run ends with an exit code a script can use', { timeout: 120_000 }, () => {
  it('0 when it is certified done', async () => {
    const desk = ownDesk();
    const { code, stdout, stderr } = await desk.tireless(
      desk.run(scripts.twoFiles, '--foreground', ...proof),
    );
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('done: every check passed: check');
    expect(desk.alive()).toEqual([]);
  });

  it('0 in the background too: the view ends with the run', async () => {
    const desk = ownDesk();
    const { code, stdout } = await desk.tireless([...desk.run(scripts.twoFiles, ...proof), '--json']);
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(code).toBe(0);
    expect(lines[0]).toMatchObject({ seq: 1, event: { type: 'run-created' } });
    expect(lines.at(-1)).toMatchObject({ state: 'done' });
  });

  it('1 when a failure cannot be cured by another turn', async () => {
    const desk = ownDesk();
    const { code, stdout } = await desk.tireless(desk.run(scripts.failing('auth'), '--foreground'));
    expect([code, stdout]).toEqual([1, expect.stringContaining('failed: it says auth')]);
  });

  it('10 when it needs a person', async () => {
    const desk = ownDesk();
    const { code, stdout } = await desk.tireless(desk.run(scripts.asking, '--approvals', 'pause'));
    expect([code, stdout]).toEqual([10, expect.stringContaining('waiting on input')]);
    expect(stdout).toMatch(/next: tireless answer g\d+ "…"/);
    expect((await desk.seen(() => true)).state).toBe('waiting');
  });

  it('10 when there is nothing to prove the end but a person, whose word counts', async () => {
    const desk = ownDesk();
    const { code } = await desk.tireless(desk.run(scripts.twoFiles));
    const gate = await desk.gate('accept');
    expect(code).toBe(10);
    expect((await desk.tireless(['approve', gate.id])).code).toBe(0);
    expect((await desk.seen(({ state }) => state === 'done')).because).toContain('person');
  });

  it('11 when a limit stopped it', async () => {
    const desk = ownDesk();
    const { code, stdout } = await desk.tireless(desk.run(scripts.busy, '--foreground', '--turns', '1'));
    expect([code, stdout]).toEqual([
      11,
      expect.stringContaining('paused (limit:turnsMax): used all 1 turns'),
    ]);
  });

  it('75 when it waits for a usage limit to reset, and says until when', async () => {
    const desk = ownDesk();
    const { code, stdout } = await desk.tireless(desk.run(scripts.failing('usage-limit', 3_600_000)));
    expect([code, stdout]).toEqual([75, expect.stringContaining('waiting on usage-limit, 1 h')]);
    expect(await desk.seen(() => true)).toMatchObject({
      state: 'waiting',
      waitingOn: 'usage-limit',
      until: expect.any(Number),
    });
  });

  it('2 when it was called wrongly, and nothing is left behind', async () => {
    const desk = ownDesk();
    const run = desk.run(scripts.twoFiles);
    const wrong: readonly (readonly [string[], string])[] = [
      [['stauts'], 'Did you mean status?'],
      [['run'], "missing required argument 'mission'"],
      [['run', ' '], 'The mission is empty.'],
      [[...run, '--turns', '0'], 'It must be a whole number above 0'],
      [[...run, '--until', '25:00'], 'a time such as 07:30'],
      [[...run, '--mode', 'twice'], 'Allowed choices are once, autonomous'],
      [[...run, '--cycles', 'many'], 'It must be a whole number above 0'],
      [[...run, '--money', '5'], 'does not report cost, so a money budget cannot stop it'],
      [[...run, '--trun', '5'], "unknown option '--trun'"],
      [['run', '--agent', 'nobody', '--yes', 'x'], 'There is no agent "nobody". Known: codex, scripted'],
      [['run', '--agent', 'scripted', '--yes', 'x'], '--script FILE'],
      [
        ['run', '--agent', 'scripted', '--script', 'none.json', '--yes', 'x'],
        'none.json is not a valid script',
      ],
      [['run', 'x'], 'No agent is installed.'],
      [run.filter((arg) => arg !== '--yes'), 'use --yes'],
      [[], 'Usage: tireless'],
    ];
    for (const [args, says] of wrong) {
      const { code, stderr } = await desk.tireless(args);
      expect([args.join(' '), code, stderr]).toEqual([args.join(' '), 2, expect.stringContaining(says)]);
    }
    expect(await desk.json('runs')).toEqual([]);
  });

  it('0 for help, which shows the everyday commands first and the rest on demand', async () => {
    const desk = ownDesk();
    const [plain, all, one] = await Promise.all([
      desk.tireless(['help']),
      desk.tireless(['help', '--all']),
      desk.tireless(['help', 'stop']),
    ]);
    expect([plain.code, all.code, one.code]).toEqual([0, 0, 0]);
    expect(plain.stdout).not.toContain('replay');
    for (const command of ['replay', 'export', 'pause'])
      expect(all.stdout).toMatch(new RegExp(`^ +${command} `, 'm'));
    expect(all.stdout).not.toMatch(/keeper|scripted-agent/);
    expect(one.stdout).toContain('--all');
  });
});
