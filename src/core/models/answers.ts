import type { Question, toolOutputSchema } from '../../contract/index.ts';
import type { Reading } from './read.ts';

/** Answers by question, or why a person must be asked. */
export type Answers =
  | { readonly answers: ReadonlyMap<string, string> }
  | { readonly askPerson: true; readonly because: string };

/**
 * Words by which a question is about permission, secrets or something that cannot be undone. Too many rather than too
 * few: a person who is asked in vain loses a minute.
 */
const forPeople =
  /\b(?:password|passphrase|passcode|secret|token|credential|api[ _-]?key|private[ _-]?key|ssh|otp|2fa|log ?in|sign ?in|permi(?:t|ssion)|approv|allow|authori[sz]|grant|consent|confirm|proceed|sudo|root|admin|deploy|publish|release|push|production|prod\b|migrat|drop|delet|remov|destroy|wipe|eras|overwrit|reset|force|pay|purchas|billing)/i;

const person = (because: string): Answers => ({ askPerson: true, because });

/** Why none of these questions may be put to a model, or null. */
export function keptForPeople(questions: readonly Question[]): string | null {
  for (const { question, options = [], secret } of questions) {
    if (secret === true) return 'a secret is asked for';
    const [found] = forPeople.exec([question, ...options].join('\n')) ?? [];
    if (found !== undefined) return `it may be about a permission or a secret ("${found.toLowerCase()}")`;
  }
  return null;
}

/** Takes a model's answers only when it is sure enough and every question has one that was offered. */
export function answersOf(
  { fields, isSure }: Reading<typeof toolOutputSchema>,
  questions: readonly Question[],
  confidenceMin: number,
): Answers {
  const kept = keptForPeople(questions);
  if (kept !== null) return person(kept);
  const confidence = isSure ? (fields?.confidence ?? null) : null;
  if (fields?.answers == null || confidence === null) return person('the model gave no usable answer');
  if (confidence < confidenceMin) return person(`low confidence ${confidence} < ${confidenceMin}`);
  const answers = new Map<string, string>();
  for (const { id, options = [] } of questions) {
    const given = fields.answers.filter((one) => one.id === id).map(({ answer }) => answer.trim());
    const [said = ''] = given;
    const answer =
      options.length === 0 ? said : options.find((one) => one.trim().toLowerCase() === said.toLowerCase());
    if (given.length > 1) return person(`two answers to ${id}`);
    if (answer === undefined || answer === '') return person(`no answer to ${id} that was offered`);
    answers.set(id, answer);
  }
  return { answers };
}
