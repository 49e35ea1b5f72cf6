import { ofFailed, ofPairs, ofSwapped, pairs, type Said } from '../../count-lines.ts';
import type { Ecosystem } from '../ecosystem.ts';
import { jsonParts, proving } from '../manifest-parts.ts';
import { nodeFindings } from './detect.ts';

const testingKeys = 'scripts tasks workspaces jest vitest nyc c8 ava mocha tap config'.split(' ');
const runnerName =
  /^(@?(vitest|jest|playwright|cypress)(\/.*)?|mocha|chai|ava|tap|jasmine|karma|uvu|nyc|c8|ts-jest|babel-jest)$/;
const testing = (text: string): string => jsonParts(text, testingKeys, runnerName);

/** Node, Bun and Deno, with whatever package manager. */
export const node: Ecosystem = {
  name: 'node',
  detect: nodeFindings,
  reads: ['package.json', 'pnpm-workspace.yaml'],
  skips: ['node_modules', '.next', '.turbo'],
  recipe: /\b(?:npm|pnpm|yarn|bun|npx|vitest|jest|mocha|playwright|cypress)\b/,
  counts: [
    { runner: 'vitest', line: /^ *Tests {2,}(\d+ .+) \(\d+\)$/, read: ofPairs },
    { runner: 'vitest', line: /^ *Test Files {2,}(\d+ .+) \(\d+\)$/, read: ofFailed },
    { runner: 'vitest', line: /^ *(?:Type )?Errors {2,}(\d+ errors?)$/, read: ofFailed },
    { runner: 'jest', line: /^Tests: +(\d+ .+, \d+ total)$/, read: ofPairs },
    { runner: 'jest', line: /^Test Suites: +(\d+ .+) total$/, read: ofFailed },
    { runner: 'mocha', line: /^ {2}(\d+ (?:passing|pending|failing))(?: \(.+\))?$/, read: ofPairs },
    {
      runner: 'playwright',
      line: /^ {2}(\d+ (?:passed|failed|flaky|skipped|did not run|interrupted))(?: \(.+\))?$/,
      read: ofPairs,
    },
    { runner: 'playwright', line: /^ {2}(\d+ errors?) (?:was|were) not a part of any test/, read: ofPairs },
    {
      runner: 'cypress',
      line: /^ *│ +(Tests|Passing|Failing|Pending|Skipped): +(\d+) +│$/,
      read: ofSwapped,
      repeats: 'mocha',
    },
    {
      runner: 'node-test',
      line: /^[#ℹ] (tests|pass|fail|cancelled|skipped|todo) +(\d+)$/,
      read: ofSwapped,
      repeats: 'tap',
    },
    { runner: 'tap', line: /^1\.\.(\d+)(?: #.*)?$/, read: planned, needsPlan: true },
    { runner: 'tap', line: /^(not )?ok \d+\b(.*)$/, read: readTapLine },
    { runner: 'bun', line: /^ *(\d+ (?:pass|fail|skip|todo|errors?))$/, read: ofPairs },
    { runner: 'bun', line: /^Ran (\d+) tests? across \d+ files?\./, read: planned, needsPlan: true },
    { runner: 'deno', line: /^(?:ok|FAILED) \| (\d+ passed .+) \([\d.a-z]+\)$/, read: ofPairs },
    {
      runner: 'ava',
      line: /^ {2}(\d+) tests? (passed|failed|skipped|todo)$/,
      read: (m) => pairs(`${m[1]} ${m[2]}`),
    },
  ],
  suite: {
    snapshots: /(^|\/)(__snapshots__|__image_snapshots__)\/|-snapshots\//,
    'test config':
      /(^|\/)__mocks__\/|(^|\/)((jest|vitest|vite|playwright|cypress|karma|ava|mocha|wdio|nyc|web-test-runner)\.(config|setup|workspace|conf)\.[cm]?[jt]sx?(on)?|\.(mocharc|nycrc|c8rc|taprc)(\.\w+)?|jest\.setup\.\w+|vitest\.setup\.\w+|\.npmrc|\.yarnrc(\.yml)?|\.pnpmfile\.cjs|pnpm-workspace\.yaml|bunfig\.toml|turbo\.json|nx\.json|lerna\.json)$/,
    tests: /(^|\/)(__tests__|cypress)\/|\.(test|spec|e2e|cy)\.[cm]?[jt]sx?$/,
  },
  manifests: [
    { file: /(^|\/)package\.json$/, testing, commands: scriptsIn },
    { file: /(^|\/)deno\.jsonc?$/, testing },
  ],
  environment: [
    'NODE_EXTRA_CA_CERTS',
    'NVM_DIR',
    'NVM_BIN',
    'VOLTA_HOME',
    'FNM_DIR',
    'PNPM_HOME',
    'BUN_INSTALL',
    'DENO_DIR',
    'PLAYWRIGHT_BROWSERS_PATH',
    'CYPRESS_CACHE_FOLDER',
  ],
};

function planned(match: RegExpExecArray): Said {
  return { plan: Number(match[1]) };
}

function readTapLine(match: RegExpExecArray): Said {
  if (/# *(?:skip|todo)/i.test(match[2] ?? '')) return { skipped: 1 };
  return match[1] ? { failed: 1 } : { passed: 1 };
}

function scriptsIn(text: string): readonly string[] {
  try {
    const { scripts } = JSON.parse(text) as { scripts?: Record<string, unknown> };
    return Object.entries(scripts ?? {}).flatMap(([name, command]) =>
      proving.test(name) && typeof command === 'string' ? [command] : [],
    );
  } catch {
    return []; // a manifest that cannot be read runs nothing
  }
}
