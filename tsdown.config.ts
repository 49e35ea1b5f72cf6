import { defineConfig, type UserConfig } from 'tsdown';

const shared = {
  outDir: 'dist',
  format: 'esm',
  platform: 'node',
  target: 'node24',
  // `type: module` already says ESM: plain .js and .d.ts, as package.json names them.
  fixedExtension: false,
} as const;

/** What is loaded together lies in one file: opening a file takes longer than reading the lines in it. */
const groups = [
  { name: 'quick', test: /cli\/(?:run-command|quick)\.ts$|app\/version\.ts$/, priority: 4 },
  { name: 'zod', test: /node_modules\/zod\//, priority: 4 },
  { name: 'base', test: /cli\/cli\.ts$|contract\/errors\.ts$/, priority: 3 },
  { name: 'store', test: /store\/inline\.ts$/, priority: 2 },
  { name: 'fold', test: /fold\/remember\.ts$/, priority: 1 },
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
