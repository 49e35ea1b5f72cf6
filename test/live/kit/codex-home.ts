import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { agentCommand, agentFolder } from '../../../tools/agents.ts';

/** How to start the pinned Codex of the cache, or undefined when `npm run agents:install codex` was not run. */
export function installedCodex(): [string, ...string[]] | undefined {
  const command = agentCommand('codex');
  return existsSync(command.at(-1) ?? '') && existsSync(agentFolder('codex')) ? command : undefined;
}

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
export function codexHome(options: CodexHomeOptions): CodexHome {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tireless-codex-')));
  const place = (name: string) => {
    const path = join(folder, name);
    mkdirSync(path, { recursive: true });
    return path;
  };
  const home = place('home');
  const codexFolder = place('home/.codex');
  const workspace = place('workspace');
  const catalog = join(folder, 'catalog.json');
  writeFileSync(catalog, JSON.stringify({ models: [scriptedModel(options.contextWindow ?? 100_000)] }));
  writeFileSync(join(codexFolder, 'config.toml'), configToml(options, catalog));
  return {
    folder,
    workspace,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: home,
      CODEX_HOME: codexFolder,
      TMPDIR: place('tmp'),
      SCRIPTED_API_KEY: 'dummy',
    },
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}

function configToml(options: CodexHomeOptions, catalog: string): string {
  const features = { plugins: false, apps: false, ...options.features };
  return `model = "scripted"
model_provider = "scripted"
approval_policy = "on-request"
sandbox_mode = "${options.sandbox ?? 'danger-full-access'}"
model_catalog_json = ${JSON.stringify(catalog)}
check_for_update_on_startup = false
web_search = "disabled"
${options.top ?? ''}

[analytics]
enabled = false

[feedback]
enabled = false

[history]
persistence = "none"

[otel]
exporter = "none"
trace_exporter = "none"
metrics_exporter = "none"

[features]
${Object.entries(features)
  .map(([name, on]) => `${name} = ${on}`)
  .join('\n')}

[model_providers.scripted]
name = "scripted"
base_url = "${options.modelUrl}"
wire_api = "responses"
env_key = "SCRIPTED_API_KEY"
request_max_retries = 0
stream_max_retries = ${options.streamRetries ?? 0}
supports_websockets = false
`;
}

/** The fewest fields Codex accepts for a model, with the tools our scripts call. */
function scriptedModel(contextWindow: number) {
  return {
    slug: 'scripted',
    display_name: 'Scripted',
    supported_reasoning_levels: [{ effort: 'medium', description: 'as scripted' }],
    shell_type: 'unified_exec',
    visibility: 'list',
    supported_in_api: true,
    priority: 1,
    support_verbosity: true,
    truncation_policy: { mode: 'tokens', limit: 10_000 },
    experimental_supported_tools: [],
    base_instructions: 'You do what the script says.',
    apply_patch_tool_type: 'freeform',
    context_window: contextWindow,
  };
}
