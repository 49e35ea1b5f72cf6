import { asKnowledge } from '../interpret.ts';
import type { Family, Knowledge } from '../knowledge.ts';
import { archives } from './archives.ts';
import { build } from './build.ts';
import { builtins } from './builtins.ts';
import { cloud } from './cloud.ts';
import { compilers } from './compilers.ts';
import { containers } from './containers.ts';
import { cryptography } from './cryptography.ts';
import { databases } from './databases.ts';
import { editors } from './editors.ts';
import { files } from './files.ts';
import { find } from './find.ts';
import { forges } from './forges.ts';
import { git } from './git.ts';
import { hosting } from './hosting.ts';
import { infrastructure } from './infrastructure.ts';
import { interpreters } from './interpreters.ts';
import { kubernetes } from './kubernetes.ts';
import { media } from './media.ts';
import { migrations } from './migrations.ts';
import { network } from './network.ts';
import { nodePackages } from './npm.ts';
import { packages } from './packages.ts';
import { patching } from './patching.ts';
import { projectTools } from './project-tools.ts';
import { remote } from './remote.ts';
import { searching } from './searching.ts';
import { shells } from './shells.ts';
import { system } from './system.ts';
import { text } from './text.ts';
import { tireless } from './tireless.ts';
import { wrappers } from './wrappers.ts';

/** Everything known of programs, by family. Later families do not replace earlier ones. */
const families: readonly Family[] = [
  builtins,
  shells,
  files,
  text,
  searching,
  find,
  archives,
  git,
  nodePackages,
  packages,
  build,
  compilers,
  projectTools,
  media,
  interpreters,
  wrappers,
  databases,
  migrations,
  cloud,
  infrastructure,
  kubernetes,
  hosting,
  forges,
  containers,
  network,
  remote,
  cryptography,
  system,
  editors,
  tireless,
  patching,
];

const known: ReadonlyMap<string, Knowledge> = (() => {
  const map = new Map<string, Knowledge>();
  for (const family of families) {
    for (const [name, entry] of Object.entries(family)) if (!map.has(name)) map.set(name, asKnowledge(entry));
  }
  return map;
})();

/** `python3.12`, `gcc-13`, `node.exe`: the program without its version. */
function withoutVersion(name: string): string | undefined {
  const match = /^([A-Za-z+_-]+?)-?\d+(\.\d+)*$/.exec(name);
  return match?.[1];
}

/** What is known of a program, by the last part of its name. */
export function knowledgeOf(program: string): Knowledge | undefined {
  const name = program.replace(/\.exe$/i, '');
  const bare = withoutVersion(name);
  return known.get(name) ?? (bare === undefined ? undefined : known.get(bare));
}
