import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const psTimeoutMs = 5_000;
/** Deeper than any real ancestry: a loop in what we read must end. */
const generationsMax = 200;

/** The processes this one descends from, nearest first. Empty where the system does not tell. */
export function ancestorsOf(pid: number): readonly number[] {
  const found: number[] = [];
  for (let at = parentOf(pid); at !== null && at > 1 && found.length < generationsMax; at = parentOf(at))
    found.push(at);
  return found;
}

function parentOf(pid: number): number | null {
  try {
    if (process.platform !== 'linux')
      return (
        Number(
          execFileSync('ps', ['-o', 'ppid=', '-p', String(pid)], {
            timeout: psTimeoutMs,
            encoding: 'utf8',
          }).trim(),
        ) || null
      );
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) || null;
  } catch {
    return null; // gone meanwhile, or not ours to see: the ancestry ends here
  }
}
