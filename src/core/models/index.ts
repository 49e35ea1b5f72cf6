export { adviceOf } from './advice-of.ts';
export { type Answers, answersOf, keptForPeople } from './answers.ts';
export { adviceFactsOf } from './facts.ts';
export { type Reading, readAnswer } from './read.ts';
export {
  CompletionClaimSignature,
  FullAutoDecisionSignature,
  signature,
  ToolInputSignature,
} from './signatures.ts';
