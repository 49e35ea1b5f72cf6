import { existsSync } from 'node:fs';
import { defineConfig } from 'tsdown';

/** Entries whose source is still to be written are left out. */
const written = (entries: Record<string, string>) =>
  Object.fromEntries(Object.entries(entries).filter(([, file]) => existsSync(file)));

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
    entry: written({ tireless: 'src/app/cli/main.ts', 'store-worker': 'src/edge/store/worker.ts' }),
    // One place to load from: a hook starts in the time it takes to read one bundled file.
    deps: { alwaysBundle: [/^(?!node:)/], onlyBundle: false },
    dts: false,
  },
  {
    ...shared,
    name: 'library',
    entry: written({
      index: 'src/index.ts',
      testkit: 'src/testkit/index.ts',
      contract: 'src/contract/index.ts',
    }),
    tsconfig: 'tsconfig.base.json',
    dts: true,
  },
]);
