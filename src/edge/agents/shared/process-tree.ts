import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { processStart } from '../../lock.ts';

const psTimeoutMs = 5_000;

/** One running process: its parent, its group, and its start time, so that a reused id is recognised. */
export interface Living {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly start: string;
}

/** Identifies everything that belongs to a child we started. */
export interface TreeOf {
  /** The child itself; it leads its own process group. */
  readonly pid: number;
  /** Its `processStart` when it was started. */
  readonly start: string | null;
  /** `NAME=value` in the child's environment only: finds what has left its group and its ancestry (Linux). */
  readonly mark?: string;
}

/**
 * Every running process of the tree: the group, all descendants, and whatever has the mark. Never ourselves. If the
 * child's id now belongs to a later process, neither that process nor its group is included.
 */
export function livingTree(tree: TreeOf): Living[] {
  const now = processStart(tree.pid);
  const isReused = now !== null && now !== tree.start;
  const isRooted = (one: Living) => !isReused && (one.pid === tree.pid || one.group === tree.pid);
  const all = livingProcesses().filter((one) => one.pid !== process.pid && one.pid > 1);
  const members = new Map<number, Living>();
  for (const one of all) {
    if (isRooted(one) || carries(one.pid, tree.mark)) members.set(one.pid, one);
  }
  for (let before = -1; before !== members.size; ) {
    before = members.size;
    for (const one of all) if (members.has(one.parent)) members.set(one.pid, one);
  }
  return [...members.values()];
}

function livingProcesses(): Living[] {
  return process.platform === 'linux' ? livingInProc() : livingByPs();
}

/** Whether the same process is still running. */
export function stillLives(one: Living): boolean {
  const now =
    process.platform === 'linux' ? inProc(one.pid) : livingByPs().find(({ pid }) => pid === one.pid);
  return now?.start === one.start;
}

function livingInProc(): Living[] {
  const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return ids.map((id) => inProc(Number(id))).filter((one) => one !== undefined);
}

function inProc(pid: number): Living | undefined {
  const stat = readOrEmpty(`/proc/${pid}/stat`);
  // The program's name is in parentheses and may itself contain spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, parent, group] = fields;
  if (stat === '' || state === 'Z' || state === 'X') return undefined;
  return { pid, parent: Number(parent), group: Number(group), start: fields[19] ?? '' };
}

function livingByPs(): Living[] {
  const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,pgid=,stat=,lstart='], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
    timeout: psTimeoutMs,
  });
  return table.split('\n').flatMap((line) => {
    const [pid, parent, group, state, ...start] = line.trim().split(/\s+/);
    if (!pid || state?.startsWith('Z')) return [];
    return [{ pid: Number(pid), parent: Number(parent), group: Number(group), start: start.join(' ') }];
  });
}

/** The process has `NAME=value` in its environment (Linux). */
export function carries(pid: number, mark: string | undefined): boolean {
  if (mark === undefined || process.platform !== 'linux') return false;
  return `\0${readOrEmpty(`/proc/${pid}/environ`)}\0`.includes(`\0${mark}\0`);
}

/** A process may end, or be another user's, between being listed and being read: then there is nothing to read. */
function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
