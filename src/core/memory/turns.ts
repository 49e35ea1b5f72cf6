const turn =
  /^(?:\[[^\]]{0,60}\]\s*)?(?:\p{Lu}[\p{L}.'’-]*(?: \p{Lu}[\p{L}.'’-]*){0,2}|user|assistant|human):\s/u;

/** A line of a conversation: `Name: words`. */
export const isTurn = (text: string): boolean => turn.test(text);
