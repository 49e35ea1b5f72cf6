import { describe, expect, it } from 'vitest';
import { startState } from '../../../src/edge/agents/codex/state.ts';
import { translate } from '../../../src/edge/agents/codex/translate.ts';
import { ledgerRun } from '../../../src/testkit/ledger-run.ts';

const status = (httpStatusCode: number | null) => ({ httpStatusCode });

/** Every word of Codex 0.166 for what went wrong with a turn, and what the run does about it. */
const outcomes: readonly (readonly [unknown, string, string])[] = [
  ['usageLimitExceeded', 'usage-limit', 'waiting for usage-limit'],
  ['serverOverloaded', 'overloaded', 'waiting for external'],
  ['flexUnavailable', 'overloaded', 'waiting for external'],
  ['policyCapacityUnavailable', 'overloaded', 'waiting for external'],
  [{ httpConnectionFailed: status(null) }, 'unreachable', 'waiting for external'],
  [{ responseStreamConnectionFailed: status(null) }, 'unreachable', 'waiting for external'],
  [{ responseTooManyFailedAttempts: status(503) }, 'overloaded', 'waiting for external'],
  ['rateLimitExceeded', 'rate-limited', 'waiting for backoff'],
  [{ responseTooManyFailedAttempts: status(429) }, 'rate-limited', 'waiting for backoff'],
  ['internalServerError', 'server-error', 'waiting for backoff'],
  [{ responseTooManyFailedAttempts: status(500) }, 'server-error', 'waiting for backoff'],
  [{ responseStreamDisconnected: status(null) }, 'stream-cut', 'waiting for backoff'],
  ['contextWindowExceeded', 'context-full', 'waiting for backoff'],
  ['sessionBudgetExceeded', 'other', 'waiting for backoff'],
  ['badRequest', 'refused', 'waiting for backoff'],
  ['cyberPolicy', 'refused', 'waiting for backoff'],
  ['misalignmentPolicyViolation', 'refused', 'waiting for backoff'],
  ['tooManyDenials', 'refused', 'waiting for backoff'],
  ['threadRollbackFailed', 'other', 'waiting for backoff'],
  ['sandboxError', 'other', 'waiting for backoff'],
  [{ activeTurnNotSteerable: { turnKind: 'review' } }, 'other', 'waiting for backoff'],
  ['other', 'other', 'waiting for backoff'],
  ['aWordOfTomorrow', 'other', 'waiting for backoff'],
  [{ aTableOfTomorrow: {} }, 'other', 'waiting for backoff'],
  [null, 'other', 'waiting for backoff'],
  ['unauthorized', 'auth', 'failed'],
  [{ httpConnectionFailed: status(401) }, 'auth', 'failed'],
  [{ httpConnectionFailed: status(403) }, 'auth', 'failed'],
  ['modelNotFound', 'setup', 'failed'],
];

function endedWith(codexErrorInfo: unknown) {
  const turn = { id: 'turn-1', status: 'failed', error: { message: 'so it was', codexErrorInfo } };
  const frame = { method: 'turn/completed', params: { threadId: 's1', turn } };
  const [told] = translate(startState('s1'), frame).events;
  if (told?.event.type !== 'turn-ended') throw new Error('no turn ended');
  return told.event;
}

describe('a turn that failed', () => {
  it.each(outcomes)('with %j is %s: the run is %s', (word, kind, state) => {
    const ended = endedWith(word);
    expect(ended.failure).toMatchObject({ kind, message: 'so it was' });
    const r = ledgerRun();
    r.launch();
    r.started('turn-1');
    r.ended({ status: 'failed', failure: ended.failure });
    const { waiting } = r.run();
    expect(waiting === null ? r.run().state : `${r.run().state} for ${waiting.on}`).toBe(state);
    const isFree = ['usage-limit', 'overloaded', 'unreachable'].includes(kind);
    expect(r.run().turns).toBe(isFree ? 0 : 1);
  });
});

describe('an error the server itself retries', () => {
  it('changes nothing: the turn goes on', () => {
    const r = ledgerRun();
    r.launch();
    const turn = r.started();
    const failure = { kind: 'stream-cut' as const, message: 'Reconnecting... 1/5' };
    r.hear({ type: 'error-seen', session: 's1', turn, failure, willRetry: true });
    expect(r.run()).toMatchObject({ state: 'running', turn: { error: null } });
  });
});
