import { describe, expect, it } from 'vitest';
import { type Event, toolRequestPrefix } from '../../src/contract/index.ts';
import { type LedgerRun, ledgerRun } from '../../src/testkit/ledger-run.ts';

const request = `${toolRequestPrefix}1`;
const digest = 'd'.repeat(64);

/** A run in the middle of a turn whose agent asked over our tools. */
function asked(options: Parameters<typeof ledgerRun>[0] = {}): { r: LedgerRun; gate: string } {
  const r = ledgerRun(options);
  r.launch();
  const turn = r.started();
  const questions = [{ id: 'question', question: 'Postgres or SQLite?' }];
  r.onEvent({ type: 'input-asked', session: 's1', turn, request, questions, digest });
  return { r, gate: r.run().gates[0]?.id ?? 'none' };
}
const answer = (gate: string): Event => ({
  type: 'gate-answered',
  gate,
  answer: 'text',
  text: { text: 'SQLite' },
  by: 'me',
});

describe('a question over our tools', () => {
  it('is a gate like any other, and its answer stands in the ledger', () => {
    const { r, gate } = asked();
    expect(r.run()).toMatchObject({ state: 'waiting', waiting: { on: 'input' } });
    const entry = r.onEvent(answer(gate));
    expect(entry.effects).toMatchObject([
      { type: 'request-answer', request, answer: 'text', text: 'SQLite' },
      {},
    ]);
    expect(r.run()).toMatchObject({ state: 'running', gates: [] });
  });

  it('is never answered by a model, also where one may answer questions', () => {
    const { r, gate } = asked({ policy: { advice: { enabled: true, answers: true } } });
    expect(r.run().gates.map(({ id, kind }) => [id, kind])).toEqual([[gate, 'input']]);
    expect(r.has('input-advise')).toBe(false);
  });

  it('outlives its turn, and the answer is told with the next input, with the question', () => {
    const { r, gate } = asked();
    r.ended({ message: { text: 'so far' } });
    expect(r.run().gates.map(({ id }) => id)).toEqual([gate]);
    r.launch();
    r.started();
    r.onEvent(answer(gate));
    expect(r.run().gates).toEqual([]);
    expect([...r.run().steers, ...(r.run().steering?.texts ?? [])]).toEqual([
      { text: 'You asked: Postgres or SQLite?\n\nThe answer: SQLite' },
    ]);
  });

  it('that the agent asks by itself still ends with its turn', () => {
    const r = ledgerRun();
    r.launch();
    const turn = r.started();
    const questions = [{ id: 'q', question: 'Which?' }];
    r.onEvent({ type: 'input-asked', session: 's1', turn, request: 'q1', questions, digest });
    r.ended({ message: { text: 'never mind' } });
    expect(r.run().gates).toEqual([]);
  });

  it('that nobody answers in time is answered with that', () => {
    const { r, gate } = asked();
    const [timer, { effect }] = Object.entries(r.run().timers).find(([name]) => name.includes(gate)) ?? [
      '',
      { effect: '' },
    ];
    const entry = r.onEvent({ type: 'timer-fired', timer, effect }, 1_800_000);
    expect(entry.effects).toMatchObject([{ type: 'request-answer', request, answer: 'deny' }, {}]);
  });
});
