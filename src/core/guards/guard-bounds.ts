/** Longest command the guard reads; anything longer is a question for a person. */
export const commandCharsMax = 16_384;
/** Deepest nesting of scripts inside scripts (`sh -c`, substitutions, functions, aliases). */
export const scriptDepthMax = 12;
/** Simple commands judged for one action; more is a question for a person. */
export const callsMax = 2_000;
/** Different argument lists one simple command may have when variables have several possible values. */
export const variantsMax = 24;
/** Possible values kept for one variable; beyond that it is unknown. */
export const alternativesMax = 24;
/** Words one brace expansion may give. */
export const braceWordsMax = 128;
/** Longest value of a variable or a pipe's text that is followed. */
export const valueCharsMax = 16_384;
/** Times a loop body is read, so that what its first pass assigned is seen by the next. */
export const loopPassesMax = 2;
/** Longest line shown in an explanation. */
export const shownCharsMax = 160;
/** Effects listed in one judgement. */
export const effectsShownMax = 50;
/** Longest regular expression of a user rule, and the text it is matched against. */
export const patternCharsMax = 300;
export const patternTextCharsMax = 4_096;
/** Unknown wrappers inside unknown wrappers whose words are still tried as commands. */
export const apartDepthMax = 3;
/** Commands judged while words of an unknown wrapper are tried. */
export const apartCallsMax = 60;
