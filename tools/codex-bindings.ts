/**
 * Writes src/edge/agents/codex/bindings/wire.ts from the pinned Codex itself: `node tools/codex-bindings.ts`. Of the many
 * types it can generate only those we name, and what they need, are kept.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { agentCommand, agents } from './agents.ts';

export const bindingsPath = resolve(import.meta.dirname, '../src/edge/agents/codex/bindings/wire.ts');

/** What we read of the wire, and what we write to it. */
const named = [
  ...'TurnStartedNotification TurnCompletedNotification ItemStartedNotification ItemCompletedNotification'.split(
    ' ',
  ),
  ...'FileChangePatchUpdatedNotification AgentMessageDeltaNotification'.split(' '),
  ...'CommandExecutionOutputDeltaNotification ReasoningTextDeltaNotification'.split(' '),
  ...'ReasoningSummaryTextDeltaNotification TurnPlanUpdatedNotification'.split(' '),
  ...'ThreadTokenUsageUpdatedNotification ErrorNotification AccountRateLimitsUpdatedNotification'.split(' '),
  ...'ServerRequestResolvedNotification McpServerStatusUpdatedNotification'.split(' '),
  'ThreadSettingsUpdatedNotification',
  ...'CommandExecutionRequestApprovalParams CommandExecutionRequestApprovalResponse'.split(' '),
  ...'FileChangeRequestApprovalParams FileChangeRequestApprovalResponse'.split(' '),
  ...'PermissionsRequestApprovalParams PermissionsRequestApprovalResponse'.split(' '),
  ...'ToolRequestUserInputParams ToolRequestUserInputResponse'.split(' '),
  ...'McpServerElicitationRequestParams McpServerElicitationRequestResponse'.split(' '),
  ...'DynamicToolCallParams DynamicToolCallResponse'.split(' '),
  ...'TurnStartParams TurnStartResponse TurnSteerParams TurnInterruptParams'.split(' '),
  ...'ReviewStartParams ReviewStartResponse ThreadForkParams ThreadCompactStartParams'.split(' '),
  ...'ThreadStartParams ThreadStartResponse ThreadResumeParams ThreadTurnsListParams'.split(' '),
  ...'ThreadTurnsListResponse GetAccountRateLimitsResponse'.split(' '),
];

interface Source {
  readonly name: string;
  readonly file: string;
  readonly text: string;
  readonly imports: readonly string[];
}

/** One generated file: its type without comments, and the files it imports. */
function sourceAt(file: string): Source {
  const text = readFileSync(file, 'utf8')
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/^\s*\/\/.*$/gm, '');
  const imports = [...text.matchAll(/^import type \{[^}]*\} from "([^"]+)";$/gm)].map(([, path = '']) =>
    join(dirname(file), `${path}.ts`),
  );
  const body = text
    .replaceAll(/^import .*$/gm, '')
    .replaceAll(/\n\s*\n+/g, '\n')
    .trim();
  const [, name = ''] = /^export type (\w+)/m.exec(body) ?? [];
  return { name, file, text: body, imports };
}

function closure(roots: readonly string[]): readonly Source[] {
  const found = new Map<string, Source>();
  const visit = (file: string): void => {
    if (found.has(file)) return;
    const source = sourceAt(file);
    found.set(file, source);
    for (const next of source.imports) visit(next);
  };
  for (const root of roots) visit(root);
  return apart([...found.values()]);
}

/** Two types of one name in different folders: the one outside `v2` is called after its folder too. */
function apart(all: readonly Source[]): readonly Source[] {
  const isTwice = ({ name, file }: Source): boolean =>
    !file.includes('/v2/') && all.some((other) => other.name === name && other.file !== file);
  const renamed = new Map(all.filter(isTwice).map(({ file, name }) => [file, name]));
  const written = all.map((source) => {
    let { text } = source;
    for (const file of [source.file, ...source.imports]) {
      const name = renamed.get(file);
      if (name !== undefined) text = text.replaceAll(new RegExp(`\\b${name}\\b`, 'g'), `Core${name}`);
    }
    return { ...source, text, name: renamed.has(source.file) ? `Core${source.name}` : source.name };
  });
  return written.sort((one, other) => (one.name < other.name ? -1 : 1));
}

const quoted = (text: string): readonly string[] =>
  [...text.matchAll(/"method": "([^"]+)"/g)].map(([, one = '']) => one);

/** The file as it should be for the installed Codex. */
export function bindings(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tireless-bindings-'));
  try {
    const [program, ...args] = agentCommand('codex');
    const out = join(folder, 'ts');
    execFileSync(program, [...args, 'app-server', 'generate-ts', '--out', out, '--experimental'], {
      stdio: 'ignore',
    });
    const fileOf = (name: string): string => {
      const file = [join(out, 'v2', `${name}.ts`), join(out, `${name}.ts`)].find(existsSync);
      if (file === undefined) throw new Error(`this Codex has no type ${name}`);
      return file;
    };
    const list = (name: string, values: readonly string[]): string =>
      `export const ${name} = [\n${values.map((one) => `  '${one}',`).join('\n')}\n] as const;`;
    const textOf = (name: string): string => sourceAt(fileOf(name)).text;
    const words = [...textOf('CodexErrorInfo').matchAll(/\| ?"(\w+)"|= "(\w+)"|\{ "(\w+)":/g)].flatMap(
      (found) => found.slice(1).filter((one) => one !== undefined),
    );
    return [
      `// Generated by tools/codex-bindings.ts from Codex ${agents.codex.version} (Apache-2.0, OpenAI). Do not edit: run it again.`,
      '// Types of its app-server that this adapter names, and what they need. Comments were left out.',
      ...closure(named.map(fileOf)).map(({ text }) => text),
      list('serverNotificationMethods', quoted(textOf('ServerNotification'))),
      list('serverRequestMethods', quoted(textOf('ServerRequest'))),
      list('codexErrorWords', words),
      '',
    ].join('\n');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) writeFileSync(bindingsPath, bindings());
