import { describe, expect, it } from 'vitest';
import { supervise } from '../../src/app/supervise.ts';
import type { Entry } from '../../src/contract/index.ts';
import { closingLine, isTerminal, type Run, recoveryOf, remember } from '../../src/core/index.ts';
import { checksOutcome, ledgerRun, passed } from '../../src/testkit/ledger-run.ts';
import { tellStory } from '../../src/testkit/world.ts';
import { askApproval, digestOf, effectsOfType, person } from './asks.ts';
import { oblige } from './oblige.ts';

type R = ReturnType<typeof ledgerRun>;
const inTurn = (agent = {}) => {
  const r = ledgerRun({ agent });
  r.launch();
  r.started('t1');
  return r;
};
const opened = (r: R, session = 's1') => r.outcome('session-open', { of: 'session-open', session });
const unknownTree = { of: 'tree-read' as const, tree: { tree: 'unknown' as const, head: null } };

describe('after a crash', () => {
  it('opens the session it had, where the agent can resume one', () => {
    const r = inTurn();
    expect(effectsOfType(r.restarted(), 'session-open')).toEqual([{ type: 'session-open', resume: 's1' }]);
    const fresh = inTurn({ resumes: false });
    expect(effectsOfType(fresh.restarted(), 'session-open')).toEqual([{ type: 'session-open' }]);
  });

  it('asks for the slot and reads the tree again for a turn that was about to start', () => {
    const entry = ledgerRun().restarted();
    expect(entry.effects?.map((e) => e.type)).toEqual(['slot-request', 'tree-read', 'session-open']);
  });

  it('reads the tree again after a turn, and runs checks again while it verifies', () => {
    const r = inTurn();
    r.onEvent({ type: 'turn-ended', session: 's1', turn: 't1', status: 'completed' });
    expect(r.restarted().effects).toEqual([{ type: 'tree-read', when: 'after-turn' }]);
    const verifying = inTurn();
    verifying.ended({ message: { text: closingLine } });
    expect(effectsOfType(verifying.restarted(), 'checks-run')).toHaveLength(1);
    expect(verifying.outcome('checks-run', checksOutcome([passed()], 't1')).decision?.to).toBe('done');
  });

  it('asks for advice again', () => {
    const r = ledgerRun({ policy: { advice: { enabled: true } } });
    r.launch();
    r.started();
    r.ended();
    expect(effectsOfType(r.restarted(), 'advice-ask')).toHaveLength(1);
  });

  it('tells again what may not have been told, and abandons what died with the process', () => {
    const r = inTurn();
    r.ended();
    person(r, 'pause');
    expect(r.restarted().effects?.map((e) => e.type)).toEqual(['notify']);
    expect(r.run().state).toBe('paused');
  });

  it('keeps the timers of the wall clock, and drops those of the dead process', () => {
    const r = inTurn();
    const gate = askApproval(r, 'q1');
    expect(effectsOfType(r.restarted(), 'gate-open')).toHaveLength(1);
    expect(Object.keys(r.run().timers)).toEqual([`gate:${gate.id}`]);
    expect(r.run().gates[0]).toEqual(gate);
  });

  it('drops the deadlines of a turn, which belong to the process that measured them', () => {
    const r = inTurn();
    expect(Object.keys(r.run().timers)).toEqual(['turn-total']);
    r.restarted();
    expect(r.run().timers).toEqual({});
  });

  it('does not open a gate again that was answered meanwhile', () => {
    const r = inTurn();
    const [answered, open] = [askApproval(r, 'q1', digestOf('a')), askApproval(r, 'q2', digestOf('b'))];
    r.onEvent({ type: 'gate-answered', gate: answered.id, answer: 'approve', by: 'me' });
    r.restarted();
    expect(r.run().gates.map((g) => g.id)).toEqual([open.id]);
  });

  it('keeps an approval that may not have arrived for the same action', () => {
    const r = inTurn();
    const gate = askApproval(r, 'q1');
    r.onEvent({ type: 'gate-answered', gate: gate.id, answer: 'approve', by: 'me' });
    r.restarted();
    expect(r.run().unusedApprovals).toEqual([{ digest: gate.digest, gate: gate.id }]);
  });

  it('keeps questions open whose turn was lost', () => {
    for (const found of ['unknown', 'ended'] as const) {
      const r = inTurn();
      const gate = askApproval(r, 'q1');
      r.restarted();
      opened(r);
      r.outcome('turn-find', { of: 'turn-find', found, turn: 't1', status: 'interrupted' });
      expect(r.run().gates.map((g) => g.id)).toEqual([gate.id]);
    }
  });

  it('hears a request again that the agent repeats in its turn', () => {
    const r = inTurn();
    askApproval(r, 'q1');
    r.restarted();
    opened(r);
    r.outcome('turn-find', { of: 'turn-find', found: 'running', turn: 't1' });
    const again = askApproval(r, 'q1');
    expect(r.entries.at(-1)?.late).toBeUndefined();
    expect(r.run().gates.map((g) => g.id)).toEqual([again.id]);
  });
});

describe('a turn in doubt', () => {
  const doubted = (agent = {}) => {
    const r = ledgerRun({ agent });
    r.onEvent({ type: 'steer-given', text: { text: 'mind the docs' }, by: 'me' });
    person(r, 'pause');
    person(r, 'resume');
    const dispatch = r.launch();
    r.restarted();
    return { r, dispatch };
  };

  it('is asked about before anything is sent', () => {
    const { r, dispatch } = doubted();
    const entry = opened(r);
    expect(entry.effects).toEqual([{ type: 'turn-find', session: 's1', dispatch }]);
  });

  it('that is running is followed', () => {
    const { r } = doubted();
    opened(r);
    const entry = r.outcome('turn-find', { of: 'turn-find', found: 'running', turn: 't1' });
    expect(effectsOfType(entry, 'turn-start')).toEqual([]);
    expect(r.run()).toMatchObject({ state: 'running', turn: { phase: 'started', turn: 't1' } });
  });

  it('that has ended counts as it ended', () => {
    const { r } = doubted();
    opened(r);
    const message = { text: closingLine };
    r.outcome('turn-find', { of: 'turn-find', found: 'ended', turn: 't1', status: 'completed', message });
    expect(r.run()).toMatchObject({ turns: 1, claim: { via: 'closing-line' }, inDoubt: false });
  });

  it('that never arrived is sent once more, with the same id and the same words', () => {
    const { r, dispatch } = doubted();
    const { input } = r.run().turn ?? { input: null };
    opened(r);
    const entry = r.outcome('turn-find', { of: 'turn-find', found: 'absent' });
    expect(effectsOfType(entry, 'turn-start')).toEqual([
      { type: 'turn-start', session: 's1', dispatch, input },
    ]);
  });

  it('that never arrived is decided anew when somebody else is at work by then', () => {
    const { r } = doubted();
    opened(r);
    r.onEvent({ type: 'turn-started', session: 's1', turn: 'foreign' });
    const entry = r.outcome('turn-find', { of: 'turn-find', found: 'absent' });
    expect(effectsOfType(entry, 'turn-start')).toEqual([]);
    expect(r.run().carry).toEqual([{ part: 'steer', texts: [{ text: 'mind the docs' }] }]);
  });

  it.each([
    ['the agent cannot say', {}, 'unknown'],
    ['the agent cannot be asked', { finds: false }, null],
    ['another session was opened', { resumes: false }, 'other session'],
  ] as const)('gets the recovery input, never the same words alone, when %s', (_why, agent, how) => {
    const { r, dispatch } = doubted(agent);
    opened(r, how === 'other session' ? 's2' : 's1');
    if (how === 'unknown') r.outcome('turn-find', { of: 'turn-find', found: 'unknown' });
    const { decision } = r.outcome('tree-read', unknownTree);
    const parts = decision?.input?.parts.map((p) => p.part);
    expect(parts?.slice(0, 2)).toEqual(['mission', 'recovery']);
    // The person's words may have been lost with it.
    expect(decision?.input?.parts).toContainEqual({ part: 'steer', texts: [{ text: 'mind the docs' }] });
    expect(r.launch()).not.toBe(dispatch);
  });

  it('that cannot even be asked about because no agent starts is a failure', () => {
    const { r } = doubted();
    const failure = { kind: 'server-error' as const, message: 'no' };
    r.outcome('session-open', { of: 'session-open', failure });
    expect(r.outcome('tree-read', unknownTree).decision?.rule).toBe('failed-turn');
    expect(r.run().inDoubt).toBe(true);
  });

  it('that speaks for itself is believed, and what is found later changes nothing', () => {
    const { r, dispatch } = doubted();
    opened(r);
    r.onEvent({ type: 'turn-started', session: 's1', turn: 't1', dispatch });
    const entry = r.outcome('turn-find', { of: 'turn-find', found: 'absent' });
    expect(effectsOfType(entry, 'turn-start')).toEqual([]);
    expect(r.run().turn).toMatchObject({ phase: 'started', turn: 't1' });
  });

  it('is asked about anew after the next crash', () => {
    const { r, dispatch } = doubted();
    opened(r);
    r.restarted();
    expect(effectsOfType(opened(r), 'turn-find')).toEqual([{ type: 'turn-find', session: 's1', dispatch }]);
  });
});

describe('steering in doubt', () => {
  const doubted = (agent = {}) => {
    const r = inTurn(agent);
    r.onEvent({ type: 'steer-given', text: { text: 'mind the docs' }, by: 'me' });
    r.onEvent({ type: 'turn-ended', session: 's1', turn: 't1', status: 'completed' });
    r.restarted();
    opened(r);
    return r;
  };

  it('that arrived is not said again', () => {
    const r = doubted();
    r.outcome('turn-find', { of: 'turn-find', found: 'ended', turn: 't1' });
    expect(r.run()).toMatchObject({ steering: null, steers: [] });
  });

  it('that did not arrive is said with the next input', () => {
    const r = doubted();
    r.outcome('turn-find', { of: 'turn-find', found: 'absent' });
    expect(r.run()).toMatchObject({ steers: [{ text: 'mind the docs' }], inDoubt: false });
  });

  it('that nobody knows about is said with the doubt', () => {
    const r = doubted();
    r.outcome('turn-find', { of: 'turn-find', found: 'unknown' });
    expect(r.run()).toMatchObject({ steers: [{ text: 'mind the docs' }], inDoubt: true });
  });

  it('does not keep a run for ever whose agent cannot be asked', () => {
    const r = doubted({ finds: false });
    expect(r.outcome('tree-read', unknownTree).decision?.rule).toBe('person-steer');
    expect(r.run().launch?.input.parts.map((p) => p.part)).toContain('recovery');
  });

  it('opens no agent for a run that is paused', () => {
    const r = inTurn();
    r.onEvent({ type: 'steer-given', text: { text: 'mind the docs' }, by: 'me' });
    r.ended();
    person(r, 'pause');
    expect(effectsOfType(r.restarted(), 'session-open')).toEqual([]);
  });
});

describe('every effect', () => {
  it('says how it is recovered', () => {
    expect(recoveryOf).toMatchObject({
      'turn-start': 'reconcile',
      'turn-steer': 'reconcile',
      'request-answer': 'reconcile',
      'tree-read': 'repeat',
      'checks-run': 'repeat',
      'advice-ask': 'repeat',
      notify: 'repeat',
      'session-open': 'repeat',
      'slot-request': 'repeat',
      'gate-open': 'repeat',
      'turn-find': 'repeat',
      'session-close': 'abandon',
      'turn-interrupt': 'abandon',
      'timer-cancel': 'abandon',
    });
  });
});

describe('a restart at any entry of any story', () => {
  const seeds = Array.from({ length: 30 }, (_, n) => n + 1);

  it.each(seeds)(
    'ends, or waits with a reason, and sends nothing twice (seed %i)',
    { timeout: 120_000 },
    async (seed) => {
      const { world } = await tellStory(supervise, seed);
      let run: Run | null = null;
      for (const entry of world.watch.entries) {
        run = remember(run, entry);
        if (isTerminal(run.state)) break;
        for (const found of ['absent', 'running', 'ended', 'unknown'] as const)
          checkRest(
            oblige(run, found),
            sentBy(world.watch.entries, entry.seq),
            found,
            `seed ${seed}, entry ${entry.seq}`,
          );
      }
    },
  );
});

const sentBy = (entries: readonly Entry[], seq: number): ReadonlySet<string> =>
  new Set(
    entries
      .slice(0, seq)
      .flatMap((e) => e.effects ?? [])
      .flatMap((effect) => (effect.type === 'turn-start' ? [effect.dispatch] : [])),
  );

function checkRest(
  { run, entries }: ReturnType<typeof oblige>,
  sent: ReadonlySet<string>,
  found: string,
  where: string,
): void {
  const rests =
    isTerminal(run.state) ||
    (run.state === 'paused' && run.cause !== null) ||
    (run.state === 'waiting' && run.waiting !== null);
  expect(rests, `${where}: ${run.state} (${run.because})`).toBe(true);
  const again = entries
    .flatMap((e) => e.effects ?? [])
    .filter((effect) => effect.type === 'turn-start' && sent.has(effect.dispatch));
  if (found !== 'absent') expect(again, where).toEqual([]);
  else expect(again.length, where).toBeLessThanOrEqual(1);
}
