import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, resolve, sep } from 'node:path';
import { describe, expect, it } from 'vitest';
import { publicCommands } from '../../tools/cli-doc.ts';

const root = resolve(import.meta.dirname, '../..');
const pages = globSync('**/*.md', {
  cwd: root,
  exclude: (path) => /^(?:node_modules|dist|build)(?:[\\/]|$)/.test(path),
}).map((page) => page.split(sep).join('/'));

const read = (page: string): string => readFileSync(resolve(root, page), 'utf8');

/** The anchors a page offers, as GitHub makes them from its headings. */
function anchorsOf(page: string): ReadonlySet<string> {
  const headings = read(page).matchAll(/^#{1,6} +(.+)$/gm);
  return new Set(
    [...headings].map(([, title = '']) =>
      title
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .trim()
        .replaceAll(' ', '-'),
    ),
  );
}

/** Every link of a page that leads nowhere. */
function brokenLinks(page: string, text: string): string[] {
  const prose = text.replaceAll(/```[\s\S]*?```/g, '').replaceAll(/`[^`\n]*`/g, '');
  const targets = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  return targets
    .filter((target) => !/^[a-z]+:/.test(target))
    .filter((target) => {
      const [path = '', anchor] = target.split('#');
      const file = path === '' ? page : resolve(root, dirname(page), path);
      if (!existsSync(resolve(root, file))) return true;
      return anchor !== undefined && file.endsWith('.md') && !anchorsOf(file).has(anchor);
    });
}

/** Every command of ours that a page names and the program does not have. */
function unknownCommands(text: string, known: ReadonlySet<string>): string[] {
  const named = [...text.matchAll(/(?:`|^\$? *|\.\/bin\/)tireless ([a-z][a-z-]*)/gm)].map(
    ([, name = '']) => name,
  );
  return named.filter((name) => !known.has(name));
}

/** Every path of this repository that a page names in backticks and that is not there. */
function missingPaths(text: string): string[] {
  const prose = text.replaceAll(/```[\s\S]*?```/g, '');
  const quoted = [...prose.matchAll(/`([^`\n]+)`/g)].map(([, inner = '']) => inner);
  return quoted
    .filter((one) =>
      /^(?:src|test|tools|docs|decisions|examples|bench|bin|\.ci|\.changeset)\/[\w./*{},-]*$/.test(one),
    )
    .filter((one) => globSync(one, { cwd: root }).length === 0);
}

describe('the pages', () => {
  it('are found', () => {
    expect(pages).toEqual(expect.arrayContaining(['README.md', 'docs/README.md']));
  });

  it.each(pages)('%s: every link leads somewhere', (page) => {
    expect(brokenLinks(page, read(page))).toEqual([]);
  });

  it.each(pages)('%s: every command it names exists', async (page) => {
    expect(unknownCommands(read(page), new Set((await publicCommands()).keys()))).toEqual([]);
  });

  it.each(pages)('%s: every path it names exists', (page) => {
    expect(missingPaths(read(page))).toEqual([]);
  });
});

describe('the check of the pages', () => {
  it('sees a link to nowhere, in the same page and in others', () => {
    const text = '[a](docs/README.md) [b](docs/nowhere.md) [c](#nowhere) [d](https://example.org/x)';
    expect(brokenLinks('README.md', text)).toEqual(['docs/nowhere.md', '#nowhere']);
  });

  it('sees a command that does not exist, in text and in examples', () => {
    const text = 'Use `tireless run`, `tireless fly --far`\n\n```sh\ntireless swim\n```\n';
    expect(unknownCommands(text, new Set(['run']))).toEqual(['fly', 'swim']);
  });

  it('sees a path that does not exist, and knows patterns', () => {
    const text = '`src/index.ts` `src/nowhere.ts` `src/core/decide/*.ts` `not/a/path of ours`';
    expect(missingPaths(text)).toEqual(['src/nowhere.ts']);
  });
});
