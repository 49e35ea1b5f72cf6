import type { ToolServer } from '../shared/tool-server.ts';
import type { StartChild } from './server.ts';

/** Timeouts in ms. */
export interface CodexWaits {
  /** A healthy start took up to 1.4 s on a busy machine. */
  readonly openMs: number;
  readonly requestMs: number;
  /** One attempt to interrupt: a second one for the same turn may never be answered. */
  readonly interruptTryMs: number;
  readonly interruptTotalMs: number;
  /** Between terminating the processes and killing them. */
  readonly graceMs: number;
}

export const defaultWaits: CodexWaits = {
  openMs: 30_000,
  requestMs: 30_000,
  interruptTryMs: 3_000,
  interruptTotalMs: 25_000,
  graceMs: 2_000,
};

export interface CodexOptions {
  /** The run of this agent; its processes have it as TIRELESS_RUN. */
  readonly run: string;
  readonly cwd: string;
  /** The complete environment of the agent's process. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** How Codex is started; `app-server` is appended. Default: `codex` from PATH. */
  readonly command?: readonly [string, ...string[]];
  /** `untrusted` makes Codex ask before every command and every patch, so that the guard sees them. */
  readonly approvals?: 'untrusted' | 'on-request' | 'never';
  readonly sandbox?: 'read-only' | 'workspace-write' | 'danger-full-access';
  readonly model?: string;
  /** Version of the installed Codex, if known. */
  readonly version?: string;
  /** Our own version, which Codex shows in its user agent. */
  readonly hostVersion?: string;
  readonly waits?: Partial<CodexWaits>;
  /** The server of our own tools, if this run has one. */
  readonly tools?: ToolServer;
  /** How the process is started: a `codexServer`'s `start` shares one. Default: a process for each session. */
  readonly start?: StartChild;
}
