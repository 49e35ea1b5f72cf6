import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Judgement } from '../../src/contract/action.ts';
import { fullContext } from '../../src/core/guards/index.ts';

/** One labelled command. `not-allow`: ask or forbid · `never`: asks a person, and nothing else can answer. */
export interface Labelled {
  command: string;
  expect: 'allow' | 'not-allow' | 'ask' | 'never' | 'forbid';
  family: string;
  why: string;
}

const folder = resolve(import.meta.dirname, 'corpus');

export const corpusFiles = (): string[] => globSync('*.jsonl', { cwd: folder }).toSorted();

export const corpusFile = (file: string): Labelled[] =>
  readFileSync(resolve(folder, file), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Labelled);

export const wholeCorpus = (): Labelled[] => corpusFiles().flatMap(corpusFile);

/** A developer's machine, as far as the guard knows it. */
export const here = fullContext({
  workspace: '/home/dev/project',
  home: '/home/dev',
  tirelessHome: '/home/dev/.local/state/tireless',
});

export function holds({ expect }: Labelled, { verdict, never }: Judgement): boolean {
  switch (expect) {
    case 'not-allow':
      return verdict !== 'allow';
    case 'never':
      return verdict === 'ask' && never === true;
    default:
      return verdict === expect;
  }
}
