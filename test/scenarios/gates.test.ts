import { describe, expect, it } from 'vitest';
import { bounds } from '../../src/core/index.ts';
import { ledgerRun } from '../../src/testkit/ledger-run.ts';
import { askApproval, askQuestion, digestOf, effectsOfType, fire, person } from './asks.ts';

const timeoutMs = 1_800_000;
const inTurn = (policy: Record<string, unknown> = {}) => {
  const r = ledgerRun({ policy });
  r.launch();
  r.started('t1');
  return r;
};

describe('a gate', () => {
  it('makes the run wait for a person, until its expiry', () => {
    const r = inTurn();
    const gate = askApproval(r, 'q1');
    expect(r.run()).toMatchObject({ state: 'waiting', waiting: { on: 'approval', until: gate.expiresAt } });
    expect((gate.expiresAt ?? 0) - gate.askedAt).toBe(timeoutMs);
    expect(askQuestion(inTurn(), 'q1')).toMatchObject({ kind: 'input' });
  });

  it('passes the answer on to the agent, once', () => {
    const r = inTurn();
    const gate = askApproval(r, 'q1');
    const entry = r.onEvent({ type: 'gate-answered', gate: gate.id, answer: 'approve', by: 'me' });
    expect(effectsOfType(entry, 'request-answer')).toMatchObject([
      { request: 'q1', answer: 'approve', rule: 'person', digest: gate.digest },
    ]);
    expect(r.run()).toMatchObject({ state: 'running', gates: [] });
    const again = r.onEvent({ type: 'gate-answered', gate: gate.id, answer: 'approve', by: 'me' });
    expect(again).toMatchObject({ late: true });
  });

  it('gives a denial with its words', () => {
    const r = inTurn();
    const gate = askApproval(r, 'q1');
    const text = { text: 'use the staging system' };
    const entry = r.onEvent({ type: 'gate-answered', gate: gate.id, answer: 'deny', text, by: 'me' });
    expect(effectsOfType(entry, 'request-answer')).toMatchObject([
      { answer: 'deny', because: 'use the staging system' },
    ]);
    expect(r.run().turn?.denials).toBe(1);
  });

  it('of a question is answered by text, and by nothing else than text or no', () => {
    const r = inTurn();
    const gate = askQuestion(r, 'q1');
    expect(r.onEvent({ type: 'gate-answered', gate: gate.id, answer: 'approve', by: 'me' }).late).toBe(true);
    const text = { text: 'left' };
    const entry = r.onEvent({ type: 'gate-answered', gate: gate.id, answer: 'text', text, by: 'me' });
    expect(effectsOfType(entry, 'request-answer')).toMatchObject([{ answer: 'text', text: 'left' }]);
  });

  it('of an action cannot be approved by chatting', () => {
    const r = inTurn();
    const gate = askApproval(r, 'q1');
    const text = { text: 'yes, go ahead' };
    expect(r.onEvent({ type: 'gate-answered', gate: gate.id, answer: 'text', text, by: 'me' }).late).toBe(
      true,
    );
    r.onEvent({ type: 'steer-given', text, by: 'me' });
    expect(r.run().gates).toHaveLength(1);
  });

  it('takes an answer for exactly its action', () => {
    const r = inTurn();
    const gate = askApproval(r, 'q1', digestOf('a'));
    const other = { gate: gate.id, answer: 'approve' as const, digest: digestOf('b'), by: 'me' };
    expect(r.onEvent({ type: 'gate-answered', ...other }).late).toBe(true);
    const entry = r.onEvent({ type: 'gate-answered', ...other, digest: digestOf('a') });
    expect(effectsOfType(entry, 'request-answer')).toHaveLength(1);
  });

  it('gives way to a newer request for the same action', () => {
    const r = inTurn();
    const old = askApproval(r, 'q1');
    const gate = askApproval(r, 'q2');
    expect(r.run().gates.map((g) => g.id)).toEqual([gate.id]);
    expect(Object.keys(r.run().timers)).not.toContain(`gate:${old.id}`);
    expect(r.onEvent({ type: 'gate-answered', gate: old.id, answer: 'approve', by: 'me' }).late).toBe(true);
  });

  it('is opened once for a request that is repeated', () => {
    const r = inTurn();
    const gate = askApproval(r, 'q1');
    const action = { kind: 'command' as const, rendered: { text: 'x' }, digest: gate.digest };
    const again = r.onEvent({ type: 'approval-asked', session: 's1', turn: 't1', request: 'q1', action });
    expect(again.late).toBe(true);
    r.onEvent({ type: 'gate-answered', gate: gate.id, answer: 'approve', by: 'me' });
    expect(r.onEvent({ type: 'approval-asked', session: 's1', turn: 't1', request: 'q1', action }).late).toBe(
      true,
    );
  });

  it('may be one of several; the turn goes on when the last is answered', () => {
    const r = inTurn();
    const [a, b] = [askApproval(r, 'q1', digestOf('a')), askApproval(r, 'q2', digestOf('b'))];
    expect(r.run().gates).toHaveLength(2);
    r.onEvent({ type: 'gate-answered', gate: b.id, answer: 'approve', by: 'me' });
    expect(r.run().state).toBe('waiting');
    r.onEvent({ type: 'gate-answered', gate: a.id, answer: 'deny', by: 'me' });
    expect(r.run().state).toBe('running');
  });

  it('closes when the agent no longer asks', () => {
    const r = inTurn();
    askApproval(r, 'q1');
    r.onEvent({ type: 'request-withdrawn', session: 's1', request: 'q1' });
    expect(r.run()).toMatchObject({ gates: [], state: 'running' });
    expect(Object.keys(r.run().timers)).toEqual(['turn-total']);
  });

  it('closes with its turn, clock and all', () => {
    const r = inTurn();
    askApproval(r, 'q1');
    r.ended({ status: 'interrupted' });
    expect(r.run().gates).toEqual([]);
    expect(Object.keys(r.run().timers)).toEqual([]);
  });

  it('is refused to the agent when too many are open', () => {
    const r = inTurn();
    for (let n = 0; n < bounds.gatesMax; n++) askApproval(r, `q${n}`, n.toString(16).padStart(64, '0'));
    const action = { kind: 'command' as const, rendered: { text: 'x' }, digest: digestOf('f') };
    const entry = r.onEvent({ type: 'approval-asked', session: 's1', turn: 't1', request: 'more', action });
    expect(effectsOfType(entry, 'request-answer')).toMatchObject([{ answer: 'deny', rule: 'gates-max' }]);
    expect(r.run().gates).toHaveLength(bounds.gatesMax);
  });

  it('that a foreign turn opened is answered too, and closes with that turn', () => {
    const r = inTurn();
    r.ended();
    r.onEvent({ type: 'turn-started', session: 's1', turn: 'foreign' });
    const action = { kind: 'command' as const, rendered: { text: 'x' }, digest: digestOf('a') };
    const ask = (request: string) => {
      r.onEvent({ type: 'approval-asked', session: 's1', turn: 'foreign', request, action });
      return r.run().gates.at(-1)?.id ?? '';
    };
    const entry = r.onEvent({ type: 'gate-answered', gate: ask('q1'), answer: 'approve', by: 'me' });
    expect(effectsOfType(entry, 'request-answer')).toHaveLength(1);
    ask('q2');
    r.onEvent({ type: 'turn-ended', session: 's1', turn: 'foreign', status: 'completed' });
    expect(r.run().gates).toEqual([]);
  });
});

describe('a question whose turn was not announced', () => {
  const ask = (r: ReturnType<typeof ledgerRun>, turn: string) => {
    const action = { kind: 'command' as const, rendered: { text: 'x' }, digest: digestOf('a') };
    return r.onEvent({ type: 'approval-asked', session: 's1', turn, request: 'q1', action });
  };

  it('belongs to our turn, where the agent has that and gave it no name yet', () => {
    const r = ledgerRun();
    const dispatch = r.launch();
    r.outcome('turn-start', { of: 'turn-start' });
    ask(r, 't1');
    expect(r.run()).toMatchObject({ state: 'waiting', turn: { turn: 't1' }, foreign: null });
    expect(r.onEvent({ type: 'turn-started', session: 's1', turn: 't1', dispatch }).late).toBeUndefined();
  });

  it('is ours after all, when the turn that asks turns out to be', () => {
    const r = ledgerRun();
    const dispatch = r.launch();
    ask(r, 't1');
    expect(r.run()).toMatchObject({ foreign: 't1', turn: { turn: null } });
    r.onEvent({ type: 'turn-started', session: 's1', turn: 't1', dispatch });
    expect(r.run()).toMatchObject({ foreign: null, turn: { turn: 't1', dispatch } });
    const gate = r.run().gates[0]?.id ?? '';
    const entry = r.onEvent({ type: 'gate-answered', gate, answer: 'approve', by: 'me' });
    expect(effectsOfType(entry, 'request-answer')).toHaveLength(1);
  });

  it('shows that somebody else is at work, and is answered', () => {
    const r = inTurn();
    r.ended();
    ask(r, 'foreign');
    expect(r.run()).toMatchObject({ foreign: 'foreign', gates: [{ turn: 'foreign' }] });
    const gate = r.run().gates[0]?.id ?? '';
    const entry = r.onEvent({ type: 'gate-answered', gate, answer: 'approve', by: 'me' });
    expect(effectsOfType(entry, 'request-answer')).toHaveLength(1);
  });

  it("is nobody's when that turn has ended, or another session asks", () => {
    const r = inTurn();
    r.ended();
    expect(ask(r, 't1').late).toBe(true);
    const action = { kind: 'command' as const, rendered: { text: 'x' }, digest: digestOf('a') };
    expect(r.onEvent({ type: 'approval-asked', session: 's9', turn: 't9', request: 'q9', action }).late).toBe(
      true,
    );
  });
});

describe('a gate that nobody answers', () => {
  it('denies that one action with the reason, and the run goes on', () => {
    const r = inTurn();
    const gate = askApproval(r, 'q1');
    const entry = fire(r, `gate:${gate.id}`, timeoutMs);
    expect(effectsOfType(entry, 'request-answer')).toMatchObject([{ answer: 'deny', rule: 'gate-expired' }]);
    expect(r.run()).toMatchObject({
      state: 'running',
      expiriesInRow: 1,
      unanswered: [{ asks: { text: 'make deploy' } }],
    });
  });

  it('pauses the run at the third in a row; an answer in between starts the count anew', () => {
    const r = inTurn({ limits: { denialsMax: 100 } });
    const expire = (request: string) => fire(r, `gate:${askApproval(r, request).id}`, timeoutMs);
    expire('q1');
    expire('q2');
    r.onEvent({ type: 'gate-answered', gate: askApproval(r, 'q3').id, answer: 'deny', by: 'me' });
    expect(r.run().expiriesInRow).toBe(0);
    for (const request of ['q4', 'q5', 'q6']) expire(request);
    expect(r.ended().decision).toMatchObject({ rule: 'unanswered', to: 'paused' });
  });

  it('waits for ever where the person wants that', () => {
    const r = inTurn({ gates: { whenUnanswered: 'wait' } });
    const gate = askApproval(r, 'q1');
    expect(gate.expiresAt).toBeNull();
    expect(r.run()).toMatchObject({ waiting: { on: 'approval', until: null } });
    expect(Object.keys(r.run().timers)).toEqual([]);
  });

  it('stops the run where the person wants that, as soon as the turn has ended', () => {
    const r = inTurn({ gates: { whenUnanswered: 'stop' } });
    const entry = fire(r, `gate:${askApproval(r, 'q1').id}`, timeoutMs);
    expect(effectsOfType(entry, 'turn-interrupt')).toHaveLength(1);
    const end = r.ended({ status: 'interrupted' });
    expect(end.decision).toMatchObject({ rule: 'unanswered-stop', to: 'stopped', actor: 'rule' });
  });

  it('stops the run also when the agent that asked is gone', () => {
    const r = inTurn({ gates: { whenUnanswered: 'stop' } });
    const gate = askApproval(r, 'q1');
    r.onEvent({ type: 'session-ended', session: 's1' });
    r.outcome('tree-read', { of: 'tree-read', tree: { tree: 'unknown', head: null } });
    expect(fire(r, `gate:${gate.id}`, timeoutMs).decision?.rule).toBe('unanswered-stop');
  });
});

describe('an agent that dies while it waits', () => {
  const afterDeath = () => {
    const r = inTurn();
    const gate = askApproval(r, 'q1');
    r.onEvent({ type: 'session-ended', session: 's1' });
    r.outcome('tree-read', { of: 'tree-read', tree: { tree: 'unknown', head: null } });
    return { r, gate };
  };
  const askAgain = (r: ReturnType<typeof ledgerRun>, request: string, digest = digestOf('a')) => {
    const action = { kind: 'command' as const, rendered: { text: 'make deploy' }, digest };
    return r.onEvent({
      type: 'approval-asked',
      session: 's1',
      turn: r.run().turn?.turn ?? '?',
      request,
      action,
    });
  };
  const nextTurn = (r: ReturnType<typeof ledgerRun>) => {
    fire(r, 'wait', 60_000);
    r.launch();
    r.started('t2');
  };

  it('leaves its question open', () => {
    const { r, gate } = afterDeath();
    expect(r.run().gates.map((g) => g.id)).toEqual([gate.id]);
  });

  it('gets the approval once when it asks for the same action again', () => {
    const { r, gate } = afterDeath();
    const answer = r.onEvent({ type: 'gate-answered', gate: gate.id, answer: 'approve', by: 'me' });
    expect(effectsOfType(answer, 'request-answer')).toEqual([]);
    nextTurn(r);
    expect(effectsOfType(askAgain(r, 'q8'), 'request-answer')).toMatchObject([
      { answer: 'approve', rule: 'person', gate: gate.id },
    ]);
    expect(effectsOfType(askAgain(r, 'q9'), 'gate-open')).toHaveLength(1);
  });

  it('gets nothing for another action', () => {
    const { r, gate } = afterDeath();
    r.onEvent({ type: 'gate-answered', gate: gate.id, answer: 'approve', by: 'me' });
    nextTurn(r);
    expect(effectsOfType(askAgain(r, 'q8', digestOf('b')), 'gate-open')).toHaveLength(1);
  });

  it('is not answered through an old request, though the session has the same name', () => {
    const { r, gate } = afterDeath();
    nextTurn(r);
    expect(r.run().timers['turn-total']).toBeDefined();
    const entry = r.onEvent({ type: 'gate-answered', gate: gate.id, answer: 'approve', by: 'me' });
    expect(effectsOfType(entry, 'request-answer')).toEqual([]);
    expect(r.run().unusedApprovals).toHaveLength(1);
  });

  it('hears an answer in words as directions', () => {
    const r = inTurn();
    const gate = askQuestion(r, 'q1');
    r.onEvent({ type: 'session-ended', session: 's1' });
    r.onEvent({ type: 'gate-answered', gate: gate.id, answer: 'text', text: { text: 'left' }, by: 'me' });
    expect(r.run().steers).toEqual([{ text: 'left' }]);
  });

  it('before it heard the approval keeps it for the same action', () => {
    const r = inTurn();
    const gate = askApproval(r, 'q1');
    r.onEvent({ type: 'gate-answered', gate: gate.id, answer: 'approve', by: 'me' });
    r.outcome('request-answer', { of: 'request-answer', ok: false });
    expect(r.run().unusedApprovals).toEqual([{ digest: gate.digest, gate: gate.id }]);
  });
});

describe('stopping while a gate is open', () => {
  it.each(['stop', 'off'] as const)('(%s) interrupts the turn that would not end by itself', (ask) => {
    const r = inTurn();
    askApproval(r, 'q1');
    const entry = person(r, ask);
    expect(effectsOfType(entry, 'turn-interrupt')).toHaveLength(1);
    expect(r.ended({ status: 'interrupted' }).decision).toMatchObject({
      rule: `person-${ask}`,
      to: 'stopped',
    });
  });

  it('interrupts also the turn that asks after the stop', () => {
    const r = inTurn();
    expect(effectsOfType(person(r, 'stop'), 'turn-interrupt')).toEqual([]);
    askApproval(r, 'q1');
    expect(r.run().turn).toMatchObject({ endAs: 'person' });
    const next = r.onEvent({ type: 'usage-reported', session: 's1', usage: {} });
    expect(effectsOfType(next, 'turn-interrupt')).toHaveLength(1);
  });

  it('lets a pause wait for the answer', () => {
    const r = inTurn();
    const gate = askApproval(r, 'q1');
    expect(effectsOfType(person(r, 'pause'), 'turn-interrupt')).toEqual([]);
    r.onEvent({ type: 'gate-answered', gate: gate.id, answer: 'approve', by: 'me' });
    expect(r.ended().decision?.rule).toBe('person-pause');
  });
});
