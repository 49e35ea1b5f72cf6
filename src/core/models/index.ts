export { adviceOf } from './advice-of.ts';
export { type Answers, answersOf, keptForPeople } from './answers.ts';
export { CycleSummarySignature, cycleSummaryInputOf, wentWell } from './cycle-summary.ts';
export { adviceFactsOf, toolAskedOf } from './facts.ts';
export { type Reading, readAnswer } from './read.ts';
export {
  CompletionClaimSignature,
  FullAutoDecisionSignature,
  signature,
  ToolInputSignature,
} from './signatures.ts';
