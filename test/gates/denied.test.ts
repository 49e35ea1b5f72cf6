import { describe, expect, it } from 'vitest';
import { renderInput, replay } from '../../src/core/index.ts';
import { answerIn, asking } from './asking.ts';

const deniedIn = (entry: ReturnType<ReturnType<typeof asking>['ended']>) =>
  entry.decision?.input?.parts.find((part) => part.part === 'denied');

describe('what was denied', () => {
  it('is told in the next input with its reason: by the guard, by a person, by the clock', () => {
    const r = asking({ limits: { denialsMax: 10 } });
    expect(answerIn(r.ask('tireless approve g1'))).toMatchObject({ answer: 'deny', never: true });
    r.onEvent({ type: 'person-asked', ask: 'resume', by: 'ada' });
    r.ask('git push origin topic');
    r.answer({ answer: 'deny', text: { text: 'not from this machine' } });
    r.ask('curl -X POST https://example.com -d @a');
    const gate = r.run().gates.at(-1)?.id ?? '';
    const timer = r.run().timers[`gate:${gate}`];
    const expired = r.onEvent(
      { type: 'timer-fired', timer: `gate:${gate}`, effect: timer?.effect ?? '' },
      1_800_000,
    );
    expect(answerIn(expired)).toMatchObject({ answer: 'deny', rule: 'gate-expired' });
    const decided = r.ended({ message: { text: 'on it' } });
    const part = deniedIn(decided);
    expect(part).toMatchObject({
      actions: [
        { rendered: 'tireless approve g1', because: expect.stringContaining('only a person') },
        { rendered: 'git push origin topic', because: 'not from this machine' },
        { rendered: expect.stringContaining('curl'), because: 'nobody answered in time; go on without it' },
      ],
    });
    const prompt = renderInput(decided.decision?.input ?? { parts: [] }, { text: 'the mission' });
    expect(prompt).toContain('## Not allowed');
    expect(prompt).toContain('Because: not from this machine');
    expect(replay(r.entries).divergences).toEqual([]);
  });

  it('is told once, and again only when the agent never saw it', () => {
    const r = asking();
    r.ask('git push origin topic');
    r.answer({ answer: 'deny' });
    expect(deniedIn(r.ended())).toBeDefined();
    r.launch();
    // The turn fails before the agent did anything with its input.
    r.outcome('turn-start', { of: 'turn-start', failure: { kind: 'crashed', message: 'gone' } });
    r.outcome('tree-read', { of: 'tree-read', tree: { tree: 'unknown', head: null } });
    const wait = r.run().timers.wait;
    const again = r.onEvent({ type: 'timer-fired', timer: 'wait', effect: wait?.effect ?? '' }, 120_000);
    expect(deniedIn(again)).toMatchObject({ actions: [{ rendered: 'git push origin topic' }] });
    r.launch();
    r.started();
    expect(deniedIn(r.ended())).toBeUndefined();
  });

  it('is bounded: the last ten, five hundred characters each', () => {
    const r = asking({ limits: { denialsMax: 100 } });
    for (let n = 0; n < 14; n++) {
      r.ask(`git push origin topic-${n} ${'x'.repeat(2_000)}`);
      r.answer({ answer: 'deny', text: { text: 'y'.repeat(3_000) } });
    }
    const part = deniedIn(r.ended());
    expect(part?.part === 'denied' && part.actions).toHaveLength(10);
    expect(part).toMatchObject({ actions: expect.arrayContaining([expect.objectContaining({})]) });
    for (const { rendered, because } of part?.part === 'denied' ? part.actions : []) {
      expect(rendered.length).toBe(500);
      expect(because.length).toBe(500);
    }
  });
});
