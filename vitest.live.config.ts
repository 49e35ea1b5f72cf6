import { defineConfig } from 'vitest/config';
import { mutantPlugin } from './tools/mutant-plugin.ts';
import { reporters } from './tools/reporters.ts';
import { retryReporter } from './tools/retry-reporter.ts';

/** Real agents against scripted models: slow, one file at a time, and one retry for what the machine does to them. */
export default defineConfig({
  plugins: [mutantPlugin()],
  test: {
    include: ['test/live/**/*.test.ts'],
    globalSetup: ['test/built-program.ts'],
    passWithNoTests: true,
    fileParallelism: false,
    retry: 1,
    testTimeout: 180_000,
    hookTimeout: 180_000,
    teardownTimeout: 30_000,
    reporters: [...[reporters() ?? []].flat(), retryReporter],
  },
});
