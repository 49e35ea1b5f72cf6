import type { ToolServer } from '../shared/tool-server.ts';
import type { StartChild } from './server.ts';

/** How long we wait for what, in ms. */
export interface CodexWaits {
  /** A healthy start took up to 1.4 s on a busy machine. */
  readonly openMs: number;
  readonly requestMs: number;
  /** One try to interrupt: a second one for the same turn may never be answered. */
  readonly interruptTryMs: number;
  readonly interruptTotalMs: number;
  /** Between asking the processes to end and ending them. */
  readonly graceMs: number;
}

export interface CodexOptions {
  /** The run this agent works for; its processes carry it as TIRELESS_RUN. */
  readonly run: string;
  readonly cwd: string;
  /** The environment of the agent's process, whole. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** How Codex is started, `app-server` is added. Default: `codex` from PATH. */
  readonly command?: readonly [string, ...string[]];
  /** `untrusted` makes Codex ask before every command and every patch, so that the guard sees them. */
  readonly approvals?: 'untrusted' | 'on-request' | 'never';
  readonly sandbox?: 'read-only' | 'workspace-write' | 'danger-full-access';
  readonly model?: string;
  /** Version of the installed Codex, when the caller asked it. */
  readonly version?: string;
  /** Our own version, which Codex shows in its user agent. */
  readonly hostVersion?: string;
  readonly waits?: Partial<CodexWaits>;
  /** The server of our own tools, if this run has one. */
  readonly tools?: ToolServer;
  /** How the process is started: a `codexServer`'s `start` shares one. Default: a process for each session. */
  readonly start?: StartChild;
}
