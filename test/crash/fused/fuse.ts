/**
 * A fuse in a real program: counts every write and act it is about to do or has just done, and kills the process at
 * the chosen one, as a power cut would. Without `CRASH_AT` it only counts.
 */
import { appendFileSync } from 'node:fs';

const killAt = Number(process.env.CRASH_AT ?? 0);
const trace = process.env.CRASH_TRACE;
let passed = 0;

function boundary(name: string): void {
  passed += 1;
  if (trace !== undefined) appendFileSync(trace, `${name}\n`);
  if (passed === killAt) process.kill(process.pid, 'SIGKILL');
}

type Act = (...args: never[]) => Promise<unknown>;

/** The same act with a boundary on either side. */
const fusedAct =
  (name: string, act: Act) =>
  async (...args: never[]): Promise<unknown> => {
    boundary(`before ${name}`);
    const value = await act(...args);
    boundary(`after ${name}`);
    return value;
  };

/** The same thing with a fuse on each of the named acts it has. */
export function fused<T extends object>(what: string, thing: T, acts: readonly (keyof T & string)[]): T {
  const own: Partial<T> = {};
  for (const name of acts) {
    const act = thing[name] as Act | undefined;
    if (act !== undefined) own[name] = fusedAct(`${what} ${name}`, act.bind(thing) as Act) as T[typeof name];
  }
  return { ...thing, ...own };
}

export const fusedFunction = <T extends Act>(name: string, act: T): T => fusedAct(name, act) as T;
