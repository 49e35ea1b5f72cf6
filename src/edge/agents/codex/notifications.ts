import { type AgentEvent, type LiveFrame, toolServerName } from '../../../contract/index.ts';
import { sha256 } from './approvals.ts';
import { failureOf } from './failures.ts';
import { isKnownItem, itemEnded } from './items.ts';
import { type Meaning, unknownSeen, unreadable } from './meaning.ts';
import {
  type Envelope,
  ignoredNotifications,
  type Notification,
  type NotificationMethod,
  notificationSchemas,
  type Turn,
} from './native.ts';
import { limitsReported } from './rate-limits.ts';
import { changeKey } from './requests.ts';
import { policyWord } from './responses.ts';
import { type CodexState, requestNamed, rowOf, withoutRow, withRow } from './state.ts';
import { backgroundOf, turnCompleted, turnStarted } from './turns.ts';

type Handler<Said> = (state: CodexState, said: Said, session: string, envelope: Envelope) => Meaning;

/** A notification. Until our thread is known, none of them concerns us. */
export function hearNotification(state: CodexState, method: string, envelope: Envelope): Meaning {
  if (!Object.hasOwn(notificationSchemas, method)) {
    return ignoredNotifications.has(method)
      ? {}
      : unknownSeen(state, `notification ${method.slice(0, 200)}`, envelope);
  }
  const known = method as NotificationMethod;
  const said = notificationSchemas[known].safeParse(envelope.params);
  if (!said.success) return unreadable(`the notification ${method}`, envelope);
  // Our tools may be ready before the thread is.
  if (state.session === null && known !== 'mcpServer/startupStatus/updated') return {};
  const handler = handlers[known] as Handler<unknown>;
  return handler(state, said.data, state.session ?? '', envelope);
}

/** The id of a turn in events. */
const turnOf = (state: CodexState, turnId: string) => rowOf(state.aliases, turnId) ?? turnId;

const live =
  (kind: LiveFrame['kind']): Handler<{ threadId: string; delta: string }> =>
  (_state, said, session) =>
    said.threadId === session ? { live: [{ session, kind, text: said.delta }] } : {};

/** A sub-agent's turn names the turn it works for. */
const isChild = ({ id, rootTurnId }: Turn) => rootTurnId != null && rootTurnId !== id;

const handlers: { readonly [M in NotificationMethod]: Handler<Notification<M>> } = {
  'turn/started': (state, said, session) =>
    said.threadId === session
      ? turnStarted(state, said.turn, session)
      : isChild(said.turn)
        ? { state: { ...state, children: withRow(state.children, said.threadId, true) } }
        : {},
  'turn/completed': turnCompleted,
  'item/started': itemStarted,
  'item/completed': itemCompleted,
  'item/fileChange/patchUpdated': (state, said) => ({
    state: {
      ...state,
      changes: withRow(state.changes, changeKey(said.threadId, said.turnId, said.itemId), said.changes),
    },
  }),
  'item/agentMessage/delta': live('message'),
  'item/commandExecution/outputDelta': live('output'),
  'item/reasoning/textDelta': live('reasoning'),
  'item/reasoning/summaryTextDelta': live('reasoning'),
  'turn/plan/updated': planUpdated,
  'thread/tokenUsage/updated': usageUpdated,
  error: (state, said, session, envelope) => {
    if (said.threadId !== session) return {};
    const failure = failureOf(said.error, state.limits, envelope.emittedAtMs);
    const turn = turnOf(state, said.turnId);
    return {
      events: [{ event: { type: 'error-seen', session, turn, failure, willRetry: said.willRetry ?? false } }],
    };
  },
  'account/rateLimits/updated': (state, said, session) => limitsReported(state, said.rateLimits, session),
  'serverRequest/resolved': (state, said, session) => {
    const request = requestNamed(state, said.requestId);
    if (request === undefined) return {};
    return {
      state: { ...state, requests: withoutRow(state.requests, request) },
      events: [{ event: { type: 'request-withdrawn', session, request } }],
    };
  },
  'mcpServer/startupStatus/updated': (state, { name, status, error }) =>
    name === toolServerName ? { state: { ...state, tools: { status, because: error ?? '' } } } : {},
  'thread/settings/updated': settingsUpdated,
};

function itemStarted(state: CodexState, said: Notification<'item/started'>, session: string): Meaning {
  const { threadId, turnId, item } = said;
  if (item.type === 'fileChange') {
    const key = changeKey(threadId, turnId, item.id);
    return { state: { ...state, changes: withRow(state.changes, key, item.changes ?? []) } };
  }
  if (item.type === 'commandExecution') {
    const key = changeKey(threadId, turnId, item.id);
    return { state: { ...state, commands: withRow(state.commands, key, item.command ?? '') } };
  }
  if (item.type === 'enteredReviewMode' && threadId === session)
    return { state: { ...state, reviewing: turnId } };
  return {};
}

function itemCompleted(state: CodexState, said: Notification<'item/completed'>, session: string): Meaning {
  const { threadId, item } = said;
  const key = changeKey(threadId, said.turnId, item.id);
  const changes = withoutRow(state.changes, key);
  const outlived = rowOf(state.background, key) !== undefined;
  const next: CodexState = {
    ...state,
    changes,
    commands: withoutRow(state.commands, key),
    background: withoutRow(state.background, key),
  };
  if (threadId !== session) return { state: next };
  const turn = turnOf(state, said.turnId);
  switch (item.type) {
    case 'enteredReviewMode':
      // It comes before its turn has started; the findings come with exitedReviewMode.
      return { state: next };
    case 'contextCompaction':
      return { state: next, events: [{ event: { type: 'compaction-seen', session, turn } }] };
    case 'userMessage': {
      // Newer servers return our id; otherwise the first message of a turn we started is ours.
      // The instructions of a review do not come from a person either.
      const ours =
        state.reviewing === turn ||
        (item.clientId == null
          ? rowOf(state.dispatches, turn) !== undefined && !rowOf(state.greeted, turn)
          : rowOf(state.sent, item.clientId) === true);
      if (ours) return { state: { ...next, greeted: withRow(next.greeted, turn, true) } };
      return { state: next, events: [itemEnded(session, turn, item)] };
    }
    case 'agentMessage': {
      const lastMessage = { turn, text: item.text ?? '' };
      return { state: { ...next, lastMessage }, events: [itemEnded(session, turn, item)] };
    }
    default: {
      const events = [itemEnded(session, turn, item), ...(outlived ? [backgroundOf(next, session)] : [])];
      if (isKnownItem(item.type)) return { state: next, events };
      const unknown = withRow(next.unknown, `item ${item.type.slice(0, 200)}`, 1);
      return { state: { ...next, unknown }, events };
    }
  }
}

const stepsMax = 100;

function planUpdated(state: CodexState, said: Notification<'turn/plan/updated'>, session: string): Meaning {
  if (said.threadId !== session) return {};
  const body = JSON.stringify(said.plan);
  const digest = sha256(body);
  if (digest === state.plan) return {};
  const current = said.plan.find((step) => step.status === 'inProgress')?.step.slice(0, 500);
  const event: AgentEvent = {
    type: 'plan-changed',
    session,
    turn: turnOf(state, said.turnId),
    digest,
    done: said.plan.filter((step) => step.status === 'completed').length,
    total: said.plan.length,
    current,
    steps: said.plan
      .slice(0, stepsMax)
      .map(({ step, status }) => ({
        text: step.slice(0, 500),
        status: status === 'completed' ? 'done' : status === 'inProgress' ? 'active' : 'pending',
      })),
  };
  return { state: { ...state, plan: digest }, events: [{ event, body }] };
}

/**
 * Cumulative usage of one thread. Sub-agents are billed under their own threads, because ours does not include theirs.
 * The total is summed from its parts: after a full context Codex adds the whole window to its own total.
 */
function usageUpdated(state: CodexState, said: Notification<'thread/tokenUsage/updated'>): Meaning {
  const { total, last, modelContextWindow } = said.tokenUsage;
  const { inputTokens, outputTokens, cachedInputTokens } = total;
  const summed =
    isCount(inputTokens) && isCount(outputTokens) ? inputTokens + outputTokens : total.totalTokens;
  const usage = {
    totalTokens: isCount(summed) ? summed : undefined,
    inputTokens: isCount(inputTokens) ? inputTokens : undefined,
    cachedInputTokens: isCount(cachedInputTokens) ? cachedInputTokens : undefined,
    outputTokens: isCount(outputTokens) ? outputTokens : undefined,
  };
  const window =
    isCount(modelContextWindow) && modelContextWindow > 0
      ? { windowTokens: modelContextWindow, ...filled(last) }
      : {};
  const reported = JSON.stringify([usage, window]);
  if (!summed || !isCount(summed) || rowOf(state.usage, said.threadId) === reported) return {};
  return {
    state: { ...state, usage: withRow(state.usage, said.threadId, reported) },
    events: [{ event: { type: 'usage-reported', session: said.threadId, usage, ...window } }],
  };
}

/** The tokens of the last request and its answer are what the conversation fills of the window. */
const filled = (last: Notification<'thread/tokenUsage/updated'>['tokenUsage']['last']) =>
  isCount(last?.totalTokens) ? { contextTokens: last.totalTokens } : {};

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

const approvalRanks = ['untrusted', 'granular', 'on-request', 'never'];
const sandboxRanks = ['readOnly', 'workspaceWrite', 'externalSandbox', 'dangerFullAccess'];

/** The thread's settings changed. If it has more permissions than it was opened with, a person must know. */
function settingsUpdated(
  state: CodexState,
  said: Notification<'thread/settings/updated'>,
  session: string,
): Meaning {
  if (said.threadId !== session || state.policy === null) return {};
  const approval = policyWord(said.threadSettings.approvalPolicy);
  const sandbox = said.threadSettings.sandboxPolicy?.type ?? state.policy.sandbox;
  const raised =
    approvalRanks.indexOf(approval) > approvalRanks.indexOf(state.policy.approval) ||
    sandboxRanks.indexOf(sandbox) > sandboxRanks.indexOf(state.policy.sandbox);
  const next: CodexState = { ...state, policy: { approval, sandbox } };
  if (!raised) return { state: next };
  const mode = `approvals ${approval}, sandbox ${sandbox}`.slice(0, 200);
  return { state: next, events: [{ event: { type: 'mode-raised', session, mode } }] };
}
