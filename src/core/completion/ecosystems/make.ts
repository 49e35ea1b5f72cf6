import { type Finding, type FolderFacts, passedOver, taken } from '../detect-facts.ts';
import type { Ecosystem } from './ecosystem.ts';
import { proving } from './manifest-parts.ts';

const makefiles = ['GNUmakefile', 'makefile', 'Makefile'];

/** Make and its like: their targets call the tests of others. */
export const make: Ecosystem = {
  name: 'make',
  detect: makeFindings,
  reads: makefiles,
  manifests: [
    { file: /(^|\/)(GNUm|[Mm])akefile$/, commands: recipesIn },
    { file: /(^|\/)(justfile|Taskfile\.ya?ml)$/ },
  ],
};

/** `make test`, unless its recipe only calls what was taken already. */
function makeFindings(facts: FolderFacts, found: readonly Finding[]): Finding[] {
  const file = makefiles.find((name) => facts.files.has(name));
  if (!file) return [];
  const recipe = targetRecipe(facts.texts.get(file) ?? '', 'test');
  if (recipe === null) return [passedOver('unit', 'make test', `${file} has no test target`)];
  const same = found.find((finding) => finding.check && finding.recipe?.test(recipe));
  if (!same) return [taken('unit', '.', 'make test', `${file} has a test target`)];
  const because = `${file} has a test target, but it runs \`${same.what}\`, which is taken`;
  return [passedOver('unit', 'make test', because)];
}

/** The prerequisites and commands of a target, or null when the Makefile has none of that name. */
function targetRecipe(makefile: string, target: string): string | null {
  const lines = makefile.split(/\r?\n/);
  const names = (line: string) => /^([^\s:#=][^:#=]*)::?(?!=)(.*)$/.exec(line);
  const start = lines.findIndex((line) => names(line)?.[1]?.trim().split(/\s+/).includes(target));
  if (start < 0) return null;
  const recipe = [names(lines[start] ?? '')?.[2] ?? ''];
  for (const line of lines.slice(start + 1)) {
    if (line.trim() !== '' && !line.startsWith('\t') && !line.startsWith('#')) break;
    recipe.push(line);
  }
  return recipe.join('\n');
}

/** The recipe lines of every target that proves something. */
function recipesIn(makefile: string): readonly string[] {
  let isIn = false;
  return makefile.split('\n').filter((line) => {
    if (line.startsWith('\t')) return isIn;
    const target = /^([^\s:#=][^:#=]*):/.exec(line)?.[1];
    if (target !== undefined) isIn = proving.test(target);
    return false;
  });
}
