import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { closingLine } from '../../src/core/index.ts';
import type { LogLine } from '../../src/edge/agents/scripted/agent-log.ts';
import type { Script } from '../../src/edge/agents/scripted/script.ts';
import { type Desk, ownDesk, proof, scripts } from '../cli/kit.ts';
import { until } from '../process-kit.ts';

const cycleTokensMax = 3_000;
const measured = 'the answer is 42';

/** Three cycles: one that is wrapped up between turns, one in the middle of a turn, and one that ends on proof. */
const threeCycles: Script = {
  asks: false,
  paceMs: 0,
  turns: [
    { steps: [{ write: 'one.txt', text: '1\n' }], message: 'One of two.' },
    { steps: [{ run: `echo ${measured}; exit 3` }, { tokens: 600 }], message: 'Measured it.' },
    {
      steps: [{ write: 'notes.txt', text: 'later\n' }],
      message: 'The parser is next; begin with the lexer.',
    },
    {
      steps: [{ tokens: 2_500 }, { think: 300 }, { write: 'lexer.txt', text: 'l\n' }],
      message: 'Lexer done.',
    },
    { steps: [{ write: 'two.txt', text: '2\n' }], message: `Both are there.\n\n${closingLine}` },
  ],
};

function configured(desk: Desk, limits: Record<string, number>): void {
  const folder = join(desk.folder, '.config', 'tireless');
  mkdirSync(folder, { recursive: true });
  const lines = Object.entries(limits).map(([name, value]) => `  ${name}: ${value}`);
  writeFileSync(join(folder, 'config.yaml'), `limits:\n${lines.join('\n')}\n`);
}

const autonomous = (desk: Desk, script: Script, cycles: number): string[] =>
  desk.run(script, '--mode', 'autonomous', '--cycles', String(cycles), ...proof);

/** What the agent itself wrote down of what it was told. */
const stamped = (desk: Desk, run: string): Exclude<LogLine, { kind: 'ended' }>[] =>
  readFileSync(join(desk.home, 'runs', run, 'agent.log'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as LogLine)
    .filter((line) => line.kind !== 'ended');

describe('a run in cycles, with real processes', { timeout: 120_000 }, () => {
  it('works three of them, each in a session of its own, and ends early on proof', async () => {
    const desk = ownDesk();
    configured(desk, { cycleTokensMax });
    const ended = await desk.tireless([...autonomous(desk, threeCycles, 9), '--foreground']);
    expect(ended, ended.stdout + ended.stderr).toMatchObject({ code: 0 });
    const view = await desk.seen(({ state }) => state === 'done');
    expect(view).toMatchObject({ turns: 5, cycle: { n: 3, max: 9 }, cause: 'certified' });
    const told = stamped(desk, view.id);
    const sessions = [...new Set(told.map(({ session }) => session))];
    expect(sessions).toHaveLength(3);
    const firsts = sessions.map((id) => told.find(({ session }) => session === id)?.prompt ?? '');
    firsts.forEach((prompt, n) => {
      expect(prompt).toContain('make two files');
      expect(prompt).toContain(`## Cycle ${n + 1} of 9`);
    });
    for (const id of sessions.slice(0, 2))
      expect(
        told.filter(({ session, prompt }) => session === id && prompt.includes('## Wrap up')),
        JSON.stringify(told, null, 1),
      ).toHaveLength(1);
    expect(told.filter(({ prompt }) => prompt.includes('## Cycle'))).toHaveLength(3);
    // What was measured and said reaches the next cycle, as summary and as memory.
    expect(firsts[1]).toContain(measured);
    expect(firsts[1]).toContain('exit 3');
    expect(firsts[1]).toContain('begin with the lexer');
    expect(firsts[1]).toContain('### What is remembered');
    // Tokens are a sum over sessions: every turn takes 1,000, and two said that they took more.
    expect(view.tokens).toBe(8_100);
    expect((await desk.tireless(['replay', view.id])).code).toBe(0);
    const found = await desk.json<{ text: string }[]>(
      'memory',
      'search',
      'parser lexer',
      '--scope',
      'workspace',
    );
    expect(JSON.stringify(found)).toContain('begin with the lexer');
    const status = await desk.tireless(['status', view.id]);
    expect(status.stdout).toContain('cycle 3 of 9');
    expect((await desk.tireless(['report', view.id])).stdout).toContain('3 cycles');
  });

  it('killed between summary and fresh session goes on with the next cycle, told once', async () => {
    const desk = ownDesk();
    configured(desk, { cycleTokensMax });
    const keeper = desk.start([...autonomous(desk, threeCycles, 3), '--foreground']);
    const { id } = await desk.seen(
      ({ lastDecision, cycle }) => lastDecision?.rule === 'next-cycle' && cycle?.n === 2,
    );
    keeper.send('SIGKILL');
    await keeper.ended;
    const before = await desk.entries(id);
    const begins = before.findIndex(({ decision }) => decision?.cycle === 2);
    const sentMeanwhile = before.slice(begins).flatMap(({ effects = [] }) => effects);
    expect(sentMeanwhile.map(({ type }) => type)).not.toContain('turn-start');
    const resumed = await desk.tireless(['resume', '--foreground', id]);
    expect(resumed, resumed.stdout + resumed.stderr).toMatchObject({ code: 0 });
    const told = stamped(desk, id);
    expect(told.filter(({ prompt }) => prompt.includes('## Cycle 2 of 3'))).toHaveLength(1);
    const second = told.find(({ prompt }) => prompt.includes('## Cycle 2 of 3'));
    expect(second?.session).not.toBe(told[0]?.session);
    const dispatches = told.map(({ dispatch }) => dispatch);
    expect(new Set(dispatches).size).toBe(dispatches.length);
    const summaries = (await desk.entries(id)).filter(
      ({ event }) =>
        event.type === 'effect-ended' && event.outcome.of === 'summarise' && event.outcome.cycle === 1,
    );
    expect(summaries).toHaveLength(1);
    expect((await desk.tireless(['replay', id])).code).toBe(0);
  });

  it('stops after the last of its cycles, exits 11, and goes on when one more is allowed', async () => {
    const desk = ownDesk();
    configured(desk, { cycleTokensMax: 1_000 });
    const ended = await desk.tireless([...autonomous(desk, scripts.busy, 2), '--foreground']);
    expect(ended.code).toBe(11);
    const view = await desk.seen(({ state }) => state === 'paused');
    expect(view).toMatchObject({ cause: 'limit:cyclesMax', cycle: { n: 2, max: 2 }, turns: 2 });
    expect((await desk.tireless(['status', view.id])).stdout).toContain(
      `tireless resume ${view.id} --cycles 4`,
    );
    expect((await desk.tireless(['resume', '--foreground', view.id])).code).toBe(11);
    expect((await desk.tireless(['resume', '--foreground', '--cycles', '3', view.id])).code).toBe(11);
    expect(await desk.seen(({ cycle }) => cycle?.n === 3)).toMatchObject({ turns: 3, state: 'paused' });
    expect((await desk.tireless(['resume', '--cycles', '101', view.id])).stderr).toContain(
      'At most 100 cycles.',
    );
  });

  it('leaves a run of one window alone', async () => {
    const desk = ownDesk();
    configured(desk, { cycleTokensMax: 1 });
    const ended = await desk.tireless([...desk.run(scripts.twoFiles, ...proof), '--foreground']);
    expect(ended.code).toBe(0);
    const [view] = await desk.json<{ id: string; cycle?: unknown }[]>('runs');
    expect(view?.cycle).toBeUndefined();
    const told = stamped(desk, view?.id ?? '');
    expect(new Set(told.map(({ session }) => session)).size).toBe(1);
    for (const { prompt } of told) expect(prompt).not.toMatch(/## Cycle|## Wrap/);
  });

  it('hears a stop in the middle of a later cycle at once', async () => {
    const desk = ownDesk();
    configured(desk, { cycleTokensMax: 1_000 });
    const script: Script = {
      ...scripts.busy,
      turns: [...scripts.busy.turns, { steps: [{ hang: true }], message: '' }],
    };
    const keeper = desk.start([...autonomous(desk, script, 5), '--foreground']);
    const { id } = await desk.seen(({ cycle, state }) => cycle?.n === 2 && state === 'running');
    await until(
      () => stamped(desk, id).length === 2,
      () => `the second cycle never began: ${keeper.said()}`,
    );
    expect((await desk.tireless(['stop', id, '--now'])).code).toBe(0);
    await keeper.ended;
    expect(await desk.seen(({ state }) => state === 'stopped')).toMatchObject({ cycle: { n: 2 } });
    await until(
      () => desk.alive().length === 0,
      () => `left running: ${desk.alive().map((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8'))}`,
      3_000,
    );
  });
});
