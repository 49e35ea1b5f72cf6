/** The bounds of everything the workspace does; names end in their unit. */
export const bounds = {
  /** A file over this is known by size and time only. */
  hashedBytesMax: 50_000_000,
  /** One reading of the tree; beyond it the tree is `unknown`, and what was hashed so far is kept for the next. */
  treeMs: 60_000,
  /** A diff, a savepoint, a restore. */
  gitMs: 60_000,
  /** Tidying the private store repacks it. */
  tidyMs: 600_000,
  /** What nothing refers to any more and nobody has touched for so long is removed by tidying. */
  leftoverMs: 7_200_000,
  gitOutputBytesMax: 512 * 1024 * 1024,
  gitErrorCharsMax: 4_000,
  /** Paths handed to one git process; the index is on disk after each. */
  batchPathsMax: 5_000,
  /** From this many changes on new files go into one pack instead of a file each, and the index is written whole. */
  packPathsMin: 200,
  /** Repositories inside the workspace, and how deep inside each other. */
  nestedReposMax: 500,
  nestedDeepMax: 5,
  diffPathsMax: 10_000,
  diffCharsMax: 1_000_000,
  restoredPathsMax: 200_000,

  /** Between asking a check's processes to end and ending them. */
  checkTermMs: 300,
  /** How long the output may go on after a check has ended before what still holds it is ended. */
  checkDrainMs: 150,
  /** Longest time spent ending what a check left behind. */
  checkKillMs: 700,
  /** How often the processes of a running check are noted, so that none is forgotten when its parent ends. */
  checkWatchMs: 1_000,
  /** What a result keeps of the output, in characters: beginning and end. */
  outputHeadChars: 3_000,
  outputTailChars: 13_000,
  outputLineChars: 4_000,

  /** Detection: how much of the workspace is looked at. */
  factsDeepMax: 5,
  factsEntriesMax: 20_000,
  manifestBytesMax: 1_000_000,
  coverageBytesMax: 64 * 1024 * 1024,
} as const;
