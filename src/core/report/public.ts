/**
 * What every part of a report for strangers is made with. A public part is built anew, field by field, so that a field
 * added tomorrow is absent until somebody decides to show it.
 */

/** These fields of a value, and no others. */
export const pick = <T, K extends keyof T>(from: T, ...names: readonly K[]): Pick<T, K> =>
  Object.fromEntries(names.map((name) => [name, from[name]])) as Pick<T, K>;

/** Names our own code gives have this shape; anything else may be somebody's words. */
const ourName = /^[a-z][a-z0-9:-]{0,60}$/;
const ourCause = /^[a-z][a-z0-9-]{0,40}(:[A-Za-z][A-Za-z0-9-]{0,40})?$/;
export const named = (name: string): string => (ourName.test(name) ? name : 'hidden');
export const caused = (cause: string | null): string | null =>
  cause === null || ourCause.test(cause) ? cause : 'hidden';

export type CheckNames = (name: string) => string;

/** A check keeps its place, not its name: names come from the project. */
export function checkNames(checks: readonly { readonly name: string }[]): CheckNames {
  const numbers = new Map<string, number>();
  const number = (name: string): number => {
    const known = numbers.get(name) ?? numbers.size + 1;
    numbers.set(name, known);
    return known;
  };
  for (const check of checks) number(check.name);
  return (name) => `check ${number(name)}`;
}
