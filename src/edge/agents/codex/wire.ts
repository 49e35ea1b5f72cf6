import type { AgentListener } from '../../../contract/index.ts';
import type { Connection } from './connection.ts';
import type { CodexWaits } from './options.ts';
import type { CodexState } from './state.ts';

/** A running app-server and our state of it. */
export interface Wire {
  readonly connection: Connection;
  readonly waits: CodexWaits;
  state(): CodexState;
  /** Resolves when the state satisfies `holds`; false on a timeout of `withinMs`. */
  until(holds: (state: CodexState) => boolean, withinMs: number): Promise<boolean>;
  onEvent: AgentListener['onEvent'];
}
