import { z } from 'zod';
import { guardVerdictSchema } from './action.ts';
import { approvalStrategySchema } from './strategy.ts';

/** Every effect a guard can find in an action. A rule in `core/guards/rules` gives the verdict for each. */
export const guardEffectKindSchema = z.enum([
  // Harmless: reads, builds, tests, and changes inside the workspace that can be undone.
  'read',
  'write',
  'write-temp',
  'delete',
  'delete-regenerable',
  'git-local',
  'git-rewrite',
  'network-in',
  'network-local',
  'build',
  'run-workspace',
  'install',
  'database-read',
  'cloud-read',
  'container',
  // Reads and writes that reach further.
  'read-secret',
  'read-odd',
  'read-wide',
  'read-outside',
  'write-outside',
  'write-secret',
  'write-device',
  'persistence',
  'pipeline-change',
  'agent-settings',
  'permissions',
  'delete-many',
  'delete-recursive',
  'delete-outside',
  'delete-history',
  // Version control.
  'git-discard',
  'git-destroy',
  'git-config',
  'git-push',
  'git-push-protected',
  // Network.
  'network-out',
  'network-send',
  'network-listen',
  'secret-send',
  'remote-shell',
  // The machine.
  'privilege',
  'system',
  'process',
  'exhaust',
  'erase-traces',
  'install-outside',
  // Ways to run something else.
  'run-shell',
  'run-any',
  'run-code',
  'run-remote',
  'interactive',
  'unknown',
  'opaque',
  'unreadable',
  // Databases, clouds, releases.
  'database-write',
  'database-delete',
  'database-drop',
  'database-migrate',
  'database-unknown',
  'cloud-change',
  'cloud-delete',
  'infrastructure',
  'deploy',
  'production',
  // The never list: a person, one action at a time.
  'force-push',
  'deploy-production',
  'publish',
  'database-destroy',
  // The never list: refused even then.
  'destroy-root',
  'destroy-home',
  'destroy-workspace',
  'destroy-disk',
  'answer-gate',
  'touch-tireless',
]);
export type GuardEffectKind = z.infer<typeof guardEffectKindSchema>;

/** One effect, and what it touches, for a person to read. */
export const guardEffectSchema = z.object({ kind: guardEffectKindSchema, what: z.string() });
export type GuardEffect = z.infer<typeof guardEffectSchema>;

const example = z.string().min(1).max(1_000);

/** What a person's rule matches on: exactly one of these. */
export const userRuleShapeSchema = z.union([
  z.strictObject({
    program: z.string().min(1).max(200).describe('name of the program, without its folder'),
    args: z.array(z.string().max(500)).max(20).optional().describe('first arguments, without options'),
  }),
  z.strictObject({
    path: z.string().min(1).max(1_000).describe('glob over absolute or workspace-relative paths: * ? **'),
    access: z.enum(['read', 'write', 'delete']).optional(),
  }),
  z.strictObject({ tool: z.string().min(1).max(200).describe('glob over tool names') }),
  z.strictObject({
    matches: z.string().min(1).max(300).describe('regular expression over each simple command'),
  }),
]);

/**
 * A person's own rule. `applies` and `leaves` are its examples, checked when it loads. `allow` removes a question about
 * the actions it names, but never overrides the never list, a refusal, or code the guard could not read; secrets are
 * allowed only by a `path` rule that names them.
 */
export const userRuleSchema = z.strictObject({
  name: z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/),
  verdict: guardVerdictSchema,
  because: z.string().min(1).max(500),
  instead: z.string().max(500).optional(),
  when: userRuleShapeSchema,
  applies: z.array(example).min(1).max(20).describe('actions this rule must match'),
  leaves: z.array(example).max(20).default([]).describe('actions this rule must not match'),
});
export type UserRule = z.infer<typeof userRuleSchema>;

/** The person's settings of the guard: rules, and other verdicts for effects. */
export const guardConfigSchema = z.strictObject({
  rules: z.array(userRuleSchema).max(100).default([]),
  effects: z.partialRecord(guardEffectKindSchema, guardVerdictSchema).default({}),
  hosts: z
    .array(z.string().min(1).max(253))
    .max(200)
    .default([])
    .describe('hosts that may be read from without asking, besides loopback'),
  protectedBranches: z
    .array(z.string().min(1).max(200))
    .max(50)
    .default(['main', 'master', 'production', 'release']),
});
export type GuardConfig = z.infer<typeof guardConfigSchema>;

/** All a guard knows besides the action: data, gathered at the edge. Paths are absolute and real. */
export const guardContextSchema = z.object({
  workspace: z.string().min(1).max(4_096),
  home: z.string().min(1).max(4_096),
  cwd: z.string().max(4_096).optional().describe('absent: the workspace'),
  tirelessHome: z.string().min(1).max(4_096),
  temp: z.array(z.string().max(4_096)).max(10).optional().describe('absent: /tmp and /var/tmp'),
  platform: z.enum(['linux', 'darwin', 'win32']).default('linux'),
  approvals: approvalStrategySchema.default('policy'),
  config: guardConfigSchema.prefault({}),
});
export type GuardContext = z.infer<typeof guardContextSchema>;
export type GuardContextInput = z.input<typeof guardContextSchema>;

/** Where a run lives on its machine: facts the guard needs, recorded once. */
export const siteSchema = guardContextSchema.pick({ home: true, tirelessHome: true, temp: true });
export type Site = z.infer<typeof siteSchema>;
