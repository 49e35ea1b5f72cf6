import { describe } from 'vitest';
import { survivesRandomInput } from '../guards/hostile.ts';

describe('hostile input', () => survivesRandomInput(20_000));
