import { it } from 'vitest';
import { simulateWidely } from '../scenarios/simulate.ts';

it('keeps every promise in the stories 2,001 to 11,000', { timeout: 600_000 }, () =>
  simulateWidely(2_001, 9_000),
);
