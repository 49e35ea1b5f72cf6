/** How an agent starts the server of our tools: for its session only, never in the person's settings. */
export interface ToolServer {
  readonly command: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
  /** The longest a call may take: it may wait for a person or for checks. */
  readonly callMs: number;
}
