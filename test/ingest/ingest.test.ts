import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { factCharsMax } from '../../src/contract/constants.ts';
import { type Event, eventSchema } from '../../src/contract/event.ts';
import { policySchema } from '../../src/contract/policy.ts';
import { textSchema } from '../../src/contract/text.ts';
import { bodyCharsMax, cutText, fitBody, headOf, tailOf } from '../../src/edge/ingest/cut.ts';
import { proseKeys } from '../../src/edge/ingest/fit.ts';
import { makeIngest } from '../../src/edge/ingest/ingest.ts';
import { makeRedactor } from '../../src/edge/ingest/redact.ts';

const secret = 'hunter2hunter2';
const redact = makeRedactor({ env: { A_TOKEN: secret }, declared: [], key: new Uint8Array(32) });
const mark = redact(secret);
const ingest = makeIngest({ clock: { at: () => 1_000, mono: () => 20.5 }, redact });
const digest = (text: string) => createHash('sha256').update(text).digest('hex');
const ofTurn = { session: 's1', turn: 't1' };
const item = (label: string): Event => ({
  type: 'item-ended',
  ...ofTurn,
  item: 'i1',
  kind: 'command',
  outcome: 'ok',
  label,
});
const asked = (text: string, paths?: string[]): Event => ({
  type: 'approval-asked',
  ...ofTurn,
  request: 'r1',
  action: { kind: 'command', rendered: { text }, digest: digest(text), paths },
});

describe('ingest', () => {
  it('stamps what it hears, names the cause, and changes nothing else', () => {
    expect(ingest(item('npm test'), undefined, 'row-1')).toEqual({
      stamped: { at: 1_000, mono: 20.5, cause: 'row-1', event: item('npm test') },
      bodies: [],
    });
    expect(ingest(item('npm test')).stamped.cause).toBeUndefined();
  });

  it('keeps the first of a plan or of background work that is longer than an entry holds', () => {
    const steps = Array.from({ length: 150 }, () => ({
      text: secret.repeat(100),
      status: 'pending' as const,
    }));
    const plan = {
      type: 'plan-changed' as const,
      ...ofTurn,
      digest: digest('p'),
      done: 0,
      total: 150,
      steps,
    };
    const { event } = ingest(plan).stamped;
    expect(event).toMatchObject({ type: 'plan-changed', total: 150 });
    expect(event.type === 'plan-changed' && event.steps).toHaveLength(100);
    expect(JSON.stringify(event)).not.toContain(secret);
    const tasks = Array.from({ length: 60 }, (_, n) => ({
      id: `b${n}`,
      kind: 'shell' as const,
      label: 'x'.repeat(999),
    }));
    const told = ingest({ type: 'background-changed', session: 's1', tasks }).stamped.event;
    expect(told.type === 'background-changed' && told.tasks).toHaveLength(50);
  });

  it('takes secrets out of every string, however deep, and keeps the digest of the raw action', () => {
    const { stamped } = ingest(asked(`curl -H "k: ${secret}"`, [`/tmp/${secret}`]));
    expect(stamped.event).toEqual({
      type: 'approval-asked',
      ...ofTurn,
      request: 'r1',
      action: {
        kind: 'command',
        rendered: { text: `curl -H "k: ${mark}"` },
        digest: digest(`curl -H "k: ${secret}"`),
        paths: [`/tmp/${mark}`],
      },
    });
    const outcome = ingest({
      type: 'effect-ended',
      effect: 'e1',
      outcome: {
        of: 'checks-run',
        before: { tree: 'unknown', head: null, because: secret },
        after: { tree: 'unknown', head: null },
        results: [
          {
            name: 'a',
            command: secret,
            outcome: 'failed',
            exitCode: 1,
            durationMs: 1,
            outputDigest: digest(''),
            tail: { text: secret },
          },
        ],
      },
    });
    expect(JSON.stringify(outcome)).not.toContain(secret);
    expect(outcome.stamped.event.type).toBe('effect-ended');
  });

  it('keeps a long text whole as a body, without its secrets, and its head as the fact', () => {
    const text = `${'a'.repeat(factCharsMax - 5)}${secret}${'b'.repeat(100)}`;
    const { stamped, bodies } = ingest({ type: 'steer-given', text: { text }, by: 'me' });
    const clean = text.replace(secret, mark);
    expect(bodies).toEqual([{ digest: digest(clean), text: clean }]);
    expect(stamped.event).toEqual({
      type: 'steer-given',
      text: { text: clean.slice(0, factCharsMax), body: digest(clean) },
      by: 'me',
    });
    expect(JSON.stringify(stamped)).not.toContain('hunter2');
  });

  it('leaves a text that just fits alone, with the body it names', () => {
    const text = { text: 'a'.repeat(factCharsMax), body: digest('whole') };
    expect(ingest({ type: 'steer-given', text, by: 'me' })).toMatchObject({
      stamped: { event: { text } },
      bodies: [],
    });
  });

  it('keeps the end of a tail, where test runners say what failed', () => {
    const text = `${'a'.repeat(40_000)} 3 failed`;
    const { stamped } = ingest({
      type: 'effect-ended',
      effect: 'e1',
      outcome: {
        of: 'checks-run',
        before: { tree: 'unknown', head: null },
        after: { tree: 'unknown', head: null },
        results: [
          {
            name: 'a',
            command: 'b',
            outcome: 'failed',
            exitCode: 1,
            durationMs: 1,
            outputDigest: digest(''),
            tail: { text },
          },
        ],
      },
    });
    expect(stamped.event).toMatchObject({
      outcome: { results: [{ tail: { text: text.slice(-factCharsMax), body: digest(text) } }] },
    });
  });

  it('keeps the raw text behind an event that can name it', () => {
    const { stamped, bodies } = ingest(item('x'), `raw ${secret}`);
    expect(bodies).toEqual([{ digest: digest(`raw ${mark}`), text: `raw ${mark}` }]);
    expect(stamped.event).toMatchObject({ body: digest(`raw ${mark}`) });
    expect(ingest({ type: 'compaction-seen', ...ofTurn }, 'raw')).toMatchObject({
      bodies: [],
      stamped: { event: { type: 'compaction-seen' } },
    });
  });

  it('cuts prose to its bound and says so', () => {
    const { stamped } = ingest(item('x'.repeat(5_000)));
    expect(stamped.event).toMatchObject({ type: 'item-ended', label: `${'x'.repeat(999)}…` });
  });

  it('never cuts what names something: that would name something else', () => {
    const { stamped, bodies } = ingest({ ...item('x'), item: 'i'.repeat(301) } as Event);
    expect(stamped.event).toMatchObject({ type: 'unreadable', source: 'door', body: bodies[0]?.digest });
    expect(stamped.event).toHaveProperty(
      'because',
      expect.stringContaining('item-ended does not fit: item:'),
    );
  });

  it('leaves no way to take a list of paths that was cut for a harmless one', () => {
    const { stamped } = ingest(
      asked(
        'patch',
        Array.from({ length: 300 }, (_, n) => `src/${n}.ts`),
      ),
    );
    const paths = stamped.event.type === 'approval-asked' ? stamped.event.action.paths : [];
    expect(paths).toHaveLength(200);
    expect(paths?.at(-1)).toBe('/… and 101 more');
  });

  it('does not fill in what a change of limits did not name', () => {
    const change: Event = { type: 'limits-changed', limits: { turnsMax: 300 }, by: 'me' };
    expect(ingest(change).stamped.event).toEqual(change);
  });

  it('takes secrets out of names and values of a record', () => {
    const { stamped } = ingest({ type: 'unknown', [secret]: { [secret]: [secret] } } as unknown as Event);
    expect(JSON.stringify(stamped)).not.toContain(secret);
  });

  it('drops keys no entry has', () => {
    expect(ingest({ ...item('x'), extra: 1 } as unknown as Event).stamped.event).toEqual(item('x'));
  });

  it.each([
    ['no event', null],
    ['no event', 'text'],
    ['nonsense', { type: 'nonsense', token: secret }],
    ['turn-ended', { type: 'turn-ended', ...ofTurn, status: 'great' }],
    ['turn-started', { type: 'turn-started', session: '', turn: 7 }],
    [
      'input-asked',
      {
        type: 'input-asked',
        ...ofTurn,
        request: 'r',
        digest: digest(''),
        questions: Array(21).fill({ id: 'q', question: secret }),
      },
    ],
    ['unreadable', { type: 'unreadable', source: 'x', because: 'y' }],
    ['__proto__', { type: '__proto__' }],
  ])('lets %s in as unreadable, whole and without secrets', (what, draft) => {
    const { stamped, bodies } = ingest(draft as unknown as Event);
    expect(eventSchema.safeParse(stamped.event).success).toBe(true);
    expect(stamped.event).toMatchObject({ type: 'unreadable', source: 'door', body: bodies.at(-1)?.digest });
    expect(stamped.event).toHaveProperty('because', expect.stringContaining(`${what} does not fit: `));
    expect(JSON.stringify({ stamped, bodies })).not.toContain(secret);
  });

  it('survives a draft that has no JSON', () => {
    const cycle: Record<string, unknown> = { type: 'turn-ended' };
    cycle.session = 5n;
    expect(ingest(cycle as unknown as Event).stamped.event).toMatchObject({ type: 'unreadable' });
  });

  it('gives only valid events for drafts with every string far too long', () => {
    for (const option of eventSchema.options) {
      const draft = sampleOf(option) as Event;
      const { stamped } = ingest(draft);
      expect(eventSchema.safeParse(stamped.event).success, draft.type).toBe(true);
      expect(stamped.event.type, JSON.stringify(stamped.event).slice(0, 300)).toBe(draft.type);
    }
  });

  it('takes little time for an everyday event', () => {
    const draft = item('npm test -- --run');
    for (let n = 0; n < 2_000; n++) ingest(draft);
    const start = performance.now();
    for (let n = 0; n < 5_000; n++) ingest(draft);
    // Measured at about 5 µs; the bound leaves room for a busy machine.
    expect((performance.now() - start) / 5_000).toBeLessThan(0.1);
  });
});

/** A draft of this schema with prose and texts over their bounds. */
function sampleOf(schema: z.ZodType, key = ''): unknown {
  if (schema === textSchema) return { text: 'long '.repeat(10_000) };
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return sampleOf(schema.unwrap() as z.ZodType, key);
  if (schema instanceof z.ZodPrefault || schema instanceof z.ZodDefault)
    return sampleOf(schema.unwrap() as z.ZodType, key);
  if (schema instanceof z.ZodObject) {
    if (key === 'policy') return policySchema.parse({});
    return Object.fromEntries(
      Object.entries(schema.shape).map(([one, field]) => [one, sampleOf(field as z.ZodType, one)]),
    );
  }
  if (schema instanceof z.ZodDiscriminatedUnion)
    return sampleOf((schema.options[9] ?? schema.options[0]) as z.ZodType, key);
  if (schema instanceof z.ZodUnion) return sampleOf(schema.options[0] as z.ZodType, key);
  if (schema instanceof z.ZodArray) return [sampleOf(schema.element as z.ZodType, key)];
  if (schema instanceof z.ZodRecord) return { x: sampleOf(schema.valueType as z.ZodType, key) };
  if (schema instanceof z.ZodString)
    return proseKeys.has(key) ? 'long '.repeat(10_000) : schema.safeParse('x').success ? 'x' : digest('x');
  if (schema instanceof z.ZodEnum) return schema.options[0];
  if (schema instanceof z.ZodLiteral) return [...schema.values][0];
  if (schema instanceof z.ZodNumber) return 1;
  return true;
}

/** Every bounded string of the schema, by its key. */
function stringKeys(schema: z.ZodType, key = ''): string[] {
  if (schema === textSchema) return [];
  if (schema instanceof z.ZodObject) {
    expect('text' in schema.shape && 'body' in schema.shape, `${key} is a text of its own kind`).toBe(false);
    return Object.entries(schema.shape).flatMap(([one, field]) => stringKeys(field as z.ZodType, one));
  }
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((one) => stringKeys(one as z.ZodType, key));
  if (schema instanceof z.ZodArray) return stringKeys(schema.element as z.ZodType, key);
  if (schema instanceof z.ZodRecord) return stringKeys(schema.valueType as z.ZodType, key);
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodDefault
  ) {
    return stringKeys(schema.unwrap() as z.ZodType, key);
  }
  return schema instanceof z.ZodString && schema.maxLength !== null ? [key] : [];
}

describe('every bounded string of an event', () => {
  it('is either prose that may be cut or a name that may not', () => {
    // A new one goes into `proseKeys` or into this list, after somebody thought about what half of it would mean.
    const names = [...new Set(stringKeys(eventSchema))].filter((key) => !proseKeys.has(key)).sort();
    expect(names.join(' ')).toBe(
      'answer applies args by command cwd dispatch door effect gate glob home host hosts id item leaves login matches memories model name path paths program protectedBranches real request sandbox session setup source temp timer tirelessHome to tool turn version workspace wrote',
    );
  });
});

describe('cutting', () => {
  it('never halves a character', () => {
    expect(headOf('ab🎉cd', 3)).toBe('ab');
    expect(headOf('ab🎉cd', 4)).toBe('ab🎉');
    expect(tailOf('ab🎉cd', 3)).toBe('cd');
    expect(tailOf('ab🎉cd', 4)).toBe('🎉cd');
    expect(cutText('abcdef', 4)).toBe('abc…');
    expect(cutText('abcd', 4)).toBe('abcd');
  });

  it('leaves a body of just the longest length alone and marks a longer one', () => {
    const whole = 'x'.repeat(bodyCharsMax);
    expect(fitBody(whole, redact)).toBe(whole);
    const cut = fitBody(`${whole}y`, redact);
    expect(cut.length).toBeLessThanOrEqual(bodyCharsMax);
    expect(cut).toMatch(/x\n\[cut here: about \d+ more characters were not kept\]\n$/);
  });

  it.each([bodyCharsMax - 110, bodyCharsMax - 5, 2 * bodyCharsMax - 5, 2 * bodyCharsMax - 70_000])(
    'shows no part of a secret that stands at %i of a huge text',
    (place) => {
      const text = `${'x'.repeat(place)}${secret}${'y'.repeat(3 * bodyCharsMax)}`;
      expect(fitBody(text, redact)).not.toMatch(/hunt/);
    },
  );

  it('shows no half of a secret where much before it was removed', () => {
    const block = `-----BEGIN PRIVATE KEY-----${'A'.repeat(16_000)}-----END PRIVATE KEY-----\n`;
    const text = block.repeat(600).slice(0, 2 * bodyCharsMax - 7) + secret.repeat(3);
    const fitted = fitBody(text, redact);
    expect(fitted).not.toMatch(/hunt|AAAA/);
    expect(fitted).toContain('cut here');
  });
});
