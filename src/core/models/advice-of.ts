import {
  type Advice,
  type claimOutputSchema,
  type decisionOutputSchema,
  factCharsMax,
} from '../../contract/index.ts';
import { headOf } from './coerce.ts';
import type { Reading } from './read.ts';

const reasonCharsMax = 2_000;
const problemsMax = 20;

export interface AdviceSource {
  readonly model: string;
  /** The answer as it came, for the receipt. */
  readonly raw: string;
  readonly claim?: Reading<typeof claimOutputSchema>;
  /** A judgement below this claims nothing. */
  readonly confidenceMin: number;
}

/** A reading as an advice. What cannot be relied on has no confidence, and so only makes the run more careful. */
export function adviceOf(reading: Reading<typeof decisionOutputSchema>, source: AdviceSource): Advice {
  const { fields, isSure } = reading;
  const confidence = isSure ? (fields?.confidence ?? null) : null;
  const action = fields?.action ?? 'unknown';
  const next = fields?.next_input?.trim() ?? '';
  const isUseful = action === 'continue' && confidence !== null && next !== '';
  const { claim } = source;
  const problems = [...reading.problems, ...(claim?.problems ?? []).map((one) => `claim: ${one}`)];
  return {
    action,
    claimsDone: claim && claimOf(claim, source.confidenceMin),
    nextInput: isUseful ? { text: headOf(next, factCharsMax) } : undefined,
    reason: headOf(fields?.reason?.trim() ?? '', reasonCharsMax),
    confidence,
    problems: problems.slice(0, problemsMax),
    model: source.model.slice(0, 200),
    raw: { text: headOf(source.raw, factCharsMax) },
  };
}

function claimOf(
  { fields, isSure }: Reading<typeof claimOutputSchema>,
  confidenceMin: number,
): boolean | undefined {
  if (!isSure || fields?.claims_done == null) return undefined;
  return fields.claims_done && (fields.confidence ?? 0) >= confidenceMin;
}
