// An import would load all of it, which takes as long as the rest of `status`.
const { stripVTControlCharacters } = process.getBuiltinModule('node:util');

/** Characters that steer a terminal, hide text or turn its direction around. Line ends and tabs may stay. */
const controls =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/**
 * Text somebody else wrote, made safe to show: what an agent says must not move the cursor, hide a word or look like
 * another. Line ends are kept; what was removed in the middle of a text leaves a mark where it could matter.
 */
export function clean(text: string): string {
  return stripVTControlCharacters(text)
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(controls, '\ufffd')
    .toWellFormed();
}

/** The same in one line. */
export const cleanLine = (text: string): string => clean(text).replaceAll(/\s+/g, ' ').trim();
