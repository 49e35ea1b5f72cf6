import type { z } from 'zod';
import type * as wire from '../../../src/edge/agents/codex/bindings/wire.ts';
import type {
  limitsAnswerSchema,
  NotificationMethod,
  notificationSchemas,
  openedSchema,
  RequestMethod,
  requestSchemas,
  startedSchema,
  turnsPageSchema,
} from '../../../src/edge/agents/codex/native.ts';

/**
 * Compares the types of the pinned Codex with our schemas. Nothing here runs: if a new version removes, renames or
 * retypes something we read, this file does not compile, and the error names the method.
 */
interface Sent {
  'turn/started': wire.TurnStartedNotification;
  'turn/completed': wire.TurnCompletedNotification;
  'item/started': wire.ItemStartedNotification;
  'item/completed': wire.ItemCompletedNotification;
  'item/fileChange/patchUpdated': wire.FileChangePatchUpdatedNotification;
  'item/agentMessage/delta': wire.AgentMessageDeltaNotification;
  'item/commandExecution/outputDelta': wire.CommandExecutionOutputDeltaNotification;
  'item/reasoning/textDelta': wire.ReasoningTextDeltaNotification;
  'item/reasoning/summaryTextDelta': wire.ReasoningSummaryTextDeltaNotification;
  'turn/plan/updated': wire.TurnPlanUpdatedNotification;
  'thread/tokenUsage/updated': wire.ThreadTokenUsageUpdatedNotification;
  error: wire.ErrorNotification;
  'account/rateLimits/updated': wire.AccountRateLimitsUpdatedNotification;
  'serverRequest/resolved': wire.ServerRequestResolvedNotification;
  'mcpServer/startupStatus/updated': wire.McpServerStatusUpdatedNotification;
  'thread/settings/updated': wire.ThreadSettingsUpdatedNotification;
}

interface Asked {
  'item/commandExecution/requestApproval': wire.CommandExecutionRequestApprovalParams;
  'item/fileChange/requestApproval': wire.FileChangeRequestApprovalParams;
  'item/permissions/requestApproval': wire.PermissionsRequestApprovalParams;
  'item/tool/requestUserInput': wire.ToolRequestUserInputParams;
  'mcpServer/elicitation/request': wire.McpServerElicitationRequestParams;
  'item/tool/call': wire.DynamicToolCallParams;
}

interface Answered {
  'thread/start': [wire.ThreadStartResponse, typeof openedSchema];
  'turn/start': [wire.TurnStartResponse, typeof startedSchema];
  'review/start': [wire.ReviewStartResponse, typeof startedSchema];
  'thread/turns/list': [wire.ThreadTurnsListResponse, typeof turnsPageSchema];
  'account/rateLimits/read': [wire.GetAccountRateLimitsResponse, typeof limitsAnswerSchema];
}

type Named<T> = keyof { [K in keyof T as string extends K ? never : K]: T[K] };
type KeysOf<Union> = Union extends unknown ? keyof Union : never;
type Field<Union, K> = Union extends unknown ? (K extends keyof Union ? Union[K] : never) : never;

/** Names we read, at any depth, that the protocol does not have. Most of our fields are optional, so assignability alone would not show it. */
type Unknown<Ours, Wire> = Ours extends readonly (infer O)[]
  ? Unknown<O, Wire extends readonly (infer W)[] ? W : never>
  : Ours extends object
    ? {
        [K in Named<Ours>]: K extends KeysOf<Wire>
          ? Unknown<NonNullable<Ours[K]>, NonNullable<Field<Wire, K>>>
          : K;
      }[Named<Ours>]
    : never;

type Disagreement<Name extends string, Wire, Ours> = [Wire] extends [Ours]
  ? `${Name} has no ${Unknown<Ours, Wire> & string}`
  : `${Name} is of another type`;
type None<Disagreeing extends never> = Disagreeing;

export type NotificationsAgree = None<
  {
    [M in NotificationMethod]: Disagreement<M, Sent[M], z.input<(typeof notificationSchemas)[M]>>;
  }[NotificationMethod]
>;
export type RequestsAgree = None<
  { [M in RequestMethod]: Disagreement<M, Asked[M], z.input<(typeof requestSchemas)[M]>> }[RequestMethod]
>;
export type AnswersAgree = None<
  { [M in keyof Answered]: Disagreement<M, Answered[M][0], z.input<Answered[M][1]>> }[keyof Answered]
>;
