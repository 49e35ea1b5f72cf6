import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';

/** A link to a question that waits for ever is good for this long. */
const lifeMs = 24 * 3_600_000;
const tokenCharsMax = 4_000;

const claimsSchema = z.strictObject({
  run: z.string().min(1).max(300),
  gate: z.string().min(1).max(300),
  digest: z.string().regex(/^[0-9a-f]{64}$/),
  answer: z.enum(['approve', 'deny']),
  expiresAt: z.number(),
});

/** What a link says, once its signature was checked: one answer to one question about one exact action. */
export type LinkClaims = z.infer<typeof claimsSchema>;

/** Keys for links are their own: nothing else that is made with the home's key can pass for a link. */
const keyFor = (homeKey: Uint8Array): Buffer =>
  createHmac('sha256', homeKey).update('tireless answer link').digest();

const signatureOf = (payload: string, homeKey: Uint8Array): Buffer =>
  createHmac('sha256', keyFor(homeKey)).update(payload).digest();

export function linkToken(claims: LinkClaims, homeKey: Uint8Array): string {
  const payload = Buffer.from(JSON.stringify(claims)).toString('base64url');
  return `${payload}.${signatureOf(payload, homeKey).toString('base64url')}`;
}

/** The claims of a link or of its token alone, or why it is refused. */
export function readLink(
  text: string,
  homeKey: Uint8Array,
  now: number,
): { readonly claims: LinkClaims } | { readonly problem: string } {
  const token = tokenIn(text);
  const [payload = '', signature = '', ...more] = token.split('.');
  if (token.length > tokenCharsMax || payload === '' || signature === '' || more.length > 0)
    return { problem: 'This is no answer link of ours.' };
  const right = signatureOf(payload, homeKey);
  const given = Buffer.from(signature, 'base64url');
  const isOurs =
    given.length === right.length &&
    timingSafeEqual(given, right) &&
    signature === right.toString('base64url');
  if (!isOurs) return { problem: 'The signature of this link is wrong: it was changed, or made elsewhere.' };
  const claims = claimsSchema.safeParse(JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')));
  if (!claims.success) return { problem: 'This is a link of another version.' };
  if (claims.data.expiresAt <= now) return { problem: 'This link has expired.' };
  return { claims: claims.data };
}

const tokenIn = (text: string): string =>
  URL.canParse(text) ? (new URL(text).searchParams.get('token') ?? '') : text.trim();

export interface AnswerLinks {
  readonly approve: string;
  readonly deny: string;
}

/** Links that answer a question, under the address where somebody takes them. */
export function answerLinks(
  base: string,
  gate: {
    readonly run: string;
    readonly id: string;
    readonly digest: string;
    readonly expiresAt: number | null;
  },
  homeKey: Uint8Array,
  now: number,
): AnswerLinks {
  const link = (answer: LinkClaims['answer']): string => {
    const { run, id, digest } = gate;
    const expiresAt = gate.expiresAt ?? now + lifeMs;
    const url = new URL(`${base.replace(/\/+$/, '')}/answer`);
    url.searchParams.set('token', linkToken({ run, gate: id, digest, answer, expiresAt }, homeKey));
    return url.href;
  };
  return { approve: link('approve'), deny: link('deny') };
}
