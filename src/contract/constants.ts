/* Bounds and names without the schemas that use them: what only needs these need not build those. */

/** Version of the entry format. A reader refuses a newer one and keeps the file as it is. */
export const entryVersion = 1;

/** Longest text, in characters, of a fact inside an entry. A longer text keeps its beginning here and is stored whole as a body. */
export const factCharsMax = 16_384;

/** Largest config file that is read, in bytes. */
export const configFileBytesMax = 262_144;

/** How many context windows an autonomous run may use. */
export const autonomousCyclesMin = 1;
export const autonomousCyclesMax = 100;
export const autonomousCyclesDefault = 10;

/** Longest summary of a cycle, in characters: the next cycle's first input contains all of it. */
export const summaryCharsMax = 8_192;
/** Longest recalled memory and longest excerpt of the task queue in an input, in characters. */
export const recalledCharsMax = 4_000;
export const queueCharsMax = 6_000;
/** What a summariser is shown of one cycle: number of facts, and their length each and in total, in characters. */
export const cycleFactsMax = 600;
export const cycleFactCharsMax = 2_000;
export const cycleFactsCharsMax = 200_000;
/** Memories one cycle may leave behind. */
export const cycleMemoriesMax = 200;

/** Most tasks of one run, and how many characters all of them may hold together. */
export const tasksMax = 10_000;
export const tasksCharsMax = 1_000_000;
/** Longest text of one task and of one note on it, in characters, and how many notes a task keeps. */
export const taskCharsMax = 2_000;
export const taskNoteCharsMax = 1_000;
export const taskNotesMax = 5;
/** Longest note in working memory, in characters. Anything longer belongs in a file that the note names. */
export const workingNoteCharsMax = 2_000;

/** Longest text of one memory, in characters. Anything longer belongs in a file that the memory names. */
export const memoryCharsMax = 100_000;
/** Longest name of a scope, an id, a source or a reason, in characters. */
export const memoryNameCharsMax = 500;
/** How many memories a cycle begins with, and how many tokens they may take together. */
export const memoriesMax = 25;
export const memoryTokensMax = 4_000;
/** Most results one question may ask for. */
export const memoryLimitMax = 1_000;

/** Open tasks that a certificate names. */
export const openTasksMax = 20;

/** An action, shortened to its beginning. */
export const actionCharsMax = 500;
/** How much a question keeps of the guard's findings and of the options offered. */
export const gateListMax = 20;

/** Denied actions listed in one input. */
export const deniedMax = 10;

/** The name of our MCP server. */
export const toolServerName = 'tireless';
/** A question asked through our tools: the tool reads the answer in the ledger, no session is answered. */
export const toolRequestPrefix = 'tool:';
/** How requests begin that hooks and plugins make through the agent's socket. */
export const hookRequestPrefix = 'hook:';
