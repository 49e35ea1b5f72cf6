/** How an agent starts the server of our own tools: for its session alone, never in the person's settings. */
export interface ToolServer {
  readonly command: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
  /** The longest one call may take: a person answers, checks run. */
  readonly callMs: number;
}
