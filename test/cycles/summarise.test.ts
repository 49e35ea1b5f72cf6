import { describe, expect, it } from 'vitest';
import type { Dependencies } from '../../src/app/dependencies.ts';
import type { NewMemory, SummaryRequest } from '../../src/contract/index.ts';
import { makeStage, pass, type Stage } from '../scenarios/stage.ts';

const limits = { cyclesMax: 2, cycleTokensMax: 100 };

/** A run loop whose first cycle is worked and full; gives what became of the summary. */
async function summarised(deps: Partial<Dependencies>, waitMs = 0): Promise<Stage> {
  const stage = await makeStage({ limits }, [], 'autonomous');
  stage.keep(deps);
  await pass(stage, 10);
  const turn =
    (await stage.entries()).flatMap(({ event }) =>
      event.type === 'effect-ended' && event.outcome.of === 'turn-start' ? [event.outcome.turn ?? ''] : [],
    )[0] ?? '';
  const at = { session: 's1', turn };
  await stage.say({ type: 'turn-started', ...at });
  await stage.say({
    type: 'item-ended',
    ...at,
    item: 'i1',
    kind: 'command',
    outcome: 'failed',
    label: 'npm test',
    exitCode: 1,
  });
  await stage.say({ type: 'usage-reported', session: 's1', usage: { totalTokens: 100 } });
  await stage.say({ type: 'turn-ended', ...at, status: 'completed', message: { text: 'the lexer is next' } });
  await pass(stage, waitMs + 10);
  return stage;
}

const outcomes = async (stage: Stage) =>
  (await stage.entries()).flatMap(({ event }) =>
    event.type === 'effect-ended' && event.outcome.of === 'summarise' ? [event.outcome] : [],
  );
const nextInput = async (stage: Stage): Promise<string> =>
  JSON.stringify(
    (await stage.entries()).findLast(({ decision }) => decision?.cycle === 2)?.decision?.input ?? null,
  );

describe('summarising a cycle', () => {
  it('gives the summariser every fact of the cycle, and the next cycle what it says', async () => {
    const asked: SummaryRequest[] = [];
    const stage = await summarised({
      summarise: async (request) => {
        asked.push(request);
        return { summary: 'half of it works', memories: ['m1'], diagnostics: [], usage: { totalTokens: 7 } };
      },
      recall: async (query) => ({
        memories: [{ id: 'm0', text: `- asked for ${query.slice(0, 12)}` }],
        leftOut: 0,
      }),
    });
    expect(asked).toMatchObject([
      {
        cycle: 1,
        mission: 'make it work',
        workspace: '/work',
        closing: 'the lexer is next',
        leftOut: 0,
        facts: [{ kind: 'command', text: 'npm test', outcome: 'failed', exitCode: 1 }],
      },
    ]);
    const [before, after] = await outcomes(stage);
    expect(before).toMatchObject({ cycle: 0, summary: { text: '' } });
    expect(after).toMatchObject({ cycle: 1, summary: { text: 'half of it works' }, memories: ['m1'] });
    expect(await nextInput(stage)).toContain('half of it works');
    expect(await nextInput(stage)).toContain('- asked for make it work');
    expect((await stage.view()).tokens).toBe(107);
  });

  it('that fails keeps the facts as they are, and says so', async () => {
    const kept: NewMemory[] = [];
    const stage = await summarised({
      summarise: async () => {
        throw new Error('the model is away');
      },
      remember: async (memories) => {
        kept.push(...memories);
        return memories.map(({ id }) => id ?? '');
      },
    });
    const [, outcome] = await outcomes(stage);
    expect(outcome).toMatchObject({ plain: true, problems: [expect.stringContaining('the model is away')] });
    expect(kept.map(({ text }) => text)).toContain('the lexer is next');
    expect(outcome?.memories).toHaveLength(kept.length);
    for (const text of ['npm test → exit 1', 'the lexer is next'])
      expect(await nextInput(stage)).toContain(text);
  });

  it('that never answers is given up, and the run goes on', async () => {
    const stage = await summarised({ summarise: () => new Promise(() => undefined) }, 300_000);
    const [, outcome] = await outcomes(stage);
    expect(outcome).toMatchObject({ plain: true, problems: [expect.stringContaining('too long')] });
    expect(await nextInput(stage)).toContain('Cycle'.toLowerCase());
  });

  it('goes on when nothing can be remembered or recalled: the next cycle still hears what happened', async () => {
    const refuse = async (): Promise<never> => {
      throw new Error('the disk is full');
    };
    const stage = await summarised({ remember: refuse, recall: refuse });
    const [, outcome] = await outcomes(stage);
    expect(outcome).toMatchObject({ memories: [], recalled: [], plain: true });
    expect(outcome?.problems).toHaveLength(2);
    expect(await nextInput(stage)).toContain('npm test → exit 1');
  });

  it('is let go of at once when the person stops', async () => {
    let isAborted = false;
    const stage = await summarised({
      summarise: (_request, signal) =>
        new Promise(() => {
          signal?.addEventListener('abort', () => {
            isAborted = true;
          });
        }),
    });
    await stage.post({ type: 'person-asked', ask: 'stop', by: 'me' });
    await pass(stage, 0);
    expect((await stage.view()).state).toBe('stopped');
    expect(isAborted).toBe(true);
  });
});
