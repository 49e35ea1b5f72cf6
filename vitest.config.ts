import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { mutantPlugin } from './tools/mutant-plugin.ts';
import { reporters } from './tools/reporters.ts';
import { retryReporter } from './tools/retry-reporter.ts';
import { SlowFirst } from './tools/slow-first.ts';

export default defineConfig({
  plugins: [mutantPlugin()],
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, 'test/live/**', 'test/exhaustive/**'],
    globalSetup: ['test/built-program.ts'],
    // Processes that start from source are compiled once for all of them.
    env: { NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache') },
    maxWorkers: 2,
    // Our modules keep no state, so all files of a worker share them: most of a small file's time was loading.
    isolate: false,
    sequence: { sequencer: SlowFirst },
    // Real processes on a busy machine: a test that hangs must end, a slow one must not fail.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Hundreds of real processes on a machine of others: one more try there, and every retry is named.
    retry: process.env.CI === undefined ? 0 : 1,
    reporters: [...[reporters() ?? []].flat(), retryReporter],
  },
});
