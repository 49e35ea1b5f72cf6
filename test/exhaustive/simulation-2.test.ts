import { it } from 'vitest';
import { simulateWidely } from '../scenarios/simulate.ts';

it('keeps every promise in the stories 11,001 to 20,000', { timeout: 600_000 }, () =>
  simulateWidely(11_001, 9_000),
);
