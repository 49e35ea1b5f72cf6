import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { ActionFacts } from '../../contract/action.ts';
import { carries } from '../agents/shared/process-tree.ts';
import { ancestorsOf } from '../ancestors.ts';

const commandCharsMax = 500;
const psTimeoutMs = 1_000;

/**
 * Whose process this is. Own: the run's agent or something it started, found by descent from this process or by the
 * run's mark in its environment. Neither this process nor one it descends from is.
 */
export function processFacts(pid: number, run: string): ActionFacts['processes'][number] {
  const leader = Math.abs(pid);
  const ours = [process.pid, ...ancestorsOf(process.pid)];
  const own =
    leader > 1 &&
    !ours.includes(leader) &&
    (ancestorsOf(leader).includes(process.pid) || carries(leader, `TIRELESS_RUN=${run}`));
  return { pid, own, command: leader > 1 ? commandOf(leader).slice(0, commandCharsMax) : '' };
}

function commandOf(pid: number): string {
  try {
    if (process.platform === 'linux')
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], {
      encoding: 'utf8',
      timeout: psTimeoutMs,
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return ''; // there is no such process, or it is not ours to see
  }
}
