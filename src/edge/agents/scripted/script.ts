import { z } from 'zod';
import { failureKindSchema } from '../../../contract/index.ts';

/** One thing the scripted agent does. Only its messages are scripted: files are really edited and commands really run. */
const stepSchema = z.union([
  z.strictObject({ say: z.string() }),
  z.strictObject({ think: z.number().int().nonnegative().describe('ms of thinking') }),
  z.strictObject({ write: z.string(), text: z.string() }),
  z.strictObject({ replace: z.string(), find: z.string(), with: z.string() }),
  z.strictObject({ run: z.string() }),
  z.strictObject({ background: z.string().describe('a command that outlives its turn') }),
  z.strictObject({ subagent: z.string().describe('a sub-agent runs the command'), run: z.string() }),
  z.strictObject({ garbage: z.string().describe('a line nobody can read') }),
  z.strictObject({ session: z.enum(['clear', 'fork', 'compact', 'resume']).describe('it goes by a new id') }),
  z.strictObject({
    tool: z.string().describe('one of our tools, called over MCP'),
    with: z.record(z.string(), z.unknown()).default({}),
  }),
  z.strictObject({ ask: z.string(), options: z.array(z.string()).optional() }),
  z.strictObject({
    plan: z.array(
      z.strictObject({ step: z.string(), status: z.enum(['pending', 'in-progress', 'completed']) }),
    ),
  }),
  z.strictObject({ report: z.enum(['done', 'blocked', 'waiting']), evidence: z.string() }),
  z.strictObject({ tokens: z.number().int().positive() }),
  z.strictObject({ compact: z.literal(true) }),
  z.strictObject({ fail: failureKindSchema, message: z.string(), resetInMs: z.number().optional() }),
  z.strictObject({ die: z.literal(true) }),
  z.strictObject({ hang: z.literal(true) }),
]);
export type Step = z.infer<typeof stepSchema>;

const scriptedTurnSchema = z.strictObject({ steps: z.array(stepSchema), message: z.string() });
export type ScriptedTurn = z.infer<typeof scriptedTurnSchema>;

/** The n-th prompt gets the n-th turn; further prompts get the last one again, so it should be safe to repeat. */
export const scriptSchema = z.strictObject({
  turns: z.array(scriptedTurnSchema).min(1),
  /** Ask before every command and edit. */
  asks: z.boolean().default(true),
  paceMs: z
    .number()
    .int()
    .nonnegative()
    .default(0)
    .describe('pause between steps, so that a person can follow'),
});
export type Script = z.infer<typeof scriptSchema>;
