import { describe } from 'vitest';
import { alterations, asksAfter } from '../finish/alterations.ts';

describe('a finish asks a person', () => asksAfter(alterations.filter((_, i) => i % 3 !== 0)));
