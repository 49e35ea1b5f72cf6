import { readFileSync } from 'node:fs';

/** Our own version, from the package this file is shipped in. Found by name, since bundles lie at other depths than sources. */
export function ownVersion(): string {
  for (const up of ['../package.json', '../../package.json', './package.json']) {
    try {
      const found = JSON.parse(readFileSync(new URL(up, import.meta.url), 'utf8')) as {
        name?: string;
        version?: string;
      };
      if (found.name === 'tireless' && found.version !== undefined) return found.version;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  return '0.0.0';
}
