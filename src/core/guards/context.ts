import { type GuardContext, type GuardContextInput, guardContextSchema } from '../../contract/guard.ts';

const filled = new WeakMap<object, GuardContext>();

/** The context with its defaults, paths without a slash at their end. */
export function fullContext(input: GuardContextInput): GuardContext {
  const known = filled.get(input);
  if (known) return known;
  const parsed = guardContextSchema.parse(input);
  const context: GuardContext = {
    ...parsed,
    workspace: trimmed(parsed.workspace),
    home: trimmed(parsed.home),
    tirelessHome: trimmed(parsed.tirelessHome),
  };
  filled.set(input, context);
  filled.set(context, context);
  return context;
}

const trimmed = (path: string): string => (path.length > 1 ? path.replace(/\/+$/, '') : path);

export type { GuardContext };
