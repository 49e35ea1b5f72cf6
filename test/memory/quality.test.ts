import { describe, expect, it } from 'vitest';
import { measure, setMemories, setQuestions } from './measure.ts';

describe('finding what was meant', () => {
  it('is measured on enough memories and questions, each with an answer that is still true', () => {
    for (const parts of [
      ['dev', 'held-out'],
      ['fresh', 'later'],
    ] as const) {
      const memories = setMemories(parts[0]);
      const replaced = new Set(memories.map(({ supersedes }) => supersedes));
      const living = new Set(memories.map(({ id }) => id).filter((id) => !replaced.has(id)));
      const questions = parts.flatMap(setQuestions);
      expect(living.size).toBeGreaterThanOrEqual(200);
      expect(questions.length).toBeGreaterThanOrEqual(120);
      expect(questions.filter(({ answers }) => !answers.every((id) => living.has(id)))).toEqual([]);
    }
  });

  it.each(['held-out', 'fresh'] as const)(
    'has an answer among the first five for 85 of 100 questions of %s, and 5 points more than plain bm25',
    (part) => {
      const { ours, plain } = measure(part);
      expect(ours).toBeGreaterThanOrEqual(0.85);
      expect(ours).toBeGreaterThanOrEqual(plain + 0.05);
    },
  );

  it('finds more than plain bm25 in a long conversation, where few words of a question stand in its answer', () => {
    const { ours, plain } = measure('talk');
    expect(ours).toBeGreaterThanOrEqual(plain + 0.05);
  });
});
