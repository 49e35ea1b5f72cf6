/**
 * What a command or tool gave back, out of the raw text that an adapter kept of it. Agents that speak JSON put it into
 * one of a few places; text that is no JSON is the output itself.
 */
export function outputOf(raw: string): string {
  if (!raw.startsWith('{')) return raw;
  let item: unknown;
  try {
    item = JSON.parse(raw);
  } catch {
    return raw; // output that only begins like an object
  }
  return textIn(item) ?? '';
}

const places = [
  'aggregatedOutput',
  'output',
  'stdout',
  'result',
  'error',
  'contentItems',
  'content',
  'text',
  'message',
];

/** The first text in the usual places, in their order. */
function textIn(value: unknown): string | null {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) {
    const texts = value.map(textIn).filter((text) => text !== null);
    return texts.length === 0 ? null : texts.join('\n');
  }
  if (typeof value !== 'object' || value === null) return null;
  for (const place of places) {
    const text = textIn((value as Record<string, unknown>)[place]);
    if (text !== null) return text;
  }
  return null;
}
