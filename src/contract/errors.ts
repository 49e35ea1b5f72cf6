import type { Failure } from './failure.ts';
import type { StoreFault } from './ports.ts';
import type { Usage } from './usage.ts';

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

/** A failure of an agent or its provider, in the kinds the rules know. */
export class AgentFailure extends Error {
  override readonly name = 'AgentFailure';
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** A model gave no usable answer; `usage` is what asking cost anyway. */
export class ModelFailure extends AgentFailure {
  readonly usage: Usage | undefined;
  constructor(failure: Failure, usage?: Usage) {
    super(failure);
    this.usage = usage;
  }
}
