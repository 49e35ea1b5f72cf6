import type { Entry } from '../../src/contract/index.ts';
import { closingLine } from '../../src/core/index.ts';
import { checksOutcome, failed, ledgerRun, passed } from '../../src/testkit/ledger-run.ts';
import { askApproval, askQuestion, digestOf, fire, person } from './asks.ts';
import { cyclesRun, item, prepared, turn, used } from './cycle-kit.ts';

/** One night: directions, questions, a limit, an outage, a crash, a refused claim, and a certified end. */
export function wholeNight(): readonly Entry[] {
  const r = ledgerRun();
  const by = 'me';
  r.launch();
  const first = r.started();
  r.onEvent({ type: 'plan-changed', session: 's1', turn: first, digest: digestOf('1'), done: 0, total: 3 });
  r.onEvent({ type: 'steer-given', text: { text: 'mind the docs' }, by });
  r.outcome('turn-steer', { of: 'turn-steer', ok: true });
  const approved = askApproval(r, 'q1', digestOf('a'));
  r.outcome('gate-open', { of: 'gate-open', ok: true });
  r.onEvent({ type: 'gate-answered', gate: approved.id, answer: 'approve', digest: digestOf('a'), by });
  if (r.has('savepoint')) r.outcome('savepoint', { of: 'savepoint', ok: true });
  if (r.has('request-answer')) r.outcome('request-answer', { of: 'request-answer', ok: true });
  const unanswered = askQuestion(r, 'q2');
  r.outcome('gate-open', { of: 'gate-open', ok: true });
  fire(r, `gate:${unanswered.id}`, 1_800_000);
  r.outcome('request-answer', { of: 'request-answer', ok: true });
  r.onEvent({ type: 'usage-reported', session: 's1', usage: { totalTokens: 12_000, money: 0.12 } });
  r.ended({ message: { text: 'half of it is done' } });
  r.launch();
  r.started();
  const resetAt = r.run().at + 600_000;
  r.ended({ status: 'failed', failure: { kind: 'usage-limit', message: 'the limit', resetAt } });
  fire(r, 'wait', 900_000);
  r.launch();
  r.started();
  r.ended({ status: 'failed', failure: { kind: 'unreachable', message: 'nobody answers' } });
  fire(r, 'wait', 60_000);
  r.launch();
  r.restarted();
  r.outcome('session-open', { of: 'session-open', session: 's1' });
  r.outcome('turn-find', { of: 'turn-find', found: 'absent' });
  r.started();
  r.ended({ message: { text: `All of it.\n${closingLine}` } });
  r.outcome('checks-run', checksOutcome([failed({ tail: { text: '1 failed: the docs' } })], 't4'));
  r.launch();
  r.started();
  person(r, 'pause');
  r.ended({ message: { text: 'the docs are done as well' } });
  person(r, 'resume');
  r.launch();
  r.started();
  r.ended({ message: { text: closingLine } });
  r.outcome('checks-run', checksOutcome([passed()], 't6'));
  return r.entries;
}

/** Three cycles: one wrapped up, one halted and summarised by nobody, one that ends on proof; with a crash and a limit between. */
export function threeCycles(): readonly Entry[] {
  const r = cyclesRun({ cycleTokensMax: 10_000 }, { agent: { steers: true } });
  prepared(r, '', ['- (fact) the tests need Redis']);
  turn(r, 5_000);
  r.launch();
  r.started();
  used(r, 8_500);
  r.outcome('turn-steer', { of: 'turn-steer', ok: true });
  r.ended({ message: { text: 'half of it is done' } });
  const resetAt = r.run().at + 600_000;
  turn(r, null, { status: 'failed', failure: { kind: 'usage-limit', message: 'the limit', resetAt } });
  fire(r, 'wait', 900_000);
  turn(r, 8_600, { message: { text: 'the parser is next' } });
  turn(r, 8_700, {}, 't3');
  r.restarted();
  r.onEvent({ type: 'steer-given', text: { text: 'mind the docs' }, by: 'me' });
  prepared(r, 'the lexer works', ['- (mistake) do not mock the store']);
  r.restarted();
  r.launch();
  r.started();
  item(r, 'npm test');
  used(r, 10_400);
  r.ended({ status: 'interrupted' });
  r.outcome('summarise', {
    of: 'summarise',
    cycle: 2,
    summary: { text: 'npm test → exit 0' },
    memories: ['m1'],
    recalled: [],
    plain: true,
    problems: ['the summariser failed'],
    usage: { totalTokens: 300 },
  });
  turn(r, 900, { message: { text: `All of it.\n${closingLine}` } });
  r.outcome('checks-run', checksOutcome([failed({ tail: { text: '1 failed: the docs' } })], 't5'));
  turn(r, 1_200, { message: { text: closingLine } });
  r.outcome('checks-run', checksOutcome([passed()], 't6'));
  prepared(r, 'it is done');
  return r.entries;
}

/** An agent whose sessions do more than answer: less reach than confirmed, background work, sub-agents, new ids, a fresh context in the same session. */
export function busySession(): readonly Entry[] {
  const r = cyclesRun({ cycleTokensMax: 10_000 }, { agent: { steers: true } });
  prepared(r);
  const agent = { finds: true, resumes: true, steers: false, renews: true, outlives: true };
  r.outcome('session-open', { of: 'session-open', session: 's1', agent: { ...agent, sees: 'asks' } });
  r.prepare();
  const [reach] = r.run().gates;
  r.onEvent({ type: 'gate-answered', gate: reach?.id ?? '', answer: 'approve', by: 'me' });
  r.launch();
  const first = r.started();
  const steps = [
    { text: 'the lexer', status: 'done' as const },
    { text: 'the parser', status: 'active' as const },
  ];
  const plan = { digest: digestOf('1'), done: 1, total: 2, steps };
  r.onEvent({ type: 'plan-changed', session: 's1', turn: first, ...plan });
  item(r, 'npm test');
  r.onEvent({ type: 'steer-given', text: { text: 'mind the docs' }, by: 'me' });
  r.onEvent({ type: 'session-changed', session: 's1', to: 's1b', because: 'compact' });
  const action = { kind: 'command' as const, rendered: { text: 'make deploy' }, digest: digestOf('a') };
  const asked = { turn: 'elsewhere', request: 'q1', action, subagent: { id: 'a1', label: 'tests' } };
  r.onEvent({ type: 'approval-asked', session: 's1', ...asked });
  r.outcome('gate-open', { of: 'gate-open', ok: true });
  const [gate] = r.run().gates;
  r.onEvent({ type: 'gate-answered', gate: gate?.id ?? '', answer: 'approve', by: 'me' });
  if (r.has('request-answer')) r.outcome('request-answer', { of: 'request-answer', ok: true });
  used(r, 3_000);
  r.ended({ message: { text: 'half of it is done' } });
  turn(r, 4_000);
  const tasks = [{ id: 'b1', kind: 'shell' as const, label: 'npm run build' }];
  r.launch();
  r.started();
  r.onEvent({ type: 'background-changed', session: 's1b', tasks });
  r.ended({ message: { text: 'the build runs' } });
  r.restarted();
  r.onEvent({ type: 'person-asked', ask: 'resume', by: 'me' });
  r.launch();
  r.started();
  r.onEvent({ type: 'background-changed', session: 's1b', tasks });
  r.ended({ message: { text: 'it still runs' } });
  r.onEvent({ type: 'turn-started', session: 's1b', turn: 'woken', origin: 'background' });
  r.onEvent({ type: 'background-changed', session: 's1b', tasks: [] });
  used(r, 10_500);
  r.ended({ message: { text: 'the build is green' } });
  prepared(r, 'the lexer works');
  turn(r, 900, { message: { text: closingLine } });
  r.outcome('checks-run', checksOutcome([passed()], 't9'));
  return r.entries;
}
