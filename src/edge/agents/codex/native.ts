import { z } from 'zod';

/**
 * The part of the app-server's protocol that we read. Objects are loose and most fields may be absent or null, so a
 * server that adds, drops or renames other fields can still be read. Enumerations are plain strings here; the
 * translation decides what an unknown value means.
 */
const maybe = <T extends z.ZodType>(schema: T) => schema.nullish();
/** Threads and turns: ids that events carry. */
const name = z.string().min(1).max(300);

export const envelopeSchema = z.looseObject({
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string().optional(),
  params: z.unknown().optional(),
  result: z.unknown().optional(),
  error: z.looseObject({ code: z.number().optional(), message: z.string().optional() }).optional(),
  emittedAtMs: z.number().optional(),
});
export type Envelope = z.infer<typeof envelopeSchema>;
export type RpcId = string | number;

const changeSchema = z.looseObject({
  path: z.string(),
  kind: maybe(z.looseObject({ type: z.string(), move_path: maybe(z.string()) })),
  diff: maybe(z.string()),
});
export type Change = z.infer<typeof changeSchema>;

export const itemSchema = z.looseObject({
  type: z.string(),
  id: z.string().min(1),
  status: maybe(z.string()),
  text: maybe(z.string()),
  clientId: maybe(z.string()),
  content: maybe(z.array(z.unknown())),
  summary: maybe(z.array(z.string())),
  command: maybe(z.string()),
  exitCode: maybe(z.number()),
  changes: maybe(z.array(changeSchema)),
  server: maybe(z.string()),
  tool: maybe(z.string()),
  prompt: maybe(z.string()),
  arguments: z.unknown().optional(),
  success: maybe(z.boolean()),
  review: maybe(z.string()),
});
export type Item = z.infer<typeof itemSchema>;

const turnErrorSchema = z.looseObject({
  message: maybe(z.string()),
  codexErrorInfo: z.unknown().optional(),
  additionalDetails: maybe(z.string()),
});
export type TurnError = z.infer<typeof turnErrorSchema>;

const turnSchema = z.looseObject({
  id: name,
  rootTurnId: maybe(z.string()),
  items: maybe(z.array(z.unknown())),
  status: maybe(z.string()),
  error: maybe(turnErrorSchema),
});
export type Turn = z.infer<typeof turnSchema>;

const ofThread = { threadId: name };
const ofTurn = { threadId: name, turnId: name };

const tokensSchema = z.looseObject({
  totalTokens: maybe(z.number()),
  inputTokens: maybe(z.number()),
  cachedInputTokens: maybe(z.number()),
  outputTokens: maybe(z.number()),
});

const windowSchema = z.looseObject({ usedPercent: maybe(z.number()), resetsAt: maybe(z.number()) });
const rateLimitsSchema = z.looseObject({
  limitName: maybe(z.string()),
  primary: maybe(windowSchema),
  secondary: maybe(windowSchema),
  credits: maybe(z.looseObject({ hasCredits: maybe(z.boolean()), unlimited: maybe(z.boolean()) })),
  individualLimit: maybe(z.looseObject({ resetsAt: maybe(z.number()) })),
  spendControlReached: maybe(z.boolean()),
  rateLimitReachedType: maybe(z.string()),
});
export type RateLimits = z.infer<typeof rateLimitsSchema>;

const policyFields = { approvalPolicy: z.unknown().optional() };

/** The parameters of the notifications we act on, by method. */
export const notificationSchemas = {
  'turn/started': z.looseObject({ ...ofThread, turn: turnSchema }),
  'turn/completed': z.looseObject({ ...ofThread, turn: turnSchema }),
  'item/started': z.looseObject({ ...ofTurn, item: itemSchema }),
  'item/completed': z.looseObject({ ...ofTurn, item: itemSchema }),
  'item/fileChange/patchUpdated': z.looseObject({
    ...ofTurn,
    itemId: z.string(),
    changes: z.array(changeSchema),
  }),
  'item/agentMessage/delta': z.looseObject({ ...ofTurn, delta: z.string() }),
  'item/commandExecution/outputDelta': z.looseObject({ ...ofTurn, delta: z.string() }),
  'item/reasoning/textDelta': z.looseObject({ ...ofTurn, delta: z.string() }),
  'item/reasoning/summaryTextDelta': z.looseObject({ ...ofTurn, delta: z.string() }),
  'turn/plan/updated': z.looseObject({
    ...ofTurn,
    plan: z.array(z.looseObject({ step: z.string(), status: maybe(z.string()) })),
  }),
  'thread/tokenUsage/updated': z.looseObject({
    ...ofThread,
    tokenUsage: z.looseObject({
      total: tokensSchema,
      last: maybe(tokensSchema),
      modelContextWindow: maybe(z.number()),
    }),
  }),
  error: z.looseObject({ ...ofTurn, willRetry: maybe(z.boolean()), error: turnErrorSchema }),
  'account/rateLimits/updated': z.looseObject({ rateLimits: rateLimitsSchema }),
  'serverRequest/resolved': z.looseObject({ requestId: z.union([z.string(), z.number()]) }),
  'mcpServer/startupStatus/updated': z.looseObject({
    name: z.string(),
    status: z.string(),
    error: maybe(z.string()),
  }),
  'thread/settings/updated': z.looseObject({
    ...ofThread,
    threadSettings: z.looseObject({
      ...policyFields,
      sandboxPolicy: maybe(z.looseObject({ type: z.string() })),
    }),
  }),
} as const;
export type NotificationMethod = keyof typeof notificationSchemas;
export type Notification<M extends NotificationMethod> = z.infer<(typeof notificationSchemas)[M]>;

/** The parameters of the server's requests that can be answered, by method. */
export const requestSchemas = {
  'item/commandExecution/requestApproval': z.looseObject({
    ...ofTurn,
    itemId: z.string(),
    kind: maybe(z.string()),
    command: maybe(z.string()),
    cwd: maybe(z.string()),
    reason: maybe(z.string()),
    networkApprovalContext: maybe(z.looseObject({ host: z.string(), protocol: z.unknown().optional() })),
    additionalPermissions: z.unknown().optional(),
  }),
  'item/fileChange/requestApproval': z.looseObject({
    ...ofTurn,
    itemId: z.string(),
    reason: maybe(z.string()),
    grantRoot: maybe(z.string()),
  }),
  'item/permissions/requestApproval': z.looseObject({
    ...ofTurn,
    cwd: maybe(z.string()),
    reason: maybe(z.string()),
    permissions: z.looseObject({ network: z.unknown().optional(), fileSystem: z.unknown().optional() }),
  }),
  'item/tool/requestUserInput': z.looseObject({
    ...ofTurn,
    questions: z
      .array(
        z.looseObject({
          id: name,
          header: maybe(z.string()),
          question: z.string(),
          isSecret: maybe(z.boolean()),
          options: maybe(z.array(z.looseObject({ label: z.string(), description: maybe(z.string()) }))),
        }),
      )
      .min(1),
  }),
  'mcpServer/elicitation/request': z.looseObject({
    ...ofThread,
    turnId: maybe(name),
    serverName: z.string(),
    mode: z.string(),
    message: maybe(z.string()),
    requestedSchema: z.unknown().optional(),
    _meta: z.unknown().optional(),
  }),
  'item/tool/call': z.looseObject({ ...ofTurn, tool: z.string(), arguments: z.unknown().optional() }),
} as const;
export type RequestMethod = keyof typeof requestSchemas;
export type ServerRequest<M extends RequestMethod> = z.infer<(typeof requestSchemas)[M]>;

export const openedSchema = z.looseObject({
  thread: z.looseObject({ id: name }),
  cwd: maybe(z.string()),
  ...policyFields,
  sandbox: maybe(z.looseObject({ type: z.string() })),
});
export const limitsAnswerSchema = z.looseObject({ rateLimits: rateLimitsSchema });
export const startedSchema = z.looseObject({ turn: z.looseObject({ id: name }) });
export const turnsPageSchema = z.looseObject({ data: z.array(turnSchema), nextCursor: maybe(z.string()) });

/**
 * Notifications of 0.166 that a run does not need. Anything outside this list and the one above is reported once as
 * `unreadable`, so that changes of the protocol show in the ledger.
 */
export const ignoredNotifications: ReadonlySet<string> = new Set(
  `account/gatewayOAuth/changed account/login/completed account/updated app/list/updated
  autoApprovalReview/strictReviewRequired command/exec/outputDelta configWarning deprecationNotice
  externalAgentConfig/import/completed externalAgentConfig/import/progress fs/changed
  fuzzyFileSearch/sessionCompleted fuzzyFileSearch/sessionUpdated guardianWarning hook/completed hook/started
  item/autoApprovalReview/completed item/autoApprovalReview/started item/commandExecution/terminalInteraction
  item/fileChange/outputDelta item/mcpToolCall/progress item/plan/delta
  item/reasoning/summaryPartAdded mcpServer/event/stream/notification mcpServer/oauthLogin/completed
  model/rerouted model/safetyBuffering/updated model/verification
  modelProvider/authRecoveryCompleted modelProvider/authRecoveryStarted process/exited process/outputDelta
  project/changed rawResponse/completed rawResponseItem/completed remoteControl/status/changed skills/changed
  thread/archived thread/attachment/updated thread/closed thread/compacted thread/deleted thread/environment/connected
  thread/environment/disconnected thread/goal/cleared thread/goal/updated thread/name/updated
  thread/prediction/updated thread/project/updated thread/queue/changed thread/readState/changed
  thread/realtime/closed thread/realtime/error thread/realtime/item/completed thread/realtime/item/started
  thread/realtime/item/transcript/delta thread/realtime/itemAdded thread/realtime/outputAudio/delta
  thread/realtime/sdp thread/realtime/started thread/realtime/transcript/delta thread/realtime/transcript/done
  thread/reverted thread/started thread/status/changed thread/unarchived turn/diff/updated
  turn/moderationMetadata warning windows/worldWritableWarning windowsSandbox/setupCompleted`.split(/\s+/),
);
