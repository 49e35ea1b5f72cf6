import { posix } from 'node:path';
import { type Node, parseSync, visitorKeys } from 'oxc-parser';

export const fileLinesMax = 400;
export const functionLinesMax = 90;

/** What a layer may import: layers of `src/`, and packages (absent: any package). */
const mayImport: Record<string, { layers: string[]; packages?: string[] }> = {
  contract: { layers: ['contract'], packages: ['zod'] },
  core: { layers: ['contract', 'core'], packages: ['zod', 'unbash'] },
  edge: { layers: ['contract', 'core', 'edge'] },
  testkit: { layers: ['contract', 'core', 'edge', 'testkit'] },
};

/** The members of these globals that give the same answer every time; any other use may read clock or dice. */
const steadyMembers: Record<string, (member: string) => boolean> = {
  Date: (member) => ['UTC', 'parse', 'prototype'].includes(member),
  Math: (member) => member !== 'random',
  performance: () => false,
  crypto: () => false,
  globalThis: () => false,
};

/**
 * Every violation in one source file, as `path:line what`. `path` is relative to the root and decides what is checked:
 * time and chance in `src/contract` and `src/core`, imports by layer, lengths everywhere in `src`.
 */
export function violations(path: string, source: string): string[] {
  const program = parsed(path, source);
  const lineOf = lineCounter(source);
  const layer = path.split('/')[1] ?? '';
  const isTest = path.endsWith('.test.ts');
  const found: string[] = [];
  const report = (node: Node, what: string) => found.push(`${path}:${lineOf(node.start)} ${what}`);

  const lines = source.trimEnd().split('\n').length;
  if (lines > fileLinesMax) found.push(`${path}:1 ${lines} lines, at most ${fileLinesMax}`);

  walk(program, undefined, (node, parent) => {
    // A suite is one function as long as its tests.
    if (isTest) return;
    if (isFunction(node)) {
      const length = lineOf(node.end) - lineOf(node.start) + 1;
      if (length > functionLinesMax) report(node, `function of ${length} lines, at most ${functionLinesMax}`);
    }
    const specifier = importedFrom(node);
    if (specifier !== undefined && !isAllowedImport(path, specifier)) {
      report(node, `${layer} may not import '${specifier}'`);
    }
    if (layer === 'contract' || layer === 'core') {
      const global = unsteadyGlobal(node, parent);
      if (global) report(node, `${global}: time, chance and identity arrive as data`);
    }
  });
  return found;
}

/** Everything a source file imports, types included. */
export function imports(path: string, source: string): string[] {
  const found: string[] = [];
  walk(parsed(path, source), undefined, (node) => {
    const specifier = importedFrom(node);
    if (specifier !== undefined) found.push(specifier);
  });
  return found;
}

function parsed(path: string, source: string): Node {
  const { program, errors } = parseSync(path, source);
  if (errors.length > 0) throw new Error(`${path} does not parse: ${errors[0]?.message}`);
  return program;
}

function walk(
  node: Node,
  parent: Node | undefined,
  visit: (node: Node, parent: Node | undefined) => void,
): void {
  visit(node, parent);
  for (const key of visitorKeys[node.type] ?? []) {
    const child = (node as unknown as Record<string, Node | (Node | null)[] | null | undefined>)[key];
    for (const one of Array.isArray(child) ? child : [child]) {
      if (one) walk(one, node, visit);
    }
  }
}

function isFunction(node: Node): boolean {
  return (
    node.type === 'FunctionDeclaration' ||
    node.type === 'FunctionExpression' ||
    node.type === 'ArrowFunctionExpression'
  );
}

function importedFrom(node: Node): string | undefined {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportAllDeclaration':
    case 'TSImportType':
      return node.source.value;
    case 'ExportNamedDeclaration':
      return node.source?.value;
    case 'ImportExpression':
      return node.source.type === 'Literal' ? String(node.source.value) : '(computed)';
    default:
      return undefined;
  }
}

function isAllowedImport(path: string, specifier: string): boolean {
  const allowed = mayImport[path.split('/')[1] ?? ''];
  if (!allowed) return true;
  if (specifier.startsWith('.')) {
    const [top, layer = ''] = posix.join(posix.dirname(path), specifier).split('/');
    return top === 'src' && allowed.layers.includes(layer);
  }
  const name = specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
  return allowed.packages?.includes(name) ?? true;
}

/** Names the global when this identifier reads clock or dice, or passes the global on so that someone else could. */
function unsteadyGlobal(node: Node, parent: Node | undefined): string | undefined {
  if (node.type !== 'Identifier' || !parent) return undefined;
  const isSteady = Object.hasOwn(steadyMembers, node.name) ? steadyMembers[node.name] : undefined;
  if (!isSteady || isOnlyAName(node, parent)) return undefined;
  if (parent.type === 'MemberExpression') {
    const member = memberName(parent);
    return member !== undefined && isSteady(member) ? undefined : `${node.name}.${member ?? '[…]'}`;
  }
  if (node.name === 'Date') {
    if (parent.type === 'NewExpression' && parent.callee === node && parent.arguments.length > 0)
      return undefined;
    if (parent.type === 'BinaryExpression' && parent.operator === 'instanceof') return undefined;
  }
  return node.name;
}

/** A property, key or type that happens to be called like the global. */
function isOnlyAName(node: Node, parent: Node): boolean {
  if (parent.type === 'MemberExpression') return parent.property === node && !parent.computed;
  if (parent.type === 'Property') return parent.key === node && !parent.computed && !parent.shorthand;
  return parent.type === 'TSTypeReference' || parent.type === 'TSPropertySignature';
}

function memberName(node: Node & { type: 'MemberExpression' }): string | undefined {
  if (!node.computed) return node.property.type === 'Identifier' ? node.property.name : undefined;
  return node.property.type === 'Literal' ? String(node.property.value) : undefined;
}

function lineCounter(source: string): (offset: number) => number {
  const starts = [0];
  for (let at = source.indexOf('\n'); at !== -1; at = source.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    const next = starts.findIndex((start) => start > offset);
    return next === -1 ? starts.length : next;
  };
}
