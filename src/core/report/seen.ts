import type { Entry } from '../../contract/index.ts';
import type { Run } from '../run.ts';

/** One entry with the run before and after it. */
export interface Seen {
  readonly before: Run | null;
  readonly run: Run;
  readonly entry: Entry;
}

/** Watches the entries go by and keeps what one part of the report needs. */
export interface Watch<T> {
  see(seen: Seen): void;
  end(): T;
}
