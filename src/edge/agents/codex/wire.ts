import type { AgentListener } from '../../../contract/index.ts';
import type { Connection } from './connection.ts';
import type { CodexWaits } from './options.ts';
import type { CodexState } from './state.ts';

/** A running app-server and what we know of it. */
export interface Wire {
  readonly connection: Connection;
  readonly waits: CodexWaits;
  state(): CodexState;
  /** Resolves when the state satisfies `holds`; false when it did not within `withinMs`. */
  until(holds: (state: CodexState) => boolean, withinMs: number): Promise<boolean>;
  onEvent: AgentListener['onEvent'];
}
