import { z } from 'zod';

/** Only these strings are shown besides enums and digests: names our own code gives, in the shape it gives them. */
const namePaths: ReadonlyMap<string, RegExp> = new Map([
  ['decision.rule', /^[a-z][a-z0-9:-]{0,60}$/],
  ['decision.cause', /^[a-z][a-z0-9-]{0,40}(:[A-Za-z][A-Za-z0-9-]{0,40})?$/],
  ['effects.rule', /^[a-z][a-z0-9:-]{0,60}$/],
  ['event.agent.name', /^[a-z][a-z0-9-]{0,30}$/],
  ['event.agent.door', /^[a-z][a-z0-9-]{0,30}$/],
]);
const digest = /^([0-9a-f]{40}|[0-9a-f]{64})$/;

/**
 * What may be shown of a value: numbers, yes and no, words from a fixed list, digests. Everything else is left out; a
 * list of which nothing may be shown becomes its length. The schema decides, so a field added tomorrow is hidden
 * unless it cannot carry text.
 */
export function redact(schema: z.core.$ZodType, value: unknown, path = ''): unknown {
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return value;
  if (typeof value === 'string') return mayShow(schema, value, path) ? value : undefined;
  if (schema instanceof z.ZodObject && typeof value === 'object') {
    const shown = Object.entries(schema.shape).flatMap(([key, inner]) => {
      const part = redact(
        inner,
        (value as Record<string, unknown>)[key],
        path === '' ? key : `${path}.${key}`,
      );
      return part === undefined ? [] : [[key, part] as const];
    });
    return shown.length === 0 ? undefined : Object.fromEntries(shown);
  }
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    const shown = value.map((one) => redact(schema.element, one, path));
    return shown.every((one) => one === undefined) ? value.length : shown.map((one) => one ?? null);
  }
  const option = chosen(schema, value);
  return option === undefined ? undefined : redact(option, value, path);
}

function mayShow(schema: z.core.$ZodType, value: string, path: string): boolean {
  if (schema instanceof z.ZodEnum || schema instanceof z.ZodLiteral) return schema.safeParse(value).success;
  if (schema instanceof z.ZodString && hasPattern(schema)) return digest.test(value);
  const option = chosen(schema, value);
  if (option !== undefined) return mayShow(option, value, path);
  return namePaths.get(path)?.test(value) ?? false;
}

/** A string bound to a pattern is an identity by construction; forty hex digits in a free text may be a password. */
function hasPattern(schema: z.ZodString): boolean {
  return (schema.def.checks ?? []).some((check) => check._zod.def.check === 'string_format');
}

/** The schema inside a wrapper, or the option of a union that takes the value. */
function chosen(schema: z.core.$ZodType, value: unknown): z.core.$ZodType | undefined {
  if (schema instanceof z.ZodUnion)
    return schema.options.find((option) => z.safeParse(option, value).success);
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault
  ) {
    return schema.unwrap();
  }
  return undefined;
}
