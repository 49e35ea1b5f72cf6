/** The closing line the mission packet asks for. */
export const closingLine = 'TIRELESS: MISSION COMPLETE';

/**
 * A claim is the exact closing line alone on the last line of the last message, outside quotes and code.
 * `> TIRELESS: MISSION COMPLETE`, the line inside a code fence, or followed by anything else is not one.
 */
export function claimsCompletion(message: string): boolean {
  const lines = message.trimEnd().split('\n');
  if (lines.at(-1)?.trimEnd() !== closingLine) return false;
  return !insideFence(lines);
}

/** True when the last line stands inside a code fence that is still open. */
function insideFence(lines: readonly string[]): boolean {
  let open: string | null = null;
  for (const line of lines.slice(0, -1)) {
    const fence = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === undefined) continue;
    if (open === null) open = fence;
    else if (fence[0] === open[0] && fence.length >= open.length) open = null;
  }
  return open !== null;
}
