import { reportCases } from './agent-cases-reports.ts';
import { turnCases } from './agent-cases-turns.ts';
import { type ConformanceSubject, onBench } from './agent-harness.ts';
import type { TestWords } from './store-harness.ts';

export type { AgentUnderTest, Behaviour, ConformanceSubject, PlannedStep } from './agent-harness.ts';

/**
 * What every adapter promises, as named cases; `run` rejects with what is wrong. Left out are sentences about what the
 * agent cannot do; `not offered` is one about a method the adapter does not have.
 */
export function agentCases(
  subject: ConformanceSubject,
): readonly { readonly sentence: string; run(): Promise<'kept' | 'not offered'> }[] {
  return [...turnCases, ...reportCases]
    .filter(({ needs }) => !needs.some((need) => subject.cannot?.includes(need)))
    .map((one) => ({ sentence: one.sentence, run: () => onBench(subject, one) }));
}

/** Runs them all: `agentConformance('mine', subject, { describe, it })`. */
export function agentConformance(
  name: string,
  subject: ConformanceSubject,
  { describe, it }: Pick<TestWords, 'describe' | 'it'>,
): void {
  describe(`${name} keeps an adapter's promises`, () => {
    for (const { sentence, run } of agentCases(subject)) it(sentence, async () => void (await run()));
  });
}
