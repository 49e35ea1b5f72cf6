import { reads, writes } from '../access.ts';
import { type Call, report, type World } from '../call.ts';
import type { CodeTokens } from './tokens.ts';

/** Names that change files, in code that otherwise only computes. */
const writing =
  /\b(write_text|write_bytes|writeFileSync|appendFileSync|writeFile|appendFile|mkdirSync|copyFileSync|makedirs|mkdir|touch)\b|\bopen\s*\([^)]*,\s*(?:mode\s*=\s*)?['"][^'"]*[wax+]/;

/** Ways to make a path that does not stand in the code. */
const computing =
  /\b(homedir|expanduser|expandvars|home|environ|getenv|env|argv|stdin|input|chr|fromCharCode|fromCodePoint|b64decode|urlsafe_b64decode|unhexlify|fromhex|atob|decode|decodeURIComponent|tmpdir|sep|reversed|reverse|translate)\b|\[\s*:\s*:\s*-|%c/;

const systemPath =
  /^(\/$|\/(etc|usr|home|root|var|bin|sbin|opt|boot|dev|proc|sys|lib|lib64|Users|mnt|srv|run|tmp|private|Library|System|Applications)(\/|$)|~)/;

const looksLikePath = (text: string): boolean => {
  if (text.length > 200 || /[\s<>|"'`(){};,=*]|:\/\//.test(text)) return false;
  if (text.startsWith('/')) return systemPath.test(text) || /^(\/[\w.@+-]+){2,}\/?$/.test(text);
  return /^~|\//.test(text) || /^\.{1,2}$|^\.?[\w-]+(\.[\w-]+)*\.[A-Za-z]\w{0,7}$|^\.[a-z]/.test(text);
};

/**
 * Files that inline code touches. Reading is judged by the paths that stand in it. Writing is understood only when
 * every path stands in it: then each of them may be written, and each is judged as such.
 */
export function judgeCodeFiles(code: string, tokens: CodeTokens, call: Call, world: World): void {
  const paths = tokens.strings.filter(looksLikePath);
  const isWriting = writing.test(code);
  if (!isWriting) {
    for (const path of paths) reads(world, call, path);
    return;
  }
  const trick =
    computing.exec(tokens.bare)?.[0] ??
    (tokens.strings.some((text) => text.includes('%c')) ? '%c' : undefined);
  if (trick !== undefined || paths.length === 0) {
    report(world, 'run-code', `${call.program} code that writes to a computed path`);
    return;
  }
  for (const path of paths) {
    reads(world, call, path);
    writes(world, call, path);
  }
}
