/** The known word that was probably meant, or undefined when none is near. Case, `-` and `_` do not count. */
export function suggestion(written: string, known: readonly string[]): string | undefined {
  const plain = (word: string) => word.replace(/[-_\s]/g, '').toLowerCase();
  const target = plain(written).slice(0, 60);
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(target.length / 3)) + 1;
  for (const word of known) {
    const distance = editDistance(target, plain(word));
    if (distance < bestDistance) [best, bestDistance] = [word, distance];
  }
  return best;
}

/** Letters to add, remove, change or swap with their neighbour to get from `a` to `b`. */
export function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const here = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      here[column] = Math.min(
        (last[column] ?? 0) + 1,
        (here[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
        swapped ? (before[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [before, last] = [last, here];
  }
  return last[b.length] ?? 0;
}
