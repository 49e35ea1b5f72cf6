import type { Alteration } from '../../../contract/index.ts';
import type { LineRule } from '../count-lines.ts';
import type { Finding, FolderFacts } from '../detect-facts.ts';

/** What part of the proof itself a change touches. */
export type SuitePart = Exclude<Alteration['part'], 'counts'>;

/** A file that mixes what is built with how it is tested: only the second part counts. */
export interface Manifest {
  readonly file: RegExp;
  /** What in it says how tests run. Without this, and where it cannot be read, the whole text. */
  readonly testing?: (text: string) => string;
  /** The commands in it that run tests. */
  readonly commands?: (text: string) => readonly string[];
}

/** All that is known about how projects of one kind are tested. Every part may be absent. */
export interface Ecosystem {
  readonly name: string;
  /** The checks a workspace asks for; `found` is what the ecosystems before this one found. */
  readonly detect?: (facts: FolderFacts, found: readonly Finding[]) => readonly Finding[];
  /** Names of the files whose text detection reads. */
  readonly reads?: readonly string[];
  /** Paths detection asks for even inside folders that are never looked into. */
  readonly looksFor?: readonly string[];
  /** Folders that are never looked into: installed or built. */
  readonly skips?: readonly string[];
  /** A recipe that runs these tests, so that `make test` would only run them again. */
  readonly recipe?: RegExp;
  /** The lines by which its runners sum up. */
  readonly counts?: readonly LineRule[];
  /** The files that belong to the proof. */
  readonly suite?: { readonly [Part in SuitePart]?: RegExp };
  readonly manifests?: readonly Manifest[];
  /** Variables its programs need: where they and their data lie, never a key. */
  readonly environment?: readonly string[];
}
