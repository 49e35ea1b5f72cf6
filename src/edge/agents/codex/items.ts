import type { AgentEvent } from '../../../contract/index.ts';
import { changeLabel } from './approvals.ts';
import type { Item } from './native.ts';

type ItemEnded = Extract<AgentEvent, { type: 'item-ended' }>;
type Kind = ItemEnded['kind'];

const labelCharsMax = 1_000;
const idCharsMax = 300;

const kindByType: Readonly<Record<string, Kind>> = {
  agentMessage: 'message',
  commandExecution: 'command',
  fileChange: 'edit',
  reasoning: 'reasoning',
  userMessage: 'person',
  mcpToolCall: 'tool',
  dynamicToolCall: 'tool',
  collabAgentToolCall: 'tool',
  functionCallOutput: 'tool',
  webSearch: 'tool',
  imageView: 'tool',
  imageGeneration: 'tool',
  sleep: 'tool',
  plan: 'other',
  hookPrompt: 'other',
  exitedReviewMode: 'other',
  subAgentActivity: 'other',
};

export const isKnownItem = (type: string) => Object.hasOwn(kindByType, type);

/** One finished item; its whole text is the body. */
export function itemEnded(session: string, turn: string, item: Item): { event: ItemEnded; body: string } {
  const kind = (isKnownItem(item.type) && kindByType[item.type]) || 'other';
  const event: ItemEnded = {
    type: 'item-ended',
    session,
    turn,
    item: item.id.slice(0, idCharsMax),
    kind,
    outcome: outcomeOf(item),
    label: labelOf(item).slice(0, labelCharsMax),
    exitCode: item.type === 'commandExecution' ? wholeOrNull(item.exitCode) : undefined,
  };
  return { event, body: JSON.stringify(item) };
}

const wholeOrNull = (value: number | null | undefined) =>
  Number.isSafeInteger(value) ? (value as number) : null;

function outcomeOf(item: Item): ItemEnded['outcome'] {
  if (item.success === false) return 'failed';
  switch (item.status) {
    case undefined:
    case null:
      // Messages, reasoning and marks have no status: they are always complete.
      return isKnownItem(item.type) ? 'ok' : 'unknown';
    case 'completed':
      return 'ok';
    case 'failed':
      return 'failed';
    case 'declined':
      return 'declined';
    default:
      return 'unknown';
  }
}

function labelOf(item: Item): string {
  switch (item.type) {
    case 'commandExecution':
      return item.command ?? '';
    case 'fileChange':
      return (item.changes ?? []).map(changeLabel).join(', ');
    case 'agentMessage':
    case 'plan':
      return item.text ?? '';
    case 'reasoning':
      return (item.summary ?? []).join('\n');
    case 'userMessage':
      return personsText(item);
    case 'exitedReviewMode':
      return `review: ${item.review ?? ''}`;
    default: {
      if (!item.tool) return item.type;
      const tool = item.server ? `${item.server}/${item.tool}` : item.tool;
      const asked = item.prompt ?? (item.arguments == null ? '' : JSON.stringify(item.arguments));
      return asked === '' ? tool : `${tool} ${asked}`;
    }
  }
}

function personsText(item: Item): string {
  const texts = (item.content ?? []).map((part) => (part as { text?: unknown } | null)?.text);
  return texts.filter((text) => typeof text === 'string').join('\n');
}
