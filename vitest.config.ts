import { configDefaults, defineConfig } from 'vitest/config';
import { mutantPlugin } from './tools/mutant-plugin.ts';
import { reporters } from './tools/reporters.ts';

export default defineConfig({
  plugins: [mutantPlugin()],
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, 'test/live/**'],
    globalSetup: ['test/built-program.ts'],
    maxWorkers: 2,
    // Real processes on a busy machine: a test that hangs must end, a slow one must not fail.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    reporters: reporters(),
  },
});
