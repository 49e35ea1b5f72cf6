import { posix } from 'node:path';
import { imports } from './inspect.ts';

/** Groups of files that import each other, directly or around a corner; types count. Sorted, so that a failure reads the same. */
export function importCycles(sources: ReadonlyMap<string, string>): string[][] {
  const graph = new Map(
    [...sources].map(([path, source]) => [
      path,
      imports(path, source)
        .filter((specifier) => specifier.startsWith('.'))
        .map((specifier) => posix.join(posix.dirname(path), specifier)),
    ]),
  );
  return stronglyConnected(graph)
    .filter((group) => group.length > 1 || graph.get(group[0] ?? '')?.includes(group[0] ?? ''))
    .map((group) => group.sort())
    .sort();
}

/** Tarjan's algorithm. */
function stronglyConnected(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const index = new Map<string, number>();
  const stack: string[] = [];
  const groups: string[][] = [];
  const visit = (node: string): number => {
    index.set(node, index.size);
    let lowest = index.size - 1;
    stack.push(node);
    for (const next of graph.get(node) ?? []) {
      if (!index.has(next)) lowest = Math.min(lowest, visit(next));
      else if (stack.includes(next)) lowest = Math.min(lowest, index.get(next) ?? 0);
    }
    if (lowest === index.get(node)) groups.push(stack.splice(stack.indexOf(node)));
    return lowest;
  };
  for (const node of graph.keys()) if (!index.has(node)) visit(node);
  return groups;
}
