import { defineConfig } from 'tsdown';

const shared = {
  outDir: 'dist',
  format: 'esm',
  platform: 'node',
  target: 'node24',
  // `type: module` already says ESM: plain .js and .d.ts, as package.json names them.
  fixedExtension: false,
} as const;

export default defineConfig([
  {
    ...shared,
    name: 'program',
    entry: { tireless: 'src/app/cli/main.ts', 'store-worker': 'src/edge/store/worker.ts' },
    // One place to load from: a hook starts in the time it takes to read one bundled file.
    deps: { alwaysBundle: [/^(?!node:)/], onlyBundle: false },
    dts: false,
  },
  {
    ...shared,
    name: 'library',
    entry: { index: 'src/index.ts', testkit: 'src/testkit/index.ts', contract: 'src/contract/index.ts' },
    tsconfig: 'tsconfig.base.json',
    dts: true,
  },
]);
