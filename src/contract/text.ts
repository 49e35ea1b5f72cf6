import { z } from 'zod';
import { factCharsMax } from './constants.ts';

/** SHA-256 in lower-case hex. */
export const digestSchema = z.string().regex(/^[0-9a-f]{64}$/);

/**
 * A text that rules may read. `text` is the whole of it, or its first `factCharsMax` characters when `body`
 * names the full text by digest; a body may expire, the fact never does.
 */
export const textSchema = z.object({ text: z.string().max(factCharsMax), body: digestSchema.optional() });
export type Text = z.infer<typeof textSchema>;
