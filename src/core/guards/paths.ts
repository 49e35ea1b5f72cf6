import { anything, below } from './marks.ts';

/** An absolute path with `.`, `..` and double slashes taken out, or undefined when nothing is known of where it starts. */
export function resolvePath(path: string, cwd: string | undefined): string | undefined {
  if (path.startsWith(anything)) return undefined;
  const drive = /^[A-Za-z]:(?=$|[\\/])/.exec(path);
  if (drive) return drive[0].toUpperCase() + path.slice(2).replaceAll('\\', '/').replace(/\/+$/, '');
  if (!path.startsWith('/') && cwd === undefined) return undefined;
  return normalise(path.startsWith('/') ? path : `${cwd}/${path}`);
}

function normalise(path: string): string {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..') parts.pop();
    else parts.push(part);
  }
  return `/${parts.join('/')}`;
}

/** Is `path` the folder `root` or inside it? */
export function isInside(path: string, root: string): boolean {
  return root === '/' || path === root || path.startsWith(`${root}/`);
}

/** Is `path` a folder that contains `inner`? */
export function isAbove(path: string, inner: string): boolean {
  return path !== inner && isInside(inner, path);
}

export function baseName(path: string): string {
  const trimmed = path.endsWith('/') ? path.replace(/\/+$/, '') : path;
  const cut = Math.max(trimmed.lastIndexOf('/'), trimmed.lastIndexOf(below));
  return trimmed.slice(cut + 1);
}

export function parentOf(path: string): string {
  const cut = path.lastIndexOf('/');
  return cut <= 0 ? '/' : path.slice(0, cut);
}
