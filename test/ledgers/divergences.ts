import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One divergence as `divergences.json` names it. */
export const pinned = ({ seq, what }: { readonly seq: number; readonly what: string }): string =>
  `#${seq} ${what}`;

/** What is pinned for a ledger that stays for ever; one that is not in the list has not been looked at. */
export function divergencesOf(ledger: string): readonly string[] {
  const file = join(import.meta.dirname, 'divergences.json');
  const known = JSON.parse(readFileSync(file, 'utf8')) as Record<string, readonly string[]>;
  const found = known[ledger];
  if (found === undefined) throw new Error(`${ledger} is not in ${file}`);
  return found;
}
