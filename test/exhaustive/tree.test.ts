import { it } from 'vitest';
import { countsRight } from '../workspace/sequences.ts';

it('the files of a workspace count right through any sequence of changes', () => countsRight(25));
