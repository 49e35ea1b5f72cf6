import { describe, expect, it } from 'vitest';
import { measure, setMemories, setQuestions } from './measure.ts';

describe('finding what was meant', () => {
  it('is measured on enough memories and questions, each with an answer that is still true', () => {
    const memories = setMemories();
    const replaced = new Set(memories.map(({ supersedes }) => supersedes));
    const living = new Set(memories.map(({ id }) => id).filter((id) => !replaced.has(id)));
    const questions = [...setQuestions('dev'), ...setQuestions('held-out')];
    expect(living.size).toBeGreaterThanOrEqual(200);
    expect(questions.length).toBeGreaterThanOrEqual(120);
    expect(questions.filter(({ answers }) => !answers.every((id) => living.has(id)))).toEqual([]);
  });

  it('has an answer among the first five for 85 of 100 held-out questions, and 5 points more than plain bm25', () => {
    const { ours, plain } = measure('held-out');
    expect(ours).toBeGreaterThanOrEqual(0.85);
    expect(ours).toBeGreaterThanOrEqual(plain + 0.05);
  });
});
