/** Keys under which agents keep what a command or tool gave back. */
const given = /output|stdout|stderr|result|error|message|content|text/i;

/**
 * What a tool printed, out of the body of its item. An adapter keeps the agent's own record there, usually JSON: then
 * it is the texts in it that came back, not their wrapping. What is no record is the text itself.
 */
export function printedIn(body: string): string {
  let record: unknown;
  try {
    record = JSON.parse(body);
  } catch {
    return body.trim(); // a plain text
  }
  if (typeof record !== 'object' || record === null) return body.trim();
  return textsIn(record, Array.isArray(record)).join('\n').trim();
}

function textsIn(value: unknown, isGiven: boolean): string[] {
  if (typeof value === 'string') return isGiven ? [value] : [];
  if (Array.isArray(value)) return value.flatMap((one) => textsIn(one, isGiven));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) => textsIn(one, given.test(key)));
}
