import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { x } from 'tinyexec';
import { replaceFile } from '../atomic-file.ts';
import type { Env } from '../home.ts';
import { ownMark, type ServicePlace } from './unit.ts';

const askMs = 15_000;

/** The service cannot be written or told about; the message says what happened, `fix` what to do. */
class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly fix: string;
  constructor(message: string, fix: string) {
    super(message);
    this.fix = fix;
  }
}

export interface ServiceState {
  readonly file: string;
  /** `foreign`: something of that name stands there that is not ours. */
  readonly written: 'absent' | 'current' | 'outdated' | 'foreign';
  readonly enabled: boolean;
}

/** Writes the service and tells the platform. Written but not taken is an error that says how to finish by hand. */
export async function installService(place: ServicePlace, env: Env): Promise<void> {
  refuseForeign(place);
  mkdirSync(dirname(place.file), { recursive: true });
  await replaceFile(place.file, place.content);
  for (const command of place.enable) {
    const { ok, says } = await tell(command, env);
    // launchd refuses to load what it has loaded already.
    if (!ok && !/already (?:bootstrapped|loaded)|service already/i.test(says))
      throw new ServiceError(
        `${place.file} was written, but ${command[0]} did not take it: ${says}`,
        `when it can: ${place.enable.map((one) => one.join(' ')).join(' && ')}`,
      );
  }
}

/** Takes the service back. Says whether there was one. */
export async function uninstallService(place: ServicePlace, env: Env): Promise<boolean> {
  refuseForeign(place);
  if (!existsSync(place.file)) return false;
  // What the platform says about it does not matter: without the file there is nothing left to start.
  for (const command of place.disable) await tell(command, env);
  rmSync(place.file);
  return true;
}

export async function serviceState(place: ServicePlace, env: Env): Promise<ServiceState> {
  const written = writtenState(place);
  const isOurs = written === 'current' || written === 'outdated';
  const enabled = isOurs && (await tell(place.isEnabled, env)).ok;
  return { file: place.file, written, enabled };
}

function writtenState({ file, content }: ServicePlace): ServiceState['written'] {
  if (!existsSync(file)) return 'absent';
  const text = readFileSync(file, 'utf8');
  if (!text.includes(ownMark)) return 'foreign';
  return text === content ? 'current' : 'outdated';
}

function refuseForeign(place: ServicePlace): void {
  if (writtenState(place) !== 'foreign') return;
  throw new ServiceError(`${place.file} was not written by Tireless`, 'move it away, then try again');
}

async function tell(command: readonly string[], env: Env): Promise<{ ok: boolean; says: string }> {
  const [program = '', ...args] = command;
  try {
    const { exitCode, stdout, stderr } = await x(program, args, {
      timeout: askMs,
      nodeOptions: { env: { ...env }, stdio: ['ignore', 'pipe', 'pipe'] },
    });
    return { ok: exitCode === 0, says: (stderr || stdout).trim().slice(0, 500) };
  } catch (error) {
    return { ok: false, says: error instanceof Error ? error.message : String(error) };
  }
}
