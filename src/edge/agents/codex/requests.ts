import { z } from 'zod';
import { reportStatusSchema } from '../../../contract/index.ts';
import {
  canonical,
  commandAction,
  declined,
  editAction,
  elicitedAction,
  permissionsAction,
  questionsOf,
  sha256,
} from './approvals.ts';
import { type Meaning, type Reply, unknownSeen, unreadable } from './meaning.ts';
import {
  type Envelope,
  type RequestMethod,
  type RpcId,
  requestSchemas,
  type ServerRequest,
} from './native.ts';
import { type CodexState, type OpenRequest, rowOf, withRow } from './state.ts';

/** The tool by which the agent states explicitly how far it is. */
export const statusTool = 'report_status';
export const statusArgumentsSchema = reportStatusSchema;

const methodNotFound = -32_601;

/**
 * A request of the server. Approvals and questions become events and wait; everything else is answered at once. An
 * unreadable request is refused, which Codex treats as a denial: it must never hang, and never be allowed unseen.
 */
export function hearRequest(state: CodexState, id: RpcId, method: string, envelope: Envelope): Meaning {
  if (!isKnown(method))
    return { ...unknownSeen(state, `request ${method}`, envelope), replies: [refusal(id, method)] };
  switch (method) {
    case 'item/commandExecution/requestApproval':
      return read(method, id, envelope, (asked) => askedForCommand(state, id, asked, envelope));
    case 'item/fileChange/requestApproval':
      return read(method, id, envelope, (asked) => askedForEdit(state, id, asked, envelope));
    case 'item/permissions/requestApproval':
      return read(method, id, envelope, (asked) => {
        const permissions = Object.fromEntries(
          Object.entries(asked.permissions).filter(([, part]) => part != null),
        );
        const open: OpenRequest = { of: 'permissions', id, turn: asked.turnId, permissions };
        return approval(state, asked.threadId, open, permissionsAction(asked), envelope);
      });
    case 'item/tool/requestUserInput':
      return read(method, id, envelope, (asked) => askedForInput(state, id, asked, envelope));
    case 'mcpServer/elicitation/request':
      return read(method, id, envelope, (asked) => elicited(state, id, asked, envelope));
    case 'item/tool/call':
      return read(method, id, envelope, (asked) => toolCalled(state, id, asked));
  }
}

function isKnown(method: string): method is RequestMethod {
  return Object.hasOwn(requestSchemas, method);
}

function read<M extends RequestMethod>(
  method: M,
  id: RpcId,
  envelope: Envelope,
  then: (asked: ServerRequest<M>) => Meaning,
): Meaning {
  const asked = requestSchemas[method].safeParse(envelope.params);
  return asked.success
    ? then(asked.data as ServerRequest<M>)
    : refused(id, `the request ${method}`, envelope);
}

const refusal = (id: RpcId, what: string): Reply => ({
  id,
  error: { code: methodNotFound, message: `${what} is not answered by this client` },
});

const refused = (id: RpcId, what: string, envelope: Envelope): Meaning => ({
  ...unreadable(`${what} could not be read and was refused`, envelope),
  replies: [refusal(id, what)],
});

function askedForCommand(
  state: CodexState,
  id: RpcId,
  asked: ServerRequest<'item/commandExecution/requestApproval'>,
  envelope: Envelope,
): Meaning {
  const says = asked.command || asked.networkApprovalContext || asked.additionalPermissions != null;
  if (!says) return refused(id, 'an approval that does not name its command', envelope);
  return approval(
    state,
    asked.threadId,
    { of: 'approval', id, turn: asked.turnId },
    commandAction(asked),
    envelope,
  );
}

function askedForEdit(
  state: CodexState,
  id: RpcId,
  asked: ServerRequest<'item/fileChange/requestApproval'>,
  envelope: Envelope,
): Meaning {
  const changes = rowOf(state.changes, changeKey(asked.threadId, asked.turnId, asked.itemId));
  if (!changes || changes.length === 0)
    return refused(id, 'an approval of a change we were not shown', envelope);
  const action = editAction(asked, changes, state.cwd);
  return approval(state, asked.threadId, { of: 'approval', id, turn: asked.turnId }, action, envelope);
}

function askedForInput(
  state: CodexState,
  id: RpcId,
  asked: ServerRequest<'item/tool/requestUserInput'>,
  envelope: Envelope,
): Meaning {
  const questions = questionsOf(asked);
  const at = place(state, asked.threadId, asked.turnId);
  if (!at) return refused(id, 'a question before the thread was opened', envelope);
  const request = requestName(asked.turnId, id);
  return {
    state: {
      ...state,
      requests: withRow(state.requests, request, { of: 'input', id, turn: at.turn, questions }),
    },
    events: [
      {
        event: { type: 'input-asked', ...at, request, questions, digest: sha256(canonical(asked.questions)) },
        body: JSON.stringify(envelope.params),
      },
    ],
  };
}

/**
 * An MCP server asks a person through Codex. A plain permission request is an approval like any other; a form, an
 * address to open or a proof of presence cannot be given from here and is declined and recorded.
 */
function elicited(
  state: CodexState,
  id: RpcId,
  asked: ServerRequest<'mcpServer/elicitation/request'>,
  envelope: Envelope,
): Meaning {
  const turn = asked.turnId ?? state.active?.turn;
  if (asked.mode === 'form' && turn !== undefined && isEmptyForm(asked.requestedSchema))
    return approval(state, asked.threadId, { of: 'elicitation', id, turn }, elicitedAction(asked), envelope);
  const because = `the MCP server ${asked.serverName} asks for something (${asked.mode}) that cannot be given here; it was declined`;
  return { ...unreadable(because, envelope), replies: [{ id, result: declined }] };
}

const formSchema = z.looseObject({ properties: z.record(z.string(), z.unknown()).optional() });

function isEmptyForm(schema: unknown): boolean {
  const form = formSchema.safeParse(schema);
  return form.success && Object.keys(form.data.properties ?? {}).length === 0;
}

function approval(
  state: CodexState,
  thread: string,
  open: OpenRequest,
  action: ReturnType<typeof commandAction>,
  envelope: Envelope,
): Meaning {
  const at = place(state, thread, open.turn);
  if (!at) return refused(open.id, 'an approval before the thread was opened', envelope);
  const request = requestName(open.turn, open.id);
  return {
    state: { ...state, requests: withRow(state.requests, request, { ...open, turn: at.turn }) },
    events: [
      { event: { type: 'approval-asked', ...at, request, action }, body: JSON.stringify(envelope.params) },
    ],
  };
}

/** A sub-agent's request is reported under its parent: the run knows only our thread and its running turn. */
function place(
  state: CodexState,
  thread: string,
  turn: string,
): { session: string; turn: string; subagent?: { id: string } } | undefined {
  if (state.session === null) return undefined;
  if (thread !== state.session)
    return { session: state.session, turn: state.active?.turn ?? turn, subagent: { id: thread } };
  return { session: state.session, turn: rowOf(state.aliases, turn) ?? turn };
}

const requestName = (turn: string, id: RpcId) => `${turn.slice(0, 200)}#${String(id).slice(0, 90)}`;

export const changeKey = (thread: string, turn: string, item: string) => JSON.stringify([thread, turn, item]);

function toolCalled(state: CodexState, id: RpcId, asked: ServerRequest<'item/tool/call'>): Meaning {
  const reply = (success: boolean, text: string): Reply => ({
    id,
    result: { contentItems: [{ type: 'inputText', text }], success },
  });
  if (asked.tool !== statusTool) {
    const unknown = unreadable(`a call of ${asked.tool}, a tool we did not offer`, asked);
    return { ...unknown, replies: [reply(false, `There is no tool ${asked.tool}.`)] };
  }
  if (asked.threadId !== state.session) {
    return { replies: [reply(false, 'Only the main agent reports the status of the mission.')] };
  }
  const said = statusArgumentsSchema.safeParse(asked.arguments);
  if (!said.success) {
    const expected = 'status must be done, blocked or waiting, and evidence a text';
    return { replies: [reply(false, `Not recorded: ${expected}.`)] };
  }
  const turn = rowOf(state.aliases, asked.turnId) ?? asked.turnId;
  const { status, evidence } = said.data;
  return {
    events: [
      { event: { type: 'status-reported', session: asked.threadId, turn, status, text: { text: evidence } } },
    ],
    replies: [reply(true, `Recorded: ${status}.`)],
  };
}
