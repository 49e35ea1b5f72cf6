import { createHash, randomBytes } from 'node:crypto';
import type { z } from 'zod';
import {
  type askPersonSchema,
  type Effect,
  type reportStatusSchema,
  toolRequestPrefix,
} from '../../contract/index.ts';
import type { Run } from '../../core/index.ts';
import { not, overText, said, type ToolAnswer, type ToolParts, unheard } from './answers.ts';
import type { RunLink } from './run-link.ts';

const evidenceCharsMax = 16_000;
/** How long to wait for the id of a turn that was just sent. */
const turnNamedMs = 5_000;
/** Answers to earlier questions that were not waited for to their end. */
const answersMax = 64;

interface Place {
  readonly session: string;
  readonly turn: string;
}

/** Where in the run its agent is at work; undefined between turns. */
export const placeOf = (run: Run): Place | undefined => {
  if (run.session?.open !== true) return undefined;
  const turn = run.turn?.turn ?? run.foreign;
  return turn === null ? undefined : { session: run.session.id, turn };
};

const noTurn = not('Not recorded: this run has no running turn, so nobody can report for it.');

/** The session and turn the agent calls from; waits a moment for a turn whose id is not known yet. */
const placeIn = (link: RunLink): Promise<Place | null> =>
  link.until((run) => (overText(run) === null ? placeOf(run) : undefined), turnNamedMs);

/** Only a claim: what follows is decided when the turn ends, on our own evidence. */
export async function reportStatus(
  { link, redact }: Omit<ToolParts, 'waitMs'>,
  { status, evidence }: z.infer<typeof reportStatusSchema>,
): Promise<ToolAnswer> {
  const over = overText(await link.run());
  if (over !== null) return not(over);
  const place = await placeIn(link);
  if (place === null) return noTurn;
  const text = { text: redact(evidence).slice(0, evidenceCharsMax) };
  const stamped = await link.tell({ type: 'status-reported', ...place, status, text });
  if (stamped === null) return unheard;
  if (stamped.entry.late === true) return noTurn;
  return said(
    status === 'done'
      ? 'Recorded: done. End your turn; we then run the checks ourselves.'
      : `Recorded: ${status}. End your turn.`,
  );
}

type Answer = Extract<Effect, { type: 'request-answer' }>;

const answersIn = (effects: readonly Effect[] | undefined): readonly Answer[] =>
  (effects ?? []).filter((effect) => effect.type === 'request-answer');

/**
 * Asks the person and returns their answer. After a bounded wait the question stays open and the agent is told so; if it
 * asks again in the same words, it gets the answer given meanwhile.
 */
export function makeAskPerson({
  link,
  redact,
}: Omit<ToolParts, 'waitMs'>): (
  args: z.infer<typeof askPersonSchema>,
  waitMs: number,
  signal?: AbortSignal,
) => Promise<ToolAnswer> {
  /** Requests by the digest of their question, oldest first. */
  const asked = new Map<string, string>();
  const heardAnswers = new Map<string, Answer>();
  return async ({ question, options }, waitMs, signal) => {
    const over = overText(await link.run());
    if (over !== null) return not(over);
    const words = { question: redact(question), options: options?.map(redact) };
    const digest = createHash('sha256').update(JSON.stringify(words)).digest('hex');
    const earlier = heardAnswers.get(asked.get(digest) ?? '');
    if (earlier !== undefined) {
      asked.delete(digest);
      return answerText(earlier);
    }
    const place = await placeIn(link);
    if (place === null) return noTurn;
    const request = `${toolRequestPrefix}${randomBytes(8).toString('hex')}`;
    asked.set(digest, request);
    if (asked.size > answersMax) asked.delete(asked.keys().next().value ?? '');
    const found = link.until(
      (_run, stamped) => answersIn(stamped?.entry.effects).find((answer) => answer.request === request),
      waitMs,
      signal,
    );
    const questions = [{ id: 'question', ...words }];
    const stamped = await link.tell({ type: 'input-asked', ...place, request, questions, digest });
    if (stamped === null) return unheard;
    if (stamped.entry.late === true) return noTurn;
    const answer = await found;
    if (answer !== null) {
      asked.delete(digest);
      return answerText(answer);
    }
    void listenOn(link, request).then((late) => late !== null && heardAnswers.set(request, late));
    return said(
      'Queued: the person has not answered yet, and the question stays open. Go on with what does not depend on it. ' +
        'Ask again in exactly the same words to get the answer; one that comes after this turn is part of the next input.',
    );
  };
}

/** The longest a question may stay open while this process lives. */
const listenMs = 24 * 60 * 60_000;

const listenOn = (link: RunLink, request: string): Promise<Answer | null> =>
  link.until(
    (_run, stamped) => answersIn(stamped?.entry.effects).find((answer) => answer.request === request),
    listenMs,
  );

function answerText({ answer, text, because }: Answer): ToolAnswer {
  if (answer === 'text') return said(`The person answers: ${text ?? ''}`);
  return said(`No answer: ${because}`);
}
