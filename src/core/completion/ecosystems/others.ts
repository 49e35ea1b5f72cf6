import { ofKeys, ofPairs, ofSwapped } from '../count-lines.ts';
import type { Ecosystem } from './ecosystem.ts';
import { jsonParts } from './manifest-parts.ts';

/** Ecosystems whose checks a person names: only their results and their files are known. */
export const others: readonly Ecosystem[] = [
  {
    name: 'php',
    counts: [
      { runner: 'pest', line: /^ {2}Tests: {2,}(\d+ .+) \(\d+ assertions?\)$/, read: ofPairs },
      { runner: 'phpunit', line: /^OK \((\d+ tests?), \d+ assertions?\)$/, read: ofPairs },
      { runner: 'phpunit', line: /^(Tests: \d+, Assertions: \d+.*)\.$/, read: ofKeys },
    ],
    suite: { 'test config': /(^|\/)phpunit\.xml(\.dist)?$/, tests: /(Test|Tests|Spec|IT)\.php$/ },
    manifests: [{ file: /(^|\/)composer\.json$/, testing: (text) => jsonParts(text, ['scripts', 'config']) }],
  },
  {
    name: 'ruby, elixir and dart',
    counts: [
      {
        runner: 'counted-list',
        line: /^((?:\d+ (?:doctests?|properties), )?\d+ (?:tests?|examples?|runs), \d+ (?:assertions|failures?)(?:, \d+ [a-z ]+)*)$/,
        read: ofPairs,
      },
    ],
    suite: { 'test config': /(^|\/)\.rspec$/, tests: /_(test|spec)\.(rb|exs|dart)$/ },
    environment: ['RBENV_ROOT', 'GEM_HOME', 'GEM_PATH'],
  },
  {
    name: 'jvm',
    counts: [
      { runner: 'gradle', line: /^(\d+ tests? completed(?:, \d+ (?:failed|skipped))*)$/, read: ofPairs },
      {
        runner: 'maven',
        line: /^(?:\[\w+\] +)?(Tests run: \d+, Failures: \d+, Errors: \d+, Skipped: \d+)$/,
        read: ofKeys,
      },
    ],
    suite: { tests: /(Test|Tests|Spec|IT)\.(java|kt|scala)$/ },
    environment: ['JAVA_HOME', 'MAVEN_HOME', 'GRADLE_USER_HOME', 'ANDROID_HOME'],
  },
  {
    name: 'dotnet',
    counts: [
      { runner: 'dotnet', line: /^(?:Passed|Failed|Skipped)! +- (Failed: .+)$/, read: ofKeys },
      { runner: 'dotnet', line: /^Test summary: (total: .+)$/, read: ofKeys },
    ],
    suite: { tests: /(Test|Tests|Spec|IT)\.cs$/ },
    environment: ['DOTNET_ROOT'],
  },
  {
    name: 'c++',
    counts: [
      {
        runner: 'ctest',
        line: /^\d+% tests passed, (\d+) tests? failed out of (\d+)$/,
        read: (m) => ({ failed: Number(m[1]), total: Number(m[2]) }),
      },
      {
        runner: 'gtest',
        line: /^\[ {2}PASSED {2}\] (\d+) tests?\.$/,
        read: (m) => ({ passed: Number(m[1]) }),
      },
      {
        runner: 'gtest',
        line: /^\[ {2}(FAILED|SKIPPED) {1,2}\] (\d+) tests?, listed below:$/,
        read: ofSwapped,
      },
    ],
    suite: { tests: /_(test|spec)\.(cc|cpp)$/ },
  },
  {
    name: 'swift',
    counts: [
      {
        runner: 'xctest',
        line: /^\s*Executed (\d+) tests?, with (?:(\d+) tests? skipped and )?(\d+) failures? /,
        read: (m) => ({ total: Number(m[1]), skipped: Number(m[2] ?? 0), failed: Number(m[3]) }),
        last: true,
      },
    ],
    suite: { 'test config': /(^|\/)testplan\.\w+$/, tests: /(Test|Tests|Spec|IT)\.swift$/ },
  },
];
