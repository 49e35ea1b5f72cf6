import { keeperVersionOf } from '../../edge/store/keeper-version.ts';
import { ownVersion } from '../version.ts';
import type { Terminal } from './terminal.ts';

interface OtherVersion {
  readonly says: string;
  readonly fix: string;
}

/** That another version of Tireless keeps the run, and what to do; null where the versions agree or nobody keeps it. */
export function otherVersion(store: string, run: string): OtherVersion | null {
  const keeper = keeperVersionOf(store, run);
  if (keeper === null || keeper === ownVersion()) return null;
  return {
    says: `run ${run} is kept by Tireless ${keeper}, this is ${ownVersion()}`,
    fix: `to switch: tireless pause ${run}, then tireless resume ${run}`,
  };
}

/** The same in one line, beside what a command prints. */
export function tellOtherVersion({ err }: Pick<Terminal, 'err'>, store: string, run: string): void {
  const other = otherVersion(store, run);
  if (other !== null) err(`${other.says}; ${other.fix}`);
}
