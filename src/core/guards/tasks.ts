import type { GuardEffectKind } from '../../contract/guard.ts';
import { report, type World } from './call.ts';
import { isLiteral, shown } from './marks.ts';

/** What a project's own script or target does, as far as its name says so. First match wins. */
const meanings: readonly [RegExp, GuardEffectKind][] = [
  [/^(un)?publish(ed|ing)?$/, 'publish'],
  [/^(re)?deploy(s|ed|ment|ing)?$|^ship(it)?$|^golive$|^promote$|^rollout$/, 'deploy'],
  [/^release(s|d)?$/, 'deploy'],
  [/^migrat(e|es|ion|ions|ing)$|^migrate-.*$/, 'database-migrate'],
  [/^(destroy|teardown|nuke|wipe|purge|obliterate)$/, 'cloud-delete'],
  [/^provision$/, 'infrastructure'],
  [/^(upload|push|send|sync-?prod|broadcast)$/, 'network-send'],
  [/^(drop|truncate)$/, 'database-drop'],
];

/** Names that build, check or run something here, whatever follows in the name. */
const homely =
  /^(build|compile|bundle|test|tests|spec|lint|check|typecheck|types|type|format|fmt|fix|dev|start|serve|watch|docs?|doc|bench|benchmark|coverage|cover|ci|verify|validate|clean|preview|storybook|generate|gen|codegen|e2e|unit|integration|cypress|playwright|jest|vitest|mocha|pytest|help|list|show|print|dry|plan|prebuild|postbuild|pretest)$/;

const prod = /^(prod|production|prd|live)$/;
const databaseWords = /^(db|database|schema|table|tables|data|ecto)$/;

/** The words of a task's name: `deploy:prod`, `dropTables`, `db_migrate`. */
const wordsOf = (name: string): string[] =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);

/** What running a project's own script of this name means, beyond running code of the workspace. */
export function taskKind(name: string): GuardEffectKind | undefined {
  const words = wordsOf(name.replace(/\.(sh|bash|zsh|py|js|mjs|cjs|ts|mts|rb|pl|php|ps1|bat|cmd)$/i, ''));
  if (words.length === 0 || homely.test(words[0] as string)) return undefined;
  const isInfra = words.some((word) =>
    /^(tf|terraform|tofu|infra|infrastructure|k8s|kube|kubernetes|cluster|stack)$/.test(word),
  );
  if (words.includes('apply') && (isInfra || words.length === 1)) return 'infrastructure';
  const isDatabase = words.some((word) => databaseWords.test(word));
  if (isDatabase && words.some((word) => /^(drop|wipe|destroy|nuke|purge)$/.test(word)))
    return 'database-destroy';
  for (const [pattern, kind] of meanings) {
    if (!words.some((word) => pattern.test(word))) continue;
    return kind === 'deploy' && words.some((word) => prod.test(word)) ? 'deploy-production' : kind;
  }
  if (isDatabase && words.some((word) => /^(reset|seed|clear|delete|rollback)$/.test(word))) {
    return 'database-delete';
  }
  return undefined;
}

/** A script or target of the project is run by name. */
export function runsTask(world: World, name: string): void {
  if (!isLiteral(name)) {
    report(world, 'run-workspace', shown(name));
    return;
  }
  if (/[`;|&<>]|\$\(|^~|^\/(?!\/)/.test(name)) {
    report(world, 'run-any', shown(name));
    return;
  }
  const kind = taskKind(name);
  if (kind) report(world, kind, `the project's own “${shown(name)}”`);
}

/** Is this word the name of the place where real people are served? */
export const namesProduction = (word: string): boolean =>
  word
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .some((part) => prod.test(part));
