import type { Reporter, TestModule } from 'vitest/node';

/** A test that passed only at its second try is news: names every retried one, with why the first try failed. */
export const retryReporter: Reporter = {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const retried = modules.flatMap((module) =>
      [...module.children.allTests()].filter((test) => (test.diagnostic()?.retryCount ?? 0) > 0),
    );
    console.log(retried.length === 0 ? 'Retried: none' : `Retried: ${retried.length}`);
    for (const test of retried) {
      const why = (test.result().errors ?? []).map(({ message }) => message.split('\n')[0] ?? '');
      console.log(
        `  ${test.module.relativeModuleId} > ${test.fullName} (${test.result().state}): ${why.join(' · ')}`,
      );
    }
  },
};
