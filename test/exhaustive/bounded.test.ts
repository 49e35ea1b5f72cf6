import { describe } from 'vitest';
import { staysSmall } from '../scenarios/stays-small.ts';

describe('a run', () => staysSmall({ once: 100_000, autonomous: 40_000 }));
