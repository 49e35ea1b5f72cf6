import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Question, toolOutputSchema } from '../../src/contract/index.ts';
import { answersOf, keptForPeople, readAnswer, ToolInputSignature } from '../../src/core/models/index.ts';

const database: Question = { id: 'db', question: 'Which database?', options: ['PostgreSQL', 'SQLite'] };
const name: Question = { id: 'name', question: 'What should the folder be called?' };
const answer = (text: unknown, questions: readonly Question[] = [database, name]) =>
  answersOf(readAnswer(toolOutputSchema, JSON.stringify(text)), questions, 0.55);
const both = [
  { id: 'db', answer: 'sqlite' },
  { id: 'name', answer: 'parser' },
];

describe('answers to an agent’s questions', () => {
  it('are taken when the model is sure, in the words that were offered', () => {
    expect(answer({ answers: both, confidence: 0.55 })).toEqual({
      answers: new Map([
        ['db', 'SQLite'],
        ['name', 'parser'],
      ]),
    });
  });

  it.each([
    ['below the least confidence', { answers: both, confidence: 0.54 }],
    ['without confidence', { answers: both }],
    ['with words for confidence', { answers: both, confidence: 'high' }],
    ['over one', { answers: both, confidence: 7 }],
    ['that leave a question out', { answers: both.slice(0, 1), confidence: 0.9 }],
    ['that were not offered', { answers: [{ id: 'db', answer: 'MySQL' }, both[1]], confidence: 0.9 }],
    ['that are empty', { answers: [both[0], { id: 'name', answer: ' ' }], confidence: 0.9 }],
    ['that contradict each other', { answers: [...both, { id: 'name', answer: 'lexer' }], confidence: 0.9 }],
    ['of another shape', { answers: 'SQLite', confidence: 0.9 }],
    ['that are none', 'SQLite, I think'],
  ])('%s are left to a person', (_what, text) => {
    expect(answer(text)).toMatchObject({ askPerson: true });
  });

  it.each<Question>([
    { id: 'a', question: 'Type it here', secret: true },
    { id: 'a', question: 'What is the database password?' },
    { id: 'a', question: 'Paste your API key' },
    { id: 'a', question: 'May I push to main?' },
    { id: 'a', question: 'Do you approve?', options: ['yes', 'no'] },
    { id: 'a', question: 'What now?', options: ['Delete the old tables', 'Keep them'] },
    { id: 'a', question: 'Which environment?', options: ['staging', 'production'] },
    { id: 'a', question: 'ALLOW network access?' },
  ])('are never a model’s where %j is asked', (question) => {
    expect(keptForPeople([name, question])).not.toBeNull();
    const text = { answers: [both[1], { id: 'a', answer: question.options?.[0] ?? 'yes' }], confidence: 1 };
    expect(answer(text, [name, question])).toMatchObject({ askPerson: true });
  });

  it('may be a model’s where it is about the work alone', () => {
    expect(keptForPeople([database, name])).toBeNull();
  });

  it('have a signature that has no place for a secret', () => {
    const questions = [{ ...database, secret: true }];
    expect(ToolInputSignature.input.parse({ questions, context: '' }).questions[0]).not.toHaveProperty(
      'secret',
    );
  });
});

describe('the libraries behind the models', () => {
  it('are imported when a model is asked, never when the program starts', () => {
    const root = join(import.meta.dirname, '../..');
    const early = globSync('src/**/*.ts', { cwd: root }).filter((file) =>
      /^import (?!type )[^;]*?from '(?:ai|@ai-sdk\/[^']+)'/m.test(readFileSync(join(root, file), 'utf8')),
    );
    expect(early).toEqual([]);
  });
});
