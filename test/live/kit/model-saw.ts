import type { ModelRequest, ScriptedModel } from '../../../src/testkit/models/responses.ts';

interface Body {
  readonly input?: readonly { role?: string; type?: string; content?: { text?: string }[] }[];
}

/** Everything the model was shown with its n-th request, or its last one. */
export const shown = (model: ScriptedModel, at = -1): string =>
  JSON.stringify(model.requests.at(at)?.body ?? null);

/** What the person's side said in the conversation, as the model was shown it with one request. */
const said = (request: ModelRequest | undefined): string[] =>
  ((request?.body as Body | undefined)?.input ?? [])
    .filter((item) => item.role === 'user')
    .map((item) => item.content?.map((part) => part.text ?? '').join('') ?? '');

/** The prompts of ours in the conversation, as the model was shown it with its last request. */
export const promptsOf = (model: ScriptedModel): string[] =>
  said(model.requests.at(-1)).filter((text) => text.includes('## '));

interface TurnFacts {
  readonly turn_id?: string;
  readonly request_kind?: string;
}

/** What Codex tells the model server about the turn a request belongs to. */
export function turnFacts(request: ModelRequest): TurnFacts {
  const told = request.headers['x-codex-turn-metadata'];
  return typeof told === 'string' ? (JSON.parse(told) as TurnFacts) : {};
}

/** The turns the model server has seen, in order; counted outside of our own books. */
export const turnsSeen = (model: ScriptedModel): string[] => [
  ...new Set(model.requests.map((request) => turnFacts(request).turn_id ?? 'unknown')),
];
