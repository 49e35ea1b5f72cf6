import { defineConfig, type UserConfig } from 'tsdown';

const shared = {
  outDir: 'dist',
  format: 'esm',
  platform: 'node',
  target: 'node24',
  // `type: module` already says ESM: plain .js and .d.ts, as package.json names them.
  fixedExtension: false,
} as const;

/** Files that hold what is always loaded together: opening a file costs more than the lines in it. */
const groups = [
  { name: 'quick', test: /cli\/(?:run-command|quick)\.ts$|app\/version\.ts$/, priority: 3 },
  { name: 'zod', test: /node_modules\/zod\//, priority: 3 },
  { name: 'base', test: /cli\/cli\.ts$/, priority: 2 },
];

/** The command line, with everything it needs. */
export const program: UserConfig = {
  ...shared,
  name: 'program',
  entry: { tireless: 'src/app/cli/main.ts', 'store-worker': 'src/edge/store/worker.ts' },
  deps: { alwaysBundle: [/^(?!node:)/], onlyBundle: false },
  dts: false,
  outputOptions: { codeSplitting: { groups } },
};

export default defineConfig([
  program,
  {
    ...shared,
    name: 'library',
    entry: { index: 'src/index.ts', testkit: 'src/testkit/index.ts', contract: 'src/contract/index.ts' },
    tsconfig: 'tsconfig.base.json',
    dts: true,
  },
]);
