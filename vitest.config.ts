import { configDefaults, defineConfig } from 'vitest/config';
import { mutantPlugin } from './tools/mutant-plugin.ts';
import { reporters } from './tools/reporters.ts';

export default defineConfig({
  plugins: [mutantPlugin()],
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, 'test/live/**'],
    maxWorkers: 2,
    reporters: reporters(),
  },
});
