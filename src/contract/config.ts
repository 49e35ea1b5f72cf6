import { z } from 'zod';
import { checkSchema } from './check.ts';
import { autonomousCyclesDefault, autonomousCyclesMax, autonomousCyclesMin } from './constants.ts';
import { guardConfigSchema } from './guard.ts';
import { limitsSchema, policySchema } from './policy.ts';

/** A span of time as people write it: `90s`, `30m`, `1h30m`; a bare number counts milliseconds. */
export const durationSchema = z
  .union([
    z.number().int().min(1),
    z
      .string()
      .max(40)
      .regex(/^(?:\d+(?:\.\d+)?(?:ms|s|m|h|d))+$/),
  ])
  .meta({ expects: 'a duration such as 90s, 30m, 2h or 1h30m, or a number of milliseconds' });

/** A moment as people write it: the next time a clock here shows `07:30`, or a date with time. */
export const momentSchema = z
  .string()
  .max(40)
  .regex(
    /^(?:(?:[01]?\d|2[0-3]):[0-5]\d|\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d)?)$/,
  )
  .meta({ expects: 'a clock time such as 07:30 or a date such as 2031-05-01T07:30' });

const urlSchema = z
  .url({ protocol: /^https?$/ })
  .max(2_000)
  .meta({ expects: 'a web address that starts with https:// or http://' });
const variableSchema = z
  .string()
  .max(200)
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/)
  .meta({ expects: 'the name of an environment variable' });

const agentSchema = z.strictObject({
  name: z
    .string()
    .max(100)
    .regex(/^[a-z][a-z0-9-]*$/)
    .meta({ expects: 'a name in lower case such as codex' })
    .optional()
    .describe('which agent to use; by default the one that is installed and logged in'),
  command: z
    .string()
    .min(1)
    .max(4_096)
    .optional()
    .describe("the program to start instead of the agent's usual one"),
  args: z.array(z.string().max(4_096)).max(100).default([]).describe('additional arguments for that program'),
  model: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('the model the agent uses; by default its own choice'),
  sandbox: z
    .enum(['read-only', 'workspace-write', 'none'])
    .default('workspace-write')
    .describe('what the agent may write, if it has its own sandbox'),
});

const policy = policySchema.shape;
const guards = guardConfigSchema.shape;

const adviceSettingsSchema = policy.advice.unwrap().extend({
  // Off in ledgers without it; on by default in a config, where `enabled` and `model` decide.
  answers: policy.advice
    .unwrap()
    .shape.answers.unwrap()
    .default(true)
    .describe(policy.advice.unwrap().shape.answers.description ?? ''),
  model: z
    .string()
    .max(200)
    .regex(/^(?:codex(?::\S+)?|(?:openai|anthropic|ollama|openai-compatible):\S+)$/)
    .meta({
      expects: 'openai:MODEL, anthropic:MODEL, ollama:MODEL, openai-compatible:MODEL, codex or codex:MODEL',
    })
    .optional()
    .describe('which decision model is asked, as provider:model; keys come from the environment'),
  baseUrl: urlSchema
    .optional()
    .describe('address of the provider, if not the usual one; required for openai-compatible'),
  timeoutMs: z
    .number()
    .int()
    .min(1)
    .default(60_000)
    .describe('how long an answer may take, including one retry; a late answer counts as missed'),
});

const modelNameSchema = adviceSettingsSchema.shape.model;
const memorySettingsSchema = z.strictObject({
  model: modelNameSchema.describe(
    'which model distils a cycle into memories, as provider:model; by default `advice.model` if advice is on; without either the facts are kept as they are',
  ),
  baseUrl: urlSchema.optional().describe('address of that provider, if not the usual one'),
  timeoutMs: z
    .number()
    .int()
    .min(1)
    .default(120_000)
    .describe('how long distilling may take, including one retry; after that the facts are kept as they are'),
  embeddings: z
    .string()
    .max(200)
    .regex(/^(?:openai|ollama|openai-compatible):\S+$/)
    .meta({ expects: 'openai:MODEL, ollama:MODEL or openai-compatible:MODEL' })
    .optional()
    .describe(
      'an embedding model that ranks answers by meaning as well as by words; memories and questions are sent to it, and nothing is sent without it',
    ),
  embeddingsBaseUrl: urlSchema.optional().describe('address of that provider, if not the usual one'),
});

/** Everything a person can set, with its default. `until` and the number of cycles become part of the policy when a run starts. */
export const settingsSchema = z.strictObject({
  agent: agentSchema.prefault({}).describe('the agent that does the work'),
  mode: z
    .enum(['once', 'autonomous'])
    .default('once')
    .describe('once: one context window · autonomous: up to `autonomousMaxCycles` of them'),
  autonomousMaxCycles: z
    .number()
    .int()
    .optional()
    .describe(
      `context windows of an autonomous run, ${autonomousCyclesMin} to ${autonomousCyclesMax}; default ${autonomousCyclesDefault}`,
    ),
  limits: limitsSchema
    .omit({ cyclesMax: true })
    .extend({ until: momentSchema.optional().describe('no turn starts after this moment') })
    .prefault({})
    .describe('when a run ends; each limit counts on its own, and a missing budget means no limit'),
  approvals: policy.approvals,
  review: policy.review,
  gates: policy.gates.describe('questions that wait for a person'),
  advice: adviceSettingsSchema
    .prefault({})
    .describe("the decision model's opinion, which never overrides a rule"),
  memory: memorySettingsSchema.prefault({}).describe('what is kept from cycle to cycle'),
  recentDecisions: policy.recentDecisions,
  checks: z
    .union([z.literal('auto'), z.array(z.strictObject(checkSchema.omit({ source: true }).shape)).max(50)])
    .meta({ expects: '`auto`, or a list of checks with name, command and cwd' })
    .default('auto')
    .describe(
      'what we run ourselves before we accept "finished"; auto: detected in the workspace; each check has a `name`, a `command` for `sh -c`, and a `cwd` inside the workspace',
    ),
  notifications: z
    .strictObject({
      desktop: z.boolean().default(true).describe('show a notification on this desktop, if there is one'),
      webhook: urlSchema.optional().describe('address that receives each notification as a JSON POST'),
      slack: urlSchema.optional().describe('incoming webhook of a Slack channel'),
      links: urlSchema
        .optional()
        .describe(
          'address that accepts your answers; with it webhooks include signed links that approve or deny once',
        ),
    })
    .prefault({})
    .describe('how you learn that a run needs you'),
  secrets: z
    .strictObject({
      env: z
        .array(variableSchema)
        .max(200)
        .default([])
        .describe(
          'environment variables whose values are never stored, in addition to those with telling names',
        ),
    })
    .prefault({})
    .describe('what is removed from everything we store'),
  guards: guardConfigSchema
    .extend({
      rules: guards.rules.describe(
        'your own rules about actions, each with examples; none can shrink the never list',
      ),
      effects: guards.effects.describe('other verdicts for effects: allow, ask or forbid'),
      protectedBranches: guards.protectedBranches.describe(
        'branches that may not be pushed to without asking',
      ),
    })
    .prefault({})
    .describe('which actions are allowed, asked about or forbidden'),
});
export type Settings = z.infer<typeof settingsSchema>;

type WrittenField<K, T> =
  T extends z.ZodPrefault<z.ZodObject<infer S extends z.ZodRawShape>>
    ? z.ZodOptional<z.ZodObject<WrittenShape<S>, z.core.$strict>>
    : K extends `${string}Ms`
      ? z.ZodOptional<typeof durationSchema>
      : T extends z.ZodDefault<infer I>
        ? z.ZodOptional<I>
        : T;
type WrittenShape<S extends z.ZodRawShape> = { -readonly [K in keyof S]: WrittenField<K, S[K]> };

/** The same settings as a file holds them: every key optional, so that an absent one leaves the layer below alone. */
function written<S extends z.ZodRawShape>(shape: S): z.ZodObject<WrittenShape<S>, z.core.$strict> {
  const fields = Object.entries(shape).map(([key, field]) => [key, writtenField(key, field as z.ZodType)]);
  return z.strictObject(Object.fromEntries(fields)) as unknown as z.ZodObject<
    WrittenShape<S>,
    z.core.$strict
  >;
}

function writtenField(key: string, field: z.ZodType): z.ZodType {
  const description = field.description ?? '';
  if (field instanceof z.ZodPrefault && field.unwrap() instanceof z.ZodObject) {
    return written((field.unwrap() as z.ZodObject).shape)
      .optional()
      .meta({ description });
  }
  const inner = (
    field instanceof z.ZodDefault || field instanceof z.ZodOptional ? field.unwrap() : field
  ) as z.ZodType;
  const value = key.endsWith('Ms') ? durationSchema : inner;
  const fallback = field instanceof z.ZodDefault ? { default: field.def.defaultValue } : {};
  return value.optional().meta({ description, ...fallback });
}

/** `.tireless/config.yaml`, and `config.yaml` of the person. */
export const configFileSchema = written(settingsSchema.shape);
export type ConfigFile = z.infer<typeof configFileSchema>;

type Leaf = string | number | boolean | readonly unknown[];
/** The name of one setting as people read it: `mode`, `limits.turnsMax`. */
export type ConfigKey = {
  [K in keyof Settings & string]-?: NonNullable<Settings[K]> extends Leaf
    ? K
    : `${K}.${keyof NonNullable<Settings[K]> & string}`;
}[keyof Settings & string];
