import { describe, expect, it } from 'vitest';
import { startState } from '../../../src/edge/agents/codex/state.ts';
import { translate } from '../../../src/edge/agents/codex/translate.ts';
import { ledgerRun } from '../../../src/testkit/ledger-run.ts';
import { outcomes } from './outcomes.ts';

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
    r.onEvent({ type: 'error-seen', session: 's1', turn, failure, willRetry: true });
    expect(r.run()).toMatchObject({ state: 'running', turn: { error: null } });
  });
});
