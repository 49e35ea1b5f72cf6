import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Child, Holder } from '../contract/ports.ts';

const psTimeoutMs = 5_000;

/** What can be seen of a process id from here. */
type Sight = { readonly seen: 'running'; readonly start: string } | { readonly seen: 'gone' | 'unknown' };

/**
 * When the process started, in words no later process with the same id repeats: on Linux boot, process-id namespace
 * and start tick, elsewhere what `ps` says. Null when there is no such process (a zombie is none) or it cannot be told.
 */
export function processStart(pid: number): string | null {
  const sight = look(pid);
  return sight.seen === 'running' ? sight.start : null;
}

/** The very process this names runs on this machine. Positive evidence only: enough to end it. */
export function isAlive(child: Child): boolean {
  return child.host === hostname() && child.pidStart !== '' && processStart(child.pid) === child.pidStart;
}

/** The process is certainly gone: enough to take over what it held. Another machine's processes are never certain. */
export function isProvablyDead(child: Child): boolean {
  if (child.host !== hostname()) return false;
  const sight = look(child.pid);
  if (sight.seen !== 'running') return sight.seen === 'gone';
  return child.pidStart !== '' && differs(sight.start, child.pidStart);
}

/** This process as the holder of a lease. */
export function holderHere(session: string): Holder {
  return { session, pid: process.pid, pidStart: processStart(process.pid) ?? '', host: hostname() };
}

function look(pid: number): Sight {
  if (!Number.isSafeInteger(pid) || pid <= 0) return { seen: 'gone' };
  return process.platform === 'linux' ? lookInProc(pid) : lookWithPs(pid);
}

function lookInProc(pid: number): Sight {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    // A mount option can hide the processes of other users, so absence alone proves nothing.
    return { seen: signalReaches(pid) ? 'unknown' : 'gone' };
  }
  // The program's name stands in parentheses and may hold spaces and parentheses itself.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const state = fields[0];
  const startTicks = fields[19];
  if (state === 'Z' || state === 'X') return { seen: 'gone' };
  if (startTicks === undefined) return { seen: 'unknown' };
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').slice(0, 8);
  const namespace = /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '';
  return { seen: 'running', start: `${boot}.${namespace}.${startTicks}` };
}

function lookWithPs(pid: number): Sight {
  if (!signalReaches(pid)) return { seen: 'gone' };
  try {
    const start = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
      timeout: psTimeoutMs,
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
    return start === '' ? { seen: 'unknown' } : { seen: 'running', start };
  } catch {
    // No `ps`, or the process ended meanwhile: the signal below tells which.
    return { seen: signalReaches(pid) ? 'unknown' : 'gone' };
  }
}

function signalReaches(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** The same number in another process-id namespace is another process: nothing is proven about the one we look for. */
function differs(seen: string, recorded: string): boolean {
  if (seen === recorded) return false;
  const [seenBoot, seenNamespace] = seen.split('.');
  const [boot, namespace, ticks] = recorded.split('.');
  const sameKernel = ticks !== undefined && seenBoot === boot;
  return !(sameKernel && seenNamespace !== namespace);
}
