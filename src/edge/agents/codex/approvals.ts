import { createHash } from 'node:crypto';
import { isAbsolute, relative } from 'node:path';
import type { Action, AgentAnswer, Question } from '../../../contract/index.ts';
import type {
  CommandExecutionRequestApprovalResponse,
  FileChangeRequestApprovalResponse,
  McpServerElicitationRequestResponse,
  PermissionsRequestApprovalResponse,
  ToolRequestUserInputResponse,
} from './bindings/wire.ts';
import type { Change, ServerRequest } from './native.ts';
import type { OpenRequest } from './state.ts';

const pathsMax = 200;
const pathCharsMax = 4_096;
const questionsMax = 20;
const optionsMax = 50;

export const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** The same JSON for the same value, whatever the order of its keys. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

/**
 * The digest an approval is bound to. It covers what would happen and why Codex asks (a command requested again "without
 * sandbox" is another action), but no id and no time, so that the same request after a restart has the same digest.
 */
const digestOf = (raw: Record<string, unknown>) =>
  sha256(canonical(Object.fromEntries(Object.entries(raw).filter(([, value]) => value != null))));

const rendered = (...lines: (string | false | null | undefined)[]) => ({
  text: lines.filter(Boolean).join('\n'),
});
const json = (value: unknown) => JSON.stringify(value, null, 2);
const place = (cwd: string | null | undefined) => cwd?.slice(0, pathCharsMax) || undefined;

export function commandAction(asked: ServerRequest<'item/commandExecution/requestApproval'>): Action {
  const { command, cwd, reason, networkApprovalContext: network, additionalPermissions: permissions } = asked;
  const kind = asked.kind ?? 'command';
  const digest = digestOf({ kind, command, cwd, reason, network, permissions });
  if (network) {
    const where = `${typeof network.protocol === 'string' ? `${network.protocol}://` : ''}${network.host}`;
    return { kind: 'network', rendered: rendered(where, command), digest, cwd: place(cwd) };
  }
  if (permissions != null) {
    return { kind: 'permission', rendered: rendered(command, json(permissions)), digest, cwd: place(cwd) };
  }
  if (kind === 'command') return { kind: 'command', rendered: rendered(command), digest, cwd: place(cwd) };
  // Input for a program that already runs: what it does there is not a shell command.
  return {
    kind: 'tool',
    tool: kind.slice(0, 200),
    rendered: rendered(kind, command),
    digest,
    cwd: place(cwd),
  };
}

export function editAction(
  asked: ServerRequest<'item/fileChange/requestApproval'>,
  changes: readonly Change[],
  cwd: string | null,
): Action {
  const { reason, grantRoot } = asked;
  const diffs = changes.map((change) => `${changeLabel(change)}\n${change.diff ?? ''}`);
  return {
    kind: grantRoot ? 'permission' : 'edit',
    rendered: rendered(grantRoot && `write access to ${grantRoot} for the rest of the session`, ...diffs),
    digest: digestOf({ kind: 'edit', changes, cwd, reason, grantRoot }),
    cwd: place(cwd),
    paths: touchedPaths(changes, cwd),
  };
}

/** Every file touched, both ends of a move, those outside the working folder first, so that a truncated list hides none of them. */
function touchedPaths(changes: readonly Change[], cwd: string | null): string[] {
  const all = changes.flatMap((change) => [
    change.path,
    ...(change.kind?.move_path ? [change.kind.move_path] : []),
  ]);
  const outside = (path: string) => {
    const inside = cwd === null ? path : relative(cwd, isAbsolute(path) ? path : `${cwd}/${path}`);
    return inside.startsWith('..') || isAbsolute(inside);
  };
  const unique = [...new Set(all.map((path) => path.slice(0, pathCharsMax)))];
  return [...unique.filter(outside), ...unique.filter((path) => !outside(path))].slice(0, pathsMax);
}

export function changeLabel(change: Change): string {
  const moved = change.kind?.move_path ? ` → ${change.kind.move_path}` : '';
  return `${change.kind?.type ?? 'change'} ${change.path}${moved}`;
}

export function permissionsAction(asked: ServerRequest<'item/permissions/requestApproval'>): Action {
  const { permissions, cwd, reason } = asked;
  return {
    kind: 'permission',
    rendered: rendered('more permissions for the rest of the turn', json(permissions)),
    digest: digestOf({ kind: 'permissions', permissions, cwd, reason }),
    cwd: place(cwd),
  };
}

export function questionsOf(asked: ServerRequest<'item/tool/requestUserInput'>): Question[] {
  return asked.questions
    .slice(0, questionsMax)
    .map(({ id, header, question, isSecret, options }) => ({
      id: id.slice(0, 200),
      question: (header && !question.startsWith(header) ? `${header}: ${question}` : question).slice(
        0,
        4_000,
      ),
      options:
        options && options.length > 0
          ? options.slice(0, optionsMax).map((option) => option.label.slice(0, 1_000))
          : undefined,
      secret: isSecret ? true : undefined,
    }));
}

/** How a question of an MCP server is declined. */
export const declined: McpServerElicitationRequestResponse = {
  action: 'decline',
  content: null,
  _meta: null,
};

/** A permission request of an MCP server without a form: what it would do, as far as it says. */
export function elicitedAction(asked: ServerRequest<'mcpServer/elicitation/request'>): Action {
  const { serverName, message, _meta: meta } = asked;
  return {
    kind: 'tool',
    tool: `mcp:${serverName}`.slice(0, 200),
    rendered: rendered(`${serverName} asks: ${message ?? ''}`, meta != null && json(meta)),
    digest: digestOf({ kind: 'elicitation', serverName, message, meta }),
  };
}

type OurAnswer =
  | CommandExecutionRequestApprovalResponse
  | FileChangeRequestApprovalResponse
  | PermissionsRequestApprovalResponse
  | McpServerElicitationRequestResponse
  | ToolRequestUserInputResponse;

/** Our answer in Codex's format. A denial declines the one action and lets the turn continue. */
export function answerFor(open: OpenRequest, { answer, text, answers: each }: AgentAnswer): OurAnswer {
  switch (open.of) {
    case 'approval':
      return { decision: answer === 'approve' ? 'accept' : 'decline' };
    case 'elicitation':
      return answer === 'approve' ? { action: 'accept', content: {}, _meta: null } : declined;
    case 'permissions':
      return { permissions: answer === 'approve' ? open.permissions : {}, scope: 'turn' };
    case 'input': {
      if (answer !== 'text' || text === undefined) return { answers: {} };
      const said = (id: string) => each?.find((one) => one.id === id)?.answer ?? text;
      const answers = open.questions.map(({ id }) => [id, { answers: [said(id)] }]);
      return { answers: Object.fromEntries(answers) };
    }
  }
}
