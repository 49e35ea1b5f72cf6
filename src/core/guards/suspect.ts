import type { GuardEffectKind } from '../../contract/guard.ts';
import type { Call, World } from './call.ts';
import { isPersonOnly, isRefused } from './rules/never.ts';
import { unescapeText } from './shell/escapes.ts';
import { nothing } from './shell/state.ts';

/** Words of one call that are tried as commands. */
const triedMax = 5;
const triedCharsMax = 2_000;
const triedWordsMax = 40;

const unread: ReadonlySet<GuardEffectKind> = new Set(['opaque', 'unreadable', 'run-remote', 'run-code']);
const isListed = (kind: GuardEffectKind): boolean =>
  (isRefused(kind) || isPersonOnly(kind)) && !unread.has(kind);

/** Calls that may run their own words, in a way that is not known. */
const mayRun: ReadonlySet<GuardEffectKind> = new Set(['unknown', 'run-any', 'remote-shell', 'interactive']);

/**
 * A program that is not known may be a wrapper. If its words, run as a command, were on the never list, then nobody
 * but a person answers for it.
 */
export function suspectWords(call: Call, world: World): void {
  if (!world.current.effects.some(({ kind }) => mayRun.has(kind))) return;
  const args = call.args.slice(0, triedWordsMax);
  const tails = args.flatMap((arg, at) => (arg.startsWith('-') ? [] : [args.slice(at)])).slice(0, triedMax);
  const texts = args.filter((arg) => /\s/.test(arg)).slice(0, triedMax);
  suspect(world, call, texts, tails);
}

/** Texts inside code that is not understood: `os.system("rm -rf /")`, `["git", "push", "-f"]`. */
export function suspectTexts(strings: readonly string[], call: Call, world: World): void {
  const read = strings.slice(0, triedWordsMax).map(unescapeText);
  const texts = read.filter((text) => /\s/.test(text)).slice(0, triedMax);
  const words = read.filter((text) => text !== '' && !/\s/.test(text));
  const tails = words.flatMap((_word, at) => [words.slice(at)]).slice(0, triedMax);
  suspect(world, call, texts, tails);
}

function suspect(
  world: World,
  call: Call,
  texts: readonly string[],
  lists: readonly (readonly string[])[],
): void {
  const apart = world.apart?.();
  if (!apart) return;
  const inner: Call = { ...call, stdin: nothing, env: new Map(), secrets: [] };
  for (const text of texts) if (text.length <= triedCharsMax) apart.script(text, inner);
  for (const words of lists) apart.run(words, inner);
  const listed = apart.findings
    .flatMap((finding) => finding.effects)
    .find((effect) => effect.isListed || isListed(effect.kind));
  if (!listed) return;
  const what = `its words, if it runs them, are on the never list: ${listed.kind}, ${listed.what}`;
  world.current.effects.push({ kind: 'opaque', what, isListed: true });
}
