import { defineConfig } from 'vitest/config';
import shared from './vitest.config.ts';

/** What `npm test` takes a sample of, all of it: the other simulated stories, crashes, random input, and projects of every ecosystem. */
export default defineConfig({
  ...shared,
  test: { ...shared.test, include: ['test/exhaustive/**/*.test.ts'], exclude: [] },
});
