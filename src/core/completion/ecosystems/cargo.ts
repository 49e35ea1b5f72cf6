import { ofPairs, pairs } from '../count-lines.ts';
import { foldersWith, inFolder, taken } from '../detect-facts.ts';
import type { Ecosystem } from './ecosystem.ts';
import { sectionsOf } from './manifest-parts.ts';

export const cargo: Ecosystem = {
  name: 'cargo',
  detect: (facts) =>
    foldersWith(facts, ['Cargo.toml']).map((folder) => {
      const manifest = inFolder(folder, 'Cargo.toml');
      const isWorkspace = /^\s*\[workspace\]/m.test(facts.texts.get(manifest) ?? '');
      const command = isWorkspace ? 'cargo test --workspace' : 'cargo test';
      return taken('unit', folder, command, `${manifest} is there`);
    }),
  reads: ['Cargo.toml'],
  skips: ['target'],
  recipe: /\bcargo (?:test|nextest)\b/,
  counts: [
    { runner: 'cargo', line: /^test result: (?:ok|FAILED)\. (.+; finished in [\d.]+s)$/, read: ofPairs },
    {
      runner: 'nextest',
      line: /^ *Summary \[.+\] (\d+)(?:\/\d+)?( tests? run: .+)$/,
      read: (m) => pairs(`${m[1]}${m[2]}`),
    },
  ],
  suite: { 'test config': /(^|\/)(\.cargo\/config(\.toml)?|nextest\.toml)$/ },
  manifests: [
    {
      file: /(^|\/)Cargo\.toml$/,
      testing: (text) => sectionsOf(text, /^(test|bench|bin|workspace|profile\.test|dev-dependencies|lib)/),
    },
  ],
  environment: ['CARGO_HOME', 'CARGO_TARGET_DIR', 'RUSTUP_HOME', 'RUSTUP_TOOLCHAIN'],
};
