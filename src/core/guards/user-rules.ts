import type { GuardVerdict } from '../../contract/action.ts';
import type { UserRule } from '../../contract/guard.ts';
import type { Finding, FoundEffect } from './call.ts';
import type { GuardContext } from './context.ts';
import { patternTextCharsMax } from './guard-bounds.ts';
import { below, globMatches, oneChar, star } from './marks.ts';

/** A person's rule that speaks about one simple command. */
export interface SpeakingRule {
  name: string;
  verdict: GuardVerdict;
  because: string;
  instead: string | undefined;
  isPath: boolean;
  speaksOf: (effect: FoundEffect) => boolean;
}

const patterns = new WeakMap<UserRule, RegExp>();

function patternOf(rule: UserRule, source: string): RegExp {
  const known = patterns.get(rule) ?? new RegExp(source, 'u');
  patterns.set(rule, known);
  return known;
}

/** `**`, `*` and `?` of a person's glob as our marks. */
const asMarks = (glob: string): string =>
  glob.replaceAll('**/', below).replaceAll('**', below).replaceAll('*', star).replaceAll('?', oneChar);

/** Does a person's glob cover this path? Relative globs stand in the workspace. */
function coversPath(glob: string, path: string, context: GuardContext): boolean {
  const home = glob.startsWith('~/') ? context.home + glob.slice(1) : glob;
  const absolute = home.startsWith('/') ? home : `${context.workspace}/${home.replace(/^\.\//, '')}`;
  return matchesParts(asMarks(absolute), path);
}

/** Like `globMatches`, but `*` and `?` do not cross a slash. */
function matchesParts(glob: string, path: string): boolean {
  let source = '';
  for (const char of glob) {
    if (char === star) source += '[^/]*';
    else if (char === oneChar) source += '[^/]';
    else if (char === below) source += '(?:.*)';
    else source += char.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&');
  }
  return [...glob].filter((char) => char === star || char === below).length > 6
    ? globMatches(glob, path)
    : new RegExp(`^${source}$`).test(path);
}

function speaks(rule: UserRule, finding: Finding, context: GuardContext): boolean {
  const { when } = rule;
  if ('program' in when) {
    if (finding.program !== when.program) return false;
    const words = finding.args.filter((arg) => !arg.startsWith('-'));
    return (when.args ?? []).every((word, index) => words[index] === word);
  }
  if ('tool' in when)
    return finding.program.startsWith('tool:') && globMatches(asMarks(when.tool), finding.program.slice(5));
  if ('matches' in when)
    return patternOf(rule, when.matches).test(finding.shown.slice(0, patternTextCharsMax));
  return finding.effects.some((effect) => speaksOfPath(rule, effect, context));
}

function speaksOfPath(rule: UserRule, effect: FoundEffect, context: GuardContext): boolean {
  if (!('path' in rule.when) || effect.path === undefined) return false;
  if (rule.when.access !== undefined && rule.when.access !== effect.access) return false;
  return coversPath(rule.when.path, effect.path, context);
}

/** The person's rules that speak about this simple command. */
export function rulesFor(finding: Finding, context: GuardContext): SpeakingRule[] {
  return context.config.rules
    .filter((rule) => speaks(rule, finding, context))
    .map((rule) => ({
      name: rule.name,
      verdict: rule.verdict,
      because: rule.because,
      instead: rule.instead,
      isPath: 'path' in rule.when,
      speaksOf: (effect) => speaksOfPath(rule, effect, context),
    }));
}
