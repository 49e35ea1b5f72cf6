import type { Agent } from '../../contract/index.ts';
import type { Env } from '../home.ts';
import type { Model } from '../models/model.ts';
import type { Line } from './shared/bounded-lines.ts';
import type { ToolServer } from './shared/tool-server.ts';

/** How an agent is started, as recorded with its run, so that a later keeper starts the same one. */
export type Setup = Readonly<Record<string, string>>;

/** A list in a setup, which has only strings. */
export const listOf = (json: string | undefined): string[] =>
  json === undefined ? [] : (JSON.parse(json) as string[]);

/** Where an agent works. */
export interface AgentSite {
  readonly run: string;
  readonly cwd: string;
  readonly env: Env;
  /** The server of the run's own tools, if it has one. */
  readonly tools?: ToolServer;
}

/** What an agent needs to act as a decision model for a run. */
export interface ModelSite {
  readonly env: Env;
  /** Its process has the run's mark, so that recovery ends an orphan. */
  readonly run: string;
  /** Must be awaited before the process is used. */
  readonly childStarted: (pid: number) => Promise<void>;
  /** The run's own setup if this agent works on it, else empty. */
  readonly setup: Setup;
}

/** One finding of `tireless doctor`. */
export interface Finding {
  readonly what: string;
  readonly state: 'ok' | 'note' | 'wrong';
  readonly says: string;
  readonly fix?: string;
}

/** Everything the rest of the program knows about an agent. Its methods load their code when they are called. */
export interface AgentKind {
  readonly name: string;
  /** The program that must be installed, or null if none. */
  readonly program: string | null;
  readonly install: string;
  /** Variables by which its program finds its settings; a service without a shell must pass them on. */
  readonly environment: readonly string[];
  make(setup: Setup, site: AgentSite): Promise<Agent>;
  /** The state of the agent on this machine. */
  doctor(site: Pick<AgentSite, 'env' | 'cwd'>): Promise<readonly Finding[]>;
  /** Reads a log of the agent's own messages, line by line. */
  translateLog?(): Promise<(line: Line) => object>;
  /** The agent as a decision model. */
  model?(written: string, site: ModelSite): Promise<Model>;
}
