/** Our own bug: an invariant does not hold. Stops its run, loudly; never the process. */
export class BrokenInvariant extends Error {
  override readonly name = 'BrokenInvariant';
}

/** Trips when something that must be true is not. For our bugs only; what the world does wrong is an event. */
export function must(condition: unknown, what: string): asserts condition {
  if (!condition) throw new BrokenInvariant(what);
}

/** Marks the end of an exhaustive switch: a new variant does not compile until it is handled. */
export function unreachable(value: never): never {
  throw new BrokenInvariant(`unhandled variant ${JSON.stringify(value)}`);
}
