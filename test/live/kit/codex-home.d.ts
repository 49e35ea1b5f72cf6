/** How to start the pinned Codex of the cache, or undefined when `npm run agents:install codex` was not run. */
export declare function installedCodex(): [string, ...string[]] | undefined;
export interface CodexHomeOptions {
    /** Where the scripted model listens, ending in `/v1`. */
    readonly modelUrl: string;
    readonly sandbox?: 'read-only' | 'workspace-write' | 'danger-full-access';
    readonly features?: Readonly<Record<string, boolean>>;
    readonly streamRetries?: number;
    /** Extra top-level lines of config.toml. */
    readonly top?: string;
    readonly contextWindow?: number;
}
export interface CodexHome {
    /** A fresh, empty folder the agent works in. */
    readonly workspace: string;
    /** Everything the agent's process may see of the environment. */
    readonly env: Readonly<Record<string, string>>;
    readonly folder: string;
    remove(): void;
}
/**
 * A home folder of its own for one Codex, so that nothing of the person's is read or written: configuration that
 * knows only the scripted model and looks nothing up, a dummy key, a temporary folder beside it (Codex refuses to
 * put its own programs under the temporary folder).
 */
export declare function codexHome(options: CodexHomeOptions): CodexHome;
