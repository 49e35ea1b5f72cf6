import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  adviceSchema,
  decisionOutputSchema,
  factCharsMax,
  toolOutputSchema,
} from '../../src/contract/index.ts';
import { adviceOf } from '../../src/core/models/index.ts';
import { answerCharsMax, readAnswer } from '../../src/core/models/read.ts';

const read = (raw: string) =>
  adviceOf(readAnswer(decisionOutputSchema, raw), { model: 'test:model', raw, confidenceMin: 0.55 });
const sound = {
  action: 'continue',
  next_input: 'run the tests',
  reason: 'they were not run',
  confidence: 0.8,
};
const withConfidence = (confidence: string) =>
  read(`{"action":"continue","next_input":null,"reason":"because","confidence":${confidence}}`);

describe('a sound answer', () => {
  it('is read as it stands, without a problem', () => {
    expect(read(JSON.stringify(sound))).toEqual({
      action: 'continue',
      nextInput: { text: 'run the tests' },
      reason: 'they were not run',
      confidence: 0.8,
      problems: [],
      model: 'test:model',
      raw: { text: JSON.stringify(sound) },
    });
  });

  it.each([
    ['fenced', `\`\`\`json\n${JSON.stringify(sound, null, 2)}\n\`\`\``],
    ['with prose around it', `Sure! I think {this} is right:\n${JSON.stringify(sound)}\nGood luck {you}.`],
    ['after thinking aloud', `<think>{"action":"stop","confidence":1}</think>${JSON.stringify(sound)}`],
    ['wrapped', JSON.stringify({ decision: sound })],
    ['in a list', `[${JSON.stringify(sound)}]`],
    ['twice the same', `${JSON.stringify(sound)}\n${JSON.stringify(sound)}`],
  ])('is found %s', (_how, raw) => {
    expect(read(raw)).toMatchObject({ action: 'continue', confidence: 0.8, problems: [] });
  });

  it.each([
    ['a comma too many', '{"action":"continue","next_input":null,"reason":"ok","confidence":0.8,}'],
    ['single quotes', "{'action':'continue','reason':'it doesn't matter','confidence':0.8}"],
    ['keys without quotes', '{action:"continue",reason:"ok",confidence:0.8}'],
    ['other spelling of keys', '{"Action":"continue","nextInput":"x","REASON":"ok","confidence":0.8}'],
    ['a line break in a text', '{"action":"continue","reason":"one\ntwo","confidence":0.8}'],
    [
      'the words of another language',
      '{"action":"continue","next_input":None,"reason":"ok","confidence":0.8}',
    ],
  ])('is read in spite of %s', (_what, raw) => {
    expect(read(raw)).toMatchObject({ action: 'continue', confidence: 0.8 });
  });
});

describe('a confidence', () => {
  it.each([
    ['"0.62"', 0.62],
    ['" 0.62 "', 0.62],
    ['"62%"', 0.62],
    ['62%', 0.62],
    ['0', 0],
    ['1', 1],
    ['.5', 0.5],
  ])('%s is read as %d', (written, confidence) => {
    expect(withConfidence(written)).toMatchObject({ action: 'continue', confidence });
  });

  it.each([
    '"high"',
    'high',
    'NaN',
    '"NaN"',
    'Infinity',
    '"Infinity"',
    '7',
    '-1',
    '"7"',
    '"-0.1"',
    '"620%"',
    '1.0000001',
    'null',
    'true',
    '[0.9]',
    '{"value":0.9}',
    '""',
    '"0.9 or so"',
    '"0,9"',
    '0x1',
  ])('%s is none, and the advice says why', (written) => {
    const advice = withConfidence(written);
    expect(advice.confidence).toBeNull();
    expect(advice.problems.join()).toContain('confidence');
    expect(advice.nextInput).toBeUndefined();
  });

  it('that is missing is none', () => {
    const advice = read('{"action":"continue","reason":"ok"}');
    expect(advice).toMatchObject({ confidence: null, problems: ['confidence is missing'] });
  });

  it('whose last digits may be missing is none', () => {
    expect(read('{"action":"continue","reason":"ok","confidence":0.9').confidence).toBeNull();
  });
});

describe('an action', () => {
  it.each(['CONTINUE', ' Continue ', 'continue.', '**continue**'])('%j is continue', (action) => {
    expect(read(JSON.stringify({ ...sound, action }))).toMatchObject({ action: 'continue', confidence: 0.8 });
  });

  it.each(['go', 'continue or stop', '', 'discontinue', 7, null, ['continue'], { a: 1 }])(
    '%j is unknown',
    (action) => {
      const advice = read(JSON.stringify({ ...sound, action }));
      expect(advice.action).toBe('unknown');
      expect(advice.problems.join()).toContain('action');
    },
  );

  it('that does not continue brings no input along', () => {
    expect(read(JSON.stringify({ ...sound, action: 'pause' })).nextInput).toBeUndefined();
  });
});

describe('an answer that misleads', () => {
  it.each([
    [
      'two answers that differ',
      `${JSON.stringify({ ...sound, action: 'stop' })} or ${JSON.stringify(sound)}`,
    ],
    ['one field twice', '{"action":"stop","action":"continue","reason":"ok","confidence":0.9}'],
    ['one field in two spellings', '{"action":"continue","reason":"a","confidence":0.9,"Confidence":0.1}'],
    ['the schema echoed', `{"properties":{"action":{"type":"string"}}} ${JSON.stringify(sound)}`],
  ])('(%s) has no confidence', (_what, raw) => {
    const advice = read(raw);
    expect(advice.confidence).toBeNull();
    expect(advice.problems).not.toEqual([]);
  });

  it('cut in the middle keeps only what was finished', () => {
    const advice = read('{"action":"pause","confidence":0.9,"reason":"the agent is st');
    expect(advice).toMatchObject({ action: 'pause', confidence: 0.9, reason: '' });
    expect(advice.problems).toEqual(
      expect.arrayContaining(['the answer ends in the middle', 'reason is missing']),
    );
  });

  it.each(['', 'I would continue.', '{}', '[]', 'null', '{"foo":1}', '{{{{{{', '"continue"', '{"a":'])(
    '(%j) holds no answer',
    (raw) => {
      expect(readAnswer(decisionOutputSchema, raw)).toMatchObject({ fields: null, isSure: false });
      expect(read(raw)).toMatchObject({ action: 'unknown', confidence: null });
    },
  );

  it('of any length is read in bounded time and kept in bounds', () => {
    const long = `${'{"a":\''.repeat(200_000)}', !${JSON.stringify({ ...sound, reason: 'é😀'.repeat(50_000) })}`;
    const startMono = performance.now();
    const advice = read(long);
    expect(performance.now() - startMono).toBeLessThan(5_000);
    expect(adviceSchema.safeParse(advice).success).toBe(true);
    expect(advice.raw?.text.length).toBeLessThanOrEqual(factCharsMax);
    expect(advice.problems.join()).toContain(`last ${answerCharsMax} of`);
  });
});

describe('whatever a model writes', () => {
  const words = [
    '{',
    '}',
    '[',
    ']',
    '"',
    "'",
    ',',
    ':',
    '\\',
    '\n',
    '%',
    'NaN',
    '0.9',
    '-1',
    '7',
    'true',
    'null',
  ];
  const keys = [
    'action',
    'next_input',
    'reason',
    'confidence',
    '"action":',
    '"confidence":',
    'continue',
    '```json',
  ];
  const babble = fc.array(fc.oneof(fc.constantFrom(...words, ...keys), fc.string()), { maxLength: 60 });

  it('is read without an error, into a sound advice', () => {
    fc.assert(
      fc.property(babble, (parts) => {
        const advice = read(parts.join(''));
        expect(adviceSchema.parse(advice)).toEqual(advice);
      }),
      { numRuns: 3_000 },
    );
  });

  it('any JSON value at all in any field gives a number in range or none', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), fc.jsonValue(), (action, confidence, next_input) => {
        const advice = read(JSON.stringify({ action, confidence, next_input, reason: 'x' }));
        expect(adviceSchema.parse(advice)).toEqual(advice);
        const isSure = typeof confidence === 'number' && confidence >= 0 && confidence <= 1;
        // JSON has no negative zero.
        if (isSure) expect(advice.confidence).toBe(confidence + 0);
        else if (typeof confidence !== 'string') expect(advice.confidence).toBeNull();
      }),
      { numRuns: 2_000 },
    );
  });

  it('every beginning of an answer says no more than the whole of it', () => {
    const whole = JSON.stringify({ ...sound, confidence: 0.87 });
    for (let length = 0; length < whole.length; length += 1) {
      const advice = read(whole.slice(0, length));
      expect([null, 0.87]).toContain(advice.confidence);
      expect(['unknown', 'continue']).toContain(advice.action);
    }
  });

  it('a sound answer is read back exactly, through JSON of any spacing', () => {
    const answer = fc.record({
      action: fc.constantFrom('continue', 'pause', 'stop', 'review'),
      next_input: fc.option(fc.string()),
      reason: fc.string(),
      confidence: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(answer, fc.integer({ min: 0, max: 4 }), (one, indent) => {
        const { fields, problems } = readAnswer(decisionOutputSchema, JSON.stringify(one, null, indent));
        const next = one.next_input !== null && /^\s*(?:null|none|n\/a)?\s*$/i.test(one.next_input);
        expect(fields).toEqual({
          ...one,
          confidence: one.confidence + 0,
          ...(next ? { next_input: null } : {}),
        });
        expect(problems).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('a list of objects', () => {
  it('keeps the whole ones and tells of the others', () => {
    const reading = readAnswer(
      toolOutputSchema,
      '{"answers":[{"id":"a","answer":"yes"},{"id":"b"},"c"],"confidence":0.9}',
    );
    expect(reading.fields?.answers).toEqual([{ id: 'a', answer: 'yes' }]);
    expect(reading.problems).toHaveLength(2);
  });
});
