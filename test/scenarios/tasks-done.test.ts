import { describe, expect, it } from 'vitest';
import { markdownReport } from '../../src/app/report/markdown.ts';
import type { Event, TaskWrite } from '../../src/contract/index.ts';
import { closingLine, replay, taskOf } from '../../src/core/index.ts';
import { reportOf } from '../../src/core/report/index.ts';
import {
  checksOutcome,
  failed,
  type LedgerRun,
  ledgerRun,
  passed,
  someCheck,
} from '../../src/testkit/ledger-run.ts';

const wrote = (write: TaskWrite, from: 'agent' | 'person' = 'agent'): Event => ({
  type: 'task-written',
  write,
  from,
  by: from === 'agent' ? 'scripted' : 'me@cli',
});
const done = (id = 'tq-1'): Event => wrote({ action: 'update', id, status: 'done' });
const task = (r: LedgerRun, id = 'tq-1') => taskOf(r.run().tasks, id);

/** An autonomous run in the middle of a turn, with one task. */
function atWork(options: Parameters<typeof ledgerRun>[0] = {}): LedgerRun {
  const r = ledgerRun({ mode: 'autonomous', ...options });
  r.launch();
  r.started();
  r.onEvent(wrote({ action: 'add', text: 'fix the login' }));
  return r;
}

describe('a task that is called done', () => {
  it('stays open until our own checks passed', () => {
    const r = atWork();
    expect(r.onEvent(done()).effects).toMatchObject([{ type: 'checks-run', purpose: 'task' }]);
    expect(task(r)?.status).toBe('pending');
    expect(r.run().state).toBe('running');
    r.outcome('checks-run', checksOutcome([passed()], 't1'));
    expect(task(r)).toMatchObject({ status: 'done', proof: { verdict: 'passed' } });
    expect(r.run()).toMatchObject({ state: 'running', proof: null });
  });

  it('stays open when a check fails, and keeps the reason', () => {
    const r = atWork();
    r.onEvent(done());
    r.outcome('checks-run', checksOutcome([failed()], 't1'));
    expect(task(r)).toMatchObject({
      status: 'pending',
      proof: { verdict: 'refused', because: 'test failed' },
    });
    expect(r.run()).toMatchObject({ state: 'running', claim: null, refusals: null });
  });

  it('is judged by checks that began after it was called done', () => {
    const r = atWork();
    r.onEvent(wrote({ action: 'add', text: 'and the logout' }));
    r.onEvent(done('tq-1'));
    r.onEvent(done('tq-2'));
    r.outcome('checks-run', checksOutcome([passed()], 't1'));
    expect([task(r, 'tq-1')?.status, task(r, 'tq-2')?.status]).toEqual(['done', 'pending']);
    expect(r.has('checks-run')).toBe(true);
    r.outcome('checks-run', checksOutcome([failed()], 't2'));
    expect(task(r, 'tq-2')).toMatchObject({ status: 'pending', proof: { verdict: 'refused' } });
  });

  it('called done again while the checks run is judged by the next ones', () => {
    const r = atWork();
    r.onEvent(done());
    r.onEvent(done());
    r.outcome('checks-run', checksOutcome([passed()], 't1'));
    expect(task(r)?.status).toBe('pending');
    r.outcome('checks-run', checksOutcome([passed()], 't1'));
    expect(task(r)?.status).toBe('done');
    expect(r.run().tasks.finished).toBe(1);
  });

  it('taken back meanwhile is not done, whatever the checks say', () => {
    const r = atWork();
    r.onEvent(done());
    r.onEvent(wrote({ action: 'update', id: 'tq-1', status: 'blocked' }, 'person'));
    r.outcome('checks-run', checksOutcome([passed()], 't1'));
    expect(task(r)).toMatchObject({ status: 'blocked', changedBy: 'me@cli' });
  });

  it('survives a crash between the write and the outcome: the checks begin anew, once', () => {
    const r = atWork();
    r.onEvent(done());
    const old = r.pending('checks-run').id;
    r.restarted();
    const again = r.entries
      .flatMap((entry) => entry.effects ?? [])
      .filter((e) => e.type === 'checks-run' && e.purpose === 'task');
    expect(again).toHaveLength(2);
    const late = r.onEvent({ type: 'effect-ended', effect: old, outcome: checksOutcome([failed()], 't1') });
    expect(late.late).toBe(true);
    expect(task(r)?.proof).toBeNull();
    r.outcome('checks-run', checksOutcome([passed()], 't1'));
    expect(task(r)?.status).toBe('done');
  });

  it('is settled by the checks of a claim that came after it', () => {
    const r = atWork();
    r.onEvent({
      type: 'status-reported',
      session: 's1',
      turn: r.run().turn?.turn ?? '',
      status: 'done',
      text: { text: 'all' },
    });
    r.onEvent(done());
    const first = r.pending('checks-run').id;
    r.ended();
    expect(r.run().state).toBe('verifying');
    r.onEvent({ type: 'effect-ended', effect: first, outcome: checksOutcome([failed()], 't1') });
    expect(task(r)?.proof?.verdict).toBe('refused');
    expect(r.run().state).toBe('verifying');
    r.outcome('checks-run', checksOutcome([passed()], 't1'));
    expect(r.run().state).toBe('done');
  });

  it('does not hold up the turn, and a turn that ends does not lose it', () => {
    const r = atWork();
    r.onEvent(done());
    r.ended({ message: { text: 'more to do' } });
    expect(r.run().launch).not.toBeNull();
    r.outcome('checks-run', checksOutcome([passed()], 't1'));
    expect(task(r)?.status).toBe('done');
  });

  it('is checked once, also when the run goes back to its rules meanwhile', () => {
    const r = atWork();
    r.onEvent(done());
    const { id } = r.pending('checks-run');
    const failure = { kind: 'usage-limit' as const, message: 'later', resetAt: r.run().at + 3_600_000 };
    r.ended({ status: 'failed', failure });
    expect(r.run().state).toBe('waiting');
    r.onEvent({ type: 'person-asked', ask: 'resume', by: 'me' });
    expect(r.pending('checks-run').id).toBe(id);
    r.outcome('checks-run', checksOutcome([passed()], 't1'));
    expect(task(r)?.status).toBe('done');
  });

  it('waits through a pause', () => {
    const r = atWork();
    r.onEvent(done());
    r.onEvent({ type: 'person-asked', ask: 'pause', by: 'me' });
    r.ended({ message: { text: 'so far' } });
    expect(r.run().state).toBe('paused');
    r.outcome('checks-run', checksOutcome([failed({ outcome: 'not-run' })], 't1'));
    expect(task(r)).toMatchObject({ status: 'pending', proof: null });
    expect(r.has('checks-run')).toBe(false);
    r.onEvent({ type: 'person-asked', ask: 'resume', by: 'me' });
    r.outcome('checks-run', checksOutcome([passed()], 't1'));
    expect(task(r)?.status).toBe('done');
  });

  it('is done at once where there is nothing to check, and says so', () => {
    const r = atWork({ checks: [] });
    expect(r.onEvent(done()).effects ?? []).toEqual([]);
    expect(task(r)).toMatchObject({ status: 'done', proof: { verdict: 'unchecked' } });
  });

  it('is not refused for a check that was red before the first turn beside a green one', () => {
    const checks = [someCheck, { ...someCheck, name: 'lint' }];
    const r = atWork({ checks, baseline: [passed(), failed({ name: 'lint' })] });
    r.onEvent(done());
    r.outcome('checks-run', checksOutcome([passed(), failed({ name: 'lint' })], 't1'));
    expect(task(r)).toMatchObject({
      status: 'done',
      proof: { because: 'lint was red before the first turn and still is' },
    });
  });
});

describe('the queue of a run', () => {
  it('exists only in an autonomous run', () => {
    const r = ledgerRun();
    expect(r.onEvent(wrote({ action: 'add', text: 'a' })).late).toBe(true);
    expect(
      r.onEvent({ type: 'memory-noted', note: { text: 'a', kind: 'fact' }, from: 'agent', by: 'x' }).late,
    ).toBe(true);
    expect(r.run()).toMatchObject({ tasks: { list: [] }, working: [] });
  });

  it('begins empty in a new run', () => {
    const before = atWork();
    expect(before.run().tasks.list).toHaveLength(1);
    expect(ledgerRun({ mode: 'autonomous' }).run().tasks).toMatchObject({ next: 1, list: [] });
  });

  it('records a refused write and stays as it was', () => {
    const r = atWork();
    const before = r.run().tasks;
    expect(r.onEvent(wrote({ action: 'add', text: 'x', id: 'tq-1' })).late).toBe(true);
    expect(r.run().tasks).toBe(before);
  });

  it('comes out the same when the ledger is read again', () => {
    const r = atWork();
    r.onEvent(done());
    r.outcome('checks-run', checksOutcome([passed()], 't1'));
    r.ended({ message: { text: closingLine } });
    expect(replay(r.entries).divergences).toEqual([]);
  });

  it('names what is open on the certificate, and what is not done does not refute the checks', () => {
    const r = atWork();
    r.onEvent(wrote({ action: 'add', text: 'tell others', priority: 1 }));
    r.onEvent(done('tq-1'));
    r.outcome('checks-run', checksOutcome([passed()], 't1'));
    r.ended({ message: { text: closingLine } });
    const { decision } = r.outcome('checks-run', checksOutcome([passed()], 't1'));
    expect(decision).toMatchObject({
      rule: 'certified',
      because: 'every check passed: test; still open in the queue: tq-2',
    });
    expect(decision?.certificate?.openTasks).toEqual(['tq-2']);
  });

  it('stands in the report: what is done and what is open', () => {
    const r = atWork({ checks: [] });
    r.onEvent(wrote({ action: 'add', text: 'tell others', status: 'blocked' }, 'person'));
    r.onEvent(done('tq-1'));
    const [, told = '', left = ''] =
      /## Done(.*)## Not done(.*)/s.exec(markdownReport(reportOf(r.entries))) ?? [];
    expect(told).toContain('1 of 2 tasks of the queue');
    expect(left).toContain('0 tasks of the queue open, 1 blocked');
  });

  it('of ordinary size leaves a snapshot small, and a full one is bounded', () => {
    const r = atWork();
    for (let n = 0; n < 300; n++) r.onEvent(wrote({ action: 'add', text: `task ${n} of an ordinary night` }));
    expect(JSON.stringify(r.run()).length).toBeLessThan(256 * 1024);
    for (let n = 0; n < 10_000; n++) r.onEvent(wrote({ action: 'add', text: 'x'.repeat(100) }));
    expect(r.run().tasks.list.length).toBeGreaterThan(9_000);
    expect(JSON.stringify(r.run()).length).toBeLessThan(4 * 1024 * 1024);
  });

  it('counts as progress when tasks are added or done, not when they are noted on', () => {
    const r = atWork();
    r.ended({ message: { text: 'planned' } }, 't0');
    expect(r.run()).toMatchObject({ changed: ['tasks'], noProgressTurns: 0 });
    r.launch('t0');
    r.started();
    r.onEvent(wrote({ action: 'update', id: 'tq-1', note: 'still at it', status: 'in_progress' }));
    r.ended({ message: { text: 'thinking' } }, 't0');
    expect(r.run()).toMatchObject({ changed: [], noProgressTurns: 1 });
  });

  it('counts a new note as progress, and the same one again as none', () => {
    const r = atWork();
    const turn = (text: string): void => {
      r.onEvent({ type: 'memory-noted', note: { text, kind: 'fact' }, from: 'agent', by: 'scripted' });
      r.ended({ message: { text: 'thinking' } }, 't0');
    };
    turn('the tests need Postgres');
    expect(r.run().changed).toEqual(['tasks', 'memory']);
    r.launch('t0');
    r.started();
    turn('the tests need Postgres');
    expect(r.run()).toMatchObject({ changed: [], noProgressTurns: 1 });
    r.launch('t0');
    r.started();
    turn('on port 5433');
    expect(r.run()).toMatchObject({ changed: ['memory'], noProgressTurns: 0 });
  });

  it('keeps the last notes of working memory', () => {
    const r = atWork();
    for (let n = 0; n < 40; n++)
      r.onEvent({
        type: 'memory-noted',
        note: { text: `note ${n}`, kind: 'fact' },
        from: 'agent',
        by: 'scripted',
      });
    expect(r.run().working.length).toBeLessThanOrEqual(16);
    expect(r.run().working.at(-1)).toMatchObject({ text: 'note 39', kind: 'fact', by: 'scripted' });
  });
});
