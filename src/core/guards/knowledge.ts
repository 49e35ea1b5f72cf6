import type { GuardEffectKind } from '../../contract/guard.ts';
import type { Call, World } from './call.ts';
import type { Flow } from './shell/state.ts';

export interface GivenOption {
  /** With its dashes, abbreviations completed: `-o`, `--output`. */
  name: string;
  value: string | undefined;
}

/** The arguments of a call, told apart. */
export interface Arguments {
  options: readonly GivenOption[];
  operands: readonly string[];
  has: (...names: string[]) => boolean;
  value: (...names: string[]) => string | undefined;
  values: (...names: string[]) => string[];
}

/** What an argument is to its program. */
export type Role =
  /** Data: patterns, numbers, messages. Never judged. */
  | 'text'
  /** Data of a program that has nothing to do with files: a path here is a way to read one. */
  | 'word'
  /** A path whose content is read. */
  | 'read'
  /** A folder whose content is read, with everything below it. */
  | 'tree'
  /** A path that is only looked at: names, sizes, dates. */
  | 'look'
  /** A file shown by an option that is not there for showing files. */
  | 'odd'
  | 'write'
  /** A file read and changed in place. */
  | 'edit'
  | 'delete'
  | 'delete-tree'
  /** Code that is loaded or run: fine inside the workspace. */
  | 'load'
  /** A shell command line. */
  | 'shell'
  /** A command line that a program runs although it is there for something else. */
  | 'escape'
  /** One program that will be run. */
  | 'program'
  /** A web address or host that is read from. */
  | 'fetch'
  /** A database statement. */
  | 'sql'
  /** The name of a script or target of the project. */
  | 'task'
  /** `name=value`, where some names are programs. */
  | 'setting'
  | `is:${GuardEffectKind}`;

/** What is known of a program or one of its subcommands: data wherever possible. */
export interface Knowledge {
  /** Effects of every call. */
  is?: GuardEffectKind | readonly GuardEffectKind[];
  /** What the operands are, by position; the last one repeats. */
  takes?: Role | readonly Role[];
  /** What the last of two or more operands is. */
  last?: Role;
  /** Options with a value: names separated by blanks → what the value is. */
  options?: Record<string, Role>;
  /** Options without a value that change what the call is. */
  flags?: Record<string, `is:${GuardEffectKind}` | 'text'>;
  /** Only these other options are known to be harmless; any other is a question. */
  only?: string;
  /** Long options with one dash, as in `find`, `java`, `terraform`. */
  oneDash?: boolean;
  /** Options that make the call tell what it would do. */
  dry?: string;
  /** Without operands it waits for a person or for input. */
  bare?: GuardEffectKind;
  /** Subcommands; `a b` for two words. */
  subs?: Record<string, Knowledge | Role>;
  /** What any other subcommand is; absent: unknown. */
  otherwise?: Knowledge | Role;
  /** The operands after the first `wraps` are a command of its own. */
  wraps?: number;
  /** It reads its own words, in `also` or `prints`; the tables are not asked. */
  own?: boolean;
  /** Options end at the first operand. */
  stops?: boolean;
  /** What cannot be said by a table. Runs after it. */
  also?: (args: Arguments, call: Call, world: World) => void;
  /** What it prints, where that is worth following. */
  prints?: (args: Arguments, call: Call, world: World) => Flow;
}

export type Family = Record<string, Knowledge | Role>;
