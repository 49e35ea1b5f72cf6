/** Scripts and targets with such a name are how a project proves itself. */
export const proving = /test|spec|check|verify|coverage|e2e|(^|[:_-])ci($|[:_-])/i;

const dependencyKeys = ['dependencies', 'devDependencies', 'overrides', 'resolutions', 'imports'];

/** The values under these keys of a JSON manifest, and the versions of the test runners among its dependencies. */
export function jsonParts(text: string, keys: readonly string[], runner?: RegExp): string {
  try {
    const all = JSON.parse(text) as Record<string, unknown>;
    const runners = dependencyKeys.map((key) =>
      Object.entries((all[key] ?? {}) as Record<string, unknown>).filter(([name]) => runner?.test(name)),
    );
    return JSON.stringify([keys.map((key) => all[key] ?? null), runners]);
  } catch {
    return text; // what cannot be read cannot be shown to be harmless
  }
}

/** The bodies of the INI or TOML sections whose names fit. */
export function sectionsOf(text: string, wanted: RegExp): string {
  let isIn = false;
  const kept: string[] = [];
  for (const line of text.split('\n')) {
    const section = /^\s*\[+\s*([^\]]+?)\s*\]+/.exec(line)?.[1];
    if (section !== undefined) isIn = wanted.test(section);
    if (isIn && line.trim() !== '') kept.push(line.trim());
  }
  return kept.join('\n');
}
