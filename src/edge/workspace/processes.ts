import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { isSystemError } from './errors.ts';

/** One living process. `start` tells it from a later one with the same number. */
export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  readonly start: string;
}

/** The processes of one check: the shell that was started and everything that came of it. */
export interface Family {
  readonly root: number;
  /** `NAME=value` in the environment of every member that did not clear it. */
  readonly mark: string;
  /** Members seen so far, by number, with their start. */
  readonly seen: Map<number, string>;
}

/** The living processes; on Linux from /proc, elsewhere from ps. */
export function readProcesses(platform: NodeJS.Platform = process.platform): ProcessRow[] {
  return platform === 'linux' ? readProc() : readPs();
}

/**
 * The living members of a family: children and their children, the same process group or session, those seen
 * earlier whose parent has ended since, and those that carry the mark. A process that leaves the tree, the group and
 * the session is still found by its mark; one that also clears its environment, if it was ever seen as a child.
 */
export function familyMembers(family: Family, rows: readonly ProcessRow[] = readProcesses()): ProcessRow[] {
  const members = new Map<number, ProcessRow>();
  for (const row of rows) {
    const isRelated =
      [row.pid, row.group, row.session].includes(family.root) || family.seen.get(row.pid) === row.start;
    if (row.pid !== process.pid && (isRelated || carries(row.pid, family.mark))) members.set(row.pid, row);
  }
  let before = -1;
  while (before !== members.size) {
    before = members.size;
    for (const row of rows) if (members.has(row.parent)) members.set(row.pid, row);
  }
  for (const row of members.values()) family.seen.set(row.pid, row.start);
  return [...members.values()];
}

/** Ends every member, and those that are born meanwhile. Gives the number it ended; stops trying after `withinMs`. */
export async function endFamily(family: Family, withinMs: number): Promise<number> {
  const deadline = performance.now() + withinMs;
  const ended = new Set<string>();
  for (;;) {
    const members = familyMembers(family);
    for (const row of members) {
      send(row.pid, 'SIGKILL');
      ended.add(`${row.pid} ${row.start}`);
    }
    if (members.length === 0 || performance.now() > deadline) return ended.size;
    await pause(10);
  }
}

/** Sends a signal; a process that has ended meanwhile needs none. */
export function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!isSystemError(error) || (error.code !== 'ESRCH' && error.code !== 'EPERM')) throw error;
  }
}

function readProc(): ProcessRow[] {
  const rows: ProcessRow[] = [];
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = readProcFile(`/proc/${name}/stat`);
    // The program's name, in parentheses, may hold anything; what follows it is fixed.
    const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (!fields || fields[0] === 'Z' || fields[0] === 'X') continue;
    rows.push({
      pid: Number(name),
      parent: Number(fields[1]),
      group: Number(fields[2]),
      session: Number(fields[3]),
      start: fields[19] ?? '',
    });
  }
  return rows;
}

/** Reads the environment a process was started with; only Linux shows it. */
function carries(pid: number, mark: string): boolean {
  return `\0${readProcFile(`/proc/${pid}/environ`) ?? ''}`.includes(`\0${mark}\0`);
}

/** Null for a process that has ended or is not ours to look at. */
function readProcFile(path: string): string | null {
  try {
    return readFileSync(path, 'latin1');
  } catch (error) {
    if (isSystemError(error)) return null;
    throw error;
  }
}

function readPs(): ProcessRow[] {
  const columns = ['pid', 'ppid', 'pgid', 'stat', 'lstart'].flatMap((column) => ['-o', `${column}=`]);
  const { stdout } = spawnSync('ps', ['-A', ...columns], {
    encoding: 'utf8',
    env: { PATH: '/bin:/usr/bin', LC_ALL: 'C' },
  });
  return (stdout ?? '').split('\n').flatMap((line) => {
    const [, pid, parent, group, state, start] =
      /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.+?)\s*$/.exec(line) ?? [];
    if (pid === undefined || state?.startsWith('Z')) return [];
    return [
      {
        pid: Number(pid),
        parent: Number(parent),
        group: Number(group),
        session: Number(group),
        start: start ?? '',
      },
    ];
  });
}
