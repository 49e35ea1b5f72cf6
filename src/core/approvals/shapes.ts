import { type Command, type CommandNode, type PipelineNode, parse, type Word } from 'unbash';
import type { Action, GuardEffectKind, Judgement } from '../../contract/index.ts';
import { guardEffectKindSchema } from '../../contract/index.ts';
import { bounds } from '../bounds.ts';

/** A shape a person allowed: for this run, and only for the effects they were shown. */
export interface AllowedShape {
  readonly shape: string;
  readonly kinds: readonly string[];
  readonly gate: string;
  readonly times: number;
}

/** Effects that are asked about one action at a time: secrets, settings, other users, and every way to run anything else. */
const oneAtATime: ReadonlySet<string> = new Set<GuardEffectKind>([
  ...(['read-secret', 'write-secret', 'secret-send', 'read-wide', 'write-device', 'persistence'] as const),
  ...(['pipeline-change', 'agent-settings', 'git-config', 'permissions', 'privilege', 'system'] as const),
  ...(['erase-traces', 'exhaust', 'remote-shell', 'run-shell', 'run-any', 'run-code'] as const),
  ...(['run-remote', 'interactive', 'opaque', 'unreadable', 'production'] as const),
]);

/** Programs whose first argument is not a subcommand but an operand. */
const withoutSubcommand: ReadonlySet<string> = new Set(
  'rm rmdir mv cp ln mkdir touch chmod chown cat ls grep sed curl wget kill tar unzip zip'.split(' '),
);
/** Programs with two-word subcommands: `npm run build`, `docker compose up`. */
const twoWords: ReadonlySet<string> = new Set(
  'npm pnpm yarn bun docker podman gh glab aws gcloud az kubectl helm fly heroku systemctl poetry uv make'.split(
    ' ',
  ),
);
const shells: ReadonlySet<string> = new Set(['sh', 'bash', 'zsh', 'dash']);
const shellDepthMax = 3;

/** The kinds of effect in a judgement, without what they touch. */
export const kindsOf = ({ effects = [] }: Judgement): readonly GuardEffectKind[] => {
  const kinds = effects.map((effect) => guardEffectKindSchema.safeParse(effect.split(':', 1)[0]));
  return [...new Set(kinds.flatMap((kind) => (kind.success ? [kind.data] : [])))];
};

/**
 * The shapes of an action, one for each simple command; null when it may only be allowed as a single action: it is on
 * the never list, has an effect that is asked about one at a time, or its words are not all known.
 */
export function shapesOf(action: Action, judged: Judgement): readonly string[] | null {
  if (judged.verdict === 'forbid' || judged.never === true || judged.effects === undefined) return null;
  if (judged.effects.length >= bounds.effectsKnownMax || action.rendered.body !== undefined) return null;
  const kinds = kindsOf(judged);
  if (kinds.length === 0 || kinds.some((kind) => oneAtATime.has(kind))) return null;
  const shapes = rawShapes(action);
  const fits = (shape: string): boolean => shape.length <= bounds.shapeCharsMax;
  return shapes !== null && shapes.length > 0 && shapes.length <= bounds.gateLinesMax && shapes.every(fits)
    ? [...new Set(shapes)]
    : null;
}

function rawShapes(action: Action): readonly string[] | null {
  switch (action.kind) {
    case 'command':
      return commandShapes(action.rendered.text, 0);
    case 'edit':
      return ['edit'];
    case 'tool':
      return action.tool === undefined ? null : [`tool ${action.tool}`];
    case 'network':
      return [`network ${action.rendered.text.split('\n', 1)[0]}`];
    case 'permission':
      return null;
  }
}

/** The gate whose approval covers this action: every shape allowed, and no kind of effect beyond those shown. */
export function allowedBy(
  allowed: readonly AllowedShape[],
  action: Action,
  judged: Judgement,
): AllowedShape | null {
  if (allowed.length === 0 || judged.verdict !== 'ask') return null;
  const matches = shapesOf(action, judged)?.map((shape) => allowed.filter((one) => one.shape === shape));
  if (matches === undefined || matches.some((found) => found.length === 0)) return null;
  const shown = new Set(matches.flat().flatMap((one) => one.kinds));
  return kindsOf(judged).every((kind) => shown.has(kind)) ? (matches[0]?.[0] ?? null) : null;
}

function commandShapes(text: string, depth: number): readonly string[] | null {
  if (depth > shellDepthMax) return null;
  const script = parse(text);
  if (script.errors !== undefined && script.errors.length > 0) return null;
  const shapes: string[] = [];
  for (const { command, background } of script.commands) {
    const found = background === true ? null : nodeShapes(command, depth);
    if (found === null) return null;
    shapes.push(...found);
  }
  return shapes;
}

type Node =
  | CommandNode
  | PipelineNode
  | Extract<ReturnType<typeof parse>['commands'][number]['command'], object>;

function nodeShapes(node: Node, depth: number): readonly string[] | null {
  if (node.type === 'Command') return simpleShapes(node, depth);
  if (node.type !== 'AndOr' && node.type !== 'Pipeline') return null;
  const found = node.commands.map((command) => nodeShapes(command, depth));
  return found.includes(null) ? null : found.flatMap((shapes) => shapes ?? []);
}

/** A literal word, without anything that is known only at run time. */
const isKnown = ({ text }: Word): boolean => !/[$`]|[<>]\(/.test(text);

const isQuiet = (redirect: Command['redirects'][number]): boolean =>
  redirect.type === 'Redirect' &&
  (redirect.target?.value === '/dev/null' || /^[012]$/.test(redirect.target?.value ?? ''));

function simpleShapes(node: Command, depth: number): readonly string[] | null {
  const { name, args, redirects } = node;
  const hasOwnVariables = node.prefix.some((one) => one.type === 'Assignment');
  if (name === undefined || hasOwnVariables || !redirects.every(isQuiet)) return null;
  const words: string[] = [];
  for (const arg of args) {
    if (arg.type !== 'Word' || !isKnown(arg)) return null;
    words.push(arg.value);
  }
  if (!isKnown(name)) return null;
  const program = name.value.slice(name.value.lastIndexOf('/') + 1);
  const [flag = '', inner] = words;
  if (shells.has(program))
    return words.length === 2 && /^-l?c$/.test(flag) && inner !== undefined
      ? commandShapes(inner, depth + 1)
      : null;
  // A program given by path is that file, not the well-known program of that name.
  return [[name.value, ...shapeWords(program, words)].join(' ')];
}

/** The words a shape keeps: the subcommand and the options; if an option comes first, all of them. */
function shapeWords(program: string, words: readonly string[]): readonly string[] {
  const isOption = (word: string): boolean => word.startsWith('-') && word !== '-';
  const options = [...new Set(words.filter(isOption))].sort();
  if (withoutSubcommand.has(program)) return options;
  if (words[0] !== undefined && isOption(words[0])) return words;
  const leading = words.slice(0, twoWords.has(program) ? 2 : 1).filter((word) => !isOption(word));
  return [...leading, ...options];
}
