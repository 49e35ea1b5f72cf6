import type { Agent } from '../../contract/index.ts';
import type { Env } from '../home.ts';
import type { Model } from '../models/model.ts';
import type { Line } from './shared/bounded-lines.ts';
import type { ToolServer } from './shared/tool-server.ts';

/** How an agent is started, as recorded with its run: the keeper of a later day starts the same one. */
export type Setup = Readonly<Record<string, string>>;

/** A list in a setup, which holds only text. */
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

/** What an agent needs to answer as a decision model beside a run. */
export interface ModelSite {
  readonly env: Env;
  /** Its process carries the run's mark, so that recovery ends an orphan. */
  readonly run: string;
  /** Must have noted the process before it is used. */
  readonly childStarted: (pid: number) => Promise<void>;
  /** The run's own where this agent works it, else empty. */
  readonly setup: Setup;
}

/** One thing the doctor looked at. */
export interface Finding {
  readonly what: string;
  readonly state: 'ok' | 'note' | 'wrong';
  readonly says: string;
  readonly fix?: string;
}

/** All that the rest of the program knows about an agent. Its methods load their code when they are called. */
export interface AgentKind {
  readonly name: string;
  /** The program people have installed, or null when the agent needs none. */
  readonly program: string | null;
  readonly install: string;
  /** Variables by which its program finds its own settings; whoever starts us without a shell passes them on. */
  readonly environment: readonly string[];
  make(setup: Setup, site: AgentSite): Promise<Agent>;
  /** The agent as it is on this machine. */
  doctor(site: Pick<AgentSite, 'env' | 'cwd'>): Promise<readonly Finding[]>;
  /** Reads a log of the agent's own messages, line by line. */
  translateLog?(): Promise<(line: Line) => object>;
  /** The agent as a decision model. */
  model?(written: string, site: ModelSite): Promise<Model>;
}
