import type { Failure } from './failure.ts';
import type { StoreFault } from './ports.ts';

/** A failure of the store, with the place and the fix in its message. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly fault: StoreFault;
  readonly fix: string;
  constructor(fault: StoreFault, message: string, fix: string) {
    super(message);
    this.fault = fault;
    this.fix = fix;
  }
}

/** A failure of an agent or its provider, in the words the rules understand. */
export class AgentFailure extends Error {
  override readonly name = 'AgentFailure';
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}
