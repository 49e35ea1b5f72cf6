import type { DeniedAction, Input, InputPart, Text } from '../../contract/index.ts';
import { closingLine } from '../completion/claims.ts';
import { cleanLine } from '../fold/review.ts';
import { unreachable } from '../must.ts';
import { closingText, cycleText, wrapUpText } from './cycle-prompt.ts';

/** Returns a text in full: facts are cut at 16 KB, bodies are not. */
export type FullText = (text: Text) => string;

/** Renders an input to the prompt the agent reads. Mission first, verbatim; the rest below it. */
export function renderInput(input: Input, mission: Text, full: FullText = (t) => t.text): string {
  return `${input.parts.map((part) => renderPart(part, mission, full)).join('\n\n')}\n`;
}

function renderPart(part: InputPart, mission: Text, full: FullText): string {
  switch (part.part) {
    case 'mission':
      return `## Mission\n\n${full(mission)}\n\n${howToFinish}`;
    case 'steer':
      return `## New directions from the person\n\n${part.texts.map(full).join('\n\n')}`;
    case 'evidence':
      return evidenceText(part);
    case 'nudge':
      return `## Nothing has changed for ${part.turns} turns\n\nNo change was seen in: ${part.unchanged.join(', ')}. Say what is in the way, then do the next step that leaves a result, or report that you are blocked and on what.`;
    case 'denied':
      return `## Not allowed\n\nThese actions of yours were denied. Do not try them again in another form; find another way, or say that you are blocked on them.\n\n${part.actions.map(deniedText).join('\n\n')}`;
    case 'ask-status':
      return '## Where you stand\n\nYour last turn ended without saying whether the mission is complete. Go on with what is open. If nothing is, say so as described under Mission.';
    case 'review':
      return part.of === undefined ? `${reviewText}.` : `${reviewText}, ${howToReview}`;
    case 'findings':
      return `## What a review found\n\n${full(part.text)}\n\nFix each of these, or say why it does not apply.`;
    case 'recovery':
      return '## After an interruption\n\nYour last instruction may have been interrupted half way. Look at the state of the work first, then go on from there; do not repeat what is already done.';
    case 'background':
      return `## Still running\n\nWork you started earlier has not ended:\n${part.tasks.map((task) => `- ${task}`).join('\n')}\n\nCheck on it, and stop what is no longer needed.`;
    case 'advised':
      return `## Suggested next step\n\n${full(part.text)}`;
    case 'cycle':
      return cycleText(part);
    case 'wrap-up':
      return wrapUpText(part);
    case 'closing':
      return closingText(part);
    default:
      return unreachable(part);
  }
}

const reviewText =
  '## Review\n\nDo not change anything in this turn. Review what was done so far against the mission: name what is missing, wrong or untested, most important first';
const howToReview = `each on a line that begins with "- [P1]", "- [P2]" or "- [P3]", by severity. If there is nothing to fix, say so and end with this line, alone:\n${cleanLine}`;

/** Instructions for the agent's own review: it does not see the conversation, so they include the mission. */
export const renderReview = (mission: Text, full: FullText = (t) => t.text): string =>
  `Review all that was changed in this repository for the mission below, committed or not, against what the mission asks: what is missing, wrong or untested. Change nothing. If there is nothing to fix, end the overall explanation with this line, alone:\n${cleanLine}\n\n## Mission\n\n${full(mission)}\n`;

function evidenceText({
  check,
  command,
  exitCode,
  tail,
  because,
}: Extract<InputPart, { part: 'evidence' }>): string {
  const why = because === undefined ? '' : ` ${because}.`;
  const output = tail.text === '' ? '' : ` The end of its output:\n\n${fenced(tail.text)}`;
  return `## Not finished yet: ${check} does not pass\n\nWe ran \`${command}\` ourselves; it ended with exit code ${exitCode ?? 'none'}.${why}${output}`;
}

const howToFinish = `When everything the mission asks for is done and its tests pass, end your message with this line, alone, as the last one:\n${closingLine}\nWe then run the checks ourselves. Never write that line while anything is open.`;

const deniedText = ({ rendered, because }: DeniedAction): string =>
  `${fenced(rendered)}\n\nBecause: ${because}`;

/** A fence longer than any in the text, so that output cannot close it. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map((m) => m[0].length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text.trimEnd()}\n${fence}`;
}
