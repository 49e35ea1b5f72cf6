export { type Budgeted, withinBudget } from './budget.ts';
export { type Distilled, type DistilledMemory, distilled, summaryId, summaryText } from './distil.ts';
export { prunedAfterMs, whyFaded } from './fade.ts';
export { type MergePlan, mergePlan } from './merge.ts';
export { type Question, readQuestion } from './question.ts';
export { type Candidate, placesBeside, rank } from './rank.ts';
export { type Corpus, makeScale, type Scale } from './score.ts';
export { beginningsWanted, type KnownTerm, respelled } from './spelling.ts';
export { termsOf } from './terms.ts';
