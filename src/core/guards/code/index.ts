import { reads } from '../access.ts';
import { type Call, report, type World } from '../call.ts';
import { hasAnything, shown } from '../marks.ts';
import { isSecretVariable } from '../shell/state.ts';
import { suspectTexts } from '../suspect.ts';
import { judgeCodeFiles } from './file-access.ts';
import { alwaysAsks, languages } from './languages.ts';
import { judgePerl } from './perl.ts';
import { type CodeTokens, readCode } from './tokens.ts';

export type Language = 'shell' | 'perl' | keyof typeof languages;

/** Judges code given inline: harmless only when every name in it is known to compute, print or read. */
export function judgeCode(language: Language, code: string, call: Call, world: World): void {
  if (language === 'shell') {
    world.script(code, call);
    return;
  }
  if (hasAnything(code)) {
    report(world, 'opaque', `${call.program} code that is not known before it runs`);
    return;
  }
  if (language === 'perl') {
    judgePerl(code, call, world);
    if (world.current.effects.some(({ kind }) => kind === 'run-code')) {
      suspectTexts(readCode(code, { lineComments: [], quotes: `'"` }).strings, call, world);
    }
    return;
  }
  const knowledge = languages[language];
  const tokens = readCode(withoutVariables(code, call, world), knowledge.grammar);
  const bound = boundNames(tokens.bare, knowledge.binds);
  const strange =
    knowledge.asks?.exec(tokens.bare)?.[0] ??
    tokens.strings.find((text) => knowledge.asksInText?.test(text)) ??
    tokens.names.find(({ name, isMember }) => !isHarmless(name, isMember, knowledge.pure, bound))?.name;
  if (strange !== undefined) {
    report(world, 'run-code', `${call.program} code that uses ${shown(strange.trim())}`);
    suspectTexts(tokens.strings, call, world);
    return;
  }
  if (language === 'javascript') judgeRequires(code, tokens, call, world);
  if (language === 'python') judgeImports(tokens, world, call);
  judgeCodeFiles(code, tokens, call, world);
  report(world, 'read', `${call.program} code that only computes and prints`);
}

/** Variables of the environment by name: data, or a secret. The whole environment stays where it is and is asked about. */
function withoutVariables(code: string, call: Call, world: World): string {
  return code.replaceAll(
    /\bprocess\.env\.(\w+)|\bos\.environ\[['"](\w+)['"]\]|\bos\.(?:getenv|environ\.get)\(['"](\w+)['"]\)|\bENV\[['"](\w+)['"]\]|\bgetenv\(['"](\w+)['"]\)/g,
    (_whole, ...names: (string | undefined)[]) => {
      const name = names.slice(0, 5).find((one) => typeof one === 'string') ?? '';
      if (isSecretVariable(name)) report(world, 'read-secret', `the variable ${name}, by ${call.program}`);
      return '""';
    },
  );
}

function isHarmless(
  name: string,
  isMember: boolean,
  pure: ReadonlySet<string>,
  bound: ReadonlySet<string>,
): boolean {
  if (pure.has(name)) return true;
  return !isMember && bound.has(name) && !alwaysAsks.test(name);
}

function boundNames(code: string, patterns: readonly RegExp[]): Set<string> {
  const names = new Set<string>();
  for (const pattern of patterns) {
    for (const match of code.matchAll(pattern)) {
      for (const group of match.slice(1))
        for (const word of group?.match(/[A-Za-z_]\w*/g) ?? []) names.add(word);
    }
  }
  return names;
}

const harmlessModules =
  /^(node:)?(path|util|url|querystring|assert|os|events|crypto|buffer|fs|fs\/promises|string_decoder|punycode|perf_hooks|semver|typescript|lodash|chalk)$/;

/** Modules are loaded by a literal name: of the language, of the workspace, or a question. */
function judgeRequires(code: string, tokens: CodeTokens, call: Call, world: World): void {
  const calls = tokens.bare.match(/\brequire\b/g)?.length ?? 0;
  const named = [...code.matchAll(/\brequire\s*\(\s*(['"`])([^'"`$]+)\1\s*\)/g)].map(
    (match) => match[2] as string,
  );
  const imported = [...code.matchAll(/\bimport\b[^'"`;]*?(['"`])([^'"`$]+)\1/g)].map(
    (match) => match[2] as string,
  );
  if (named.length < calls) {
    report(world, 'run-code', `${call.program} code that loads a computed module`);
    return;
  }
  for (const name of [...named, ...imported]) {
    if (harmlessModules.test(name)) continue;
    if (/^\.{1,2}\//.test(name) || /\.json$/.test(name)) reads(world, call, name);
    else report(world, 'run-code', `${call.program} code that loads ${shown(name)}`);
  }
}

const pythonModules =
  /^(sys|json|re|math|time|datetime|collections|itertools|functools|operator|string|random|statistics|decimal|fractions|textwrap|pprint|platform|base64|binascii|hashlib|hmac|uuid|calendar|locale|unicodedata|struct|zlib|html|csv|io|copy|enum|typing|dataclasses|sysconfig|site|keyword|ast|bisect|heapq|array|secrets|timeit|numbers|difflib|shlex|fnmatch|glob|pathlib|os|os\.path|urllib|urllib\.parse|xml|xml\.etree|xml\.etree\.ElementTree|xml\.dom|configparser|tomllib|tomli|yaml|toml|importlib|importlib\.metadata|importlib\.util)$/;

/** What may be asked of a module whose code is not known. */
const askedOfModules =
  /^(__version__|__file__|__name__|__doc__|__path__|VERSION|version|get_version|version_info|is_available|cuda|device_count|__git_version__)$/;

/** Other modules may be imported to ask for their version; what else they do is not known. */
function judgeImports(tokens: CodeTokens, world: World, call: Call): void {
  const { bare } = tokens;
  for (const match of bare.matchAll(/\b(?:from\s+([\w.]+)\s+import\s+([\w., ]+)|import\s+([\w., ]+))/g)) {
    const [, from, taken, modules] = match;
    if (from !== undefined && pythonModules.test(from)) continue;
    for (const part of (taken ?? modules ?? '').split(',')) {
      const [name = '', , alias] = part.trim().split(/\s+/);
      if (name === '' || (from === undefined && pythonModules.test(name))) continue;
      const used = (alias ?? name).split('.')[0] as string;
      const uses = [...bare.matchAll(new RegExp(`\\b${used}((?:\\.\\w+)*)\\s*(\\(?)`, 'g'))];
      const isAsked = ([, members = '', calls]: RegExpMatchArray) =>
        members === ''
          ? calls !== '('
          : members
              .slice(1)
              .split('.')
              .every((one) => askedOfModules.test(one) || name.includes(one));
      if (!uses.every(isAsked))
        report(world, 'run-code', `${call.program} code that uses ${shown(from ?? name)}`);
    }
  }
}
