import { StoreError } from '../../contract/errors.ts';
import { append, read } from './append.ts';
import { body, children, forgetChild, noteChild, runs, snapshot, view } from './bodies.ts';
import type { Engine } from './engine.ts';
import { asStoreError } from './faults.ts';
import { inbox, post } from './inbox.ts';
import { acquire, holder, release, renew } from './lease.ts';
import type { Op, Request, Requests } from './requests.ts';

type Operation<K extends Op> = {
  readonly writes: boolean;
  readonly work: (engine: Engine, input: Requests[K]['in']) => Requests[K]['out'];
};

const operations: { readonly [K in Op]: Operation<K> } = {
  append: { writes: true, work: append },
  read: { writes: false, work: read },
  snapshot: { writes: false, work: snapshot },
  acquire: { writes: true, work: acquire },
  holder: { writes: false, work: holder },
  renew: { writes: true, work: renew },
  release: { writes: true, work: release },
  post: { writes: true, work: post },
  inbox: { writes: false, work: inbox },
  body: { writes: false, work: body },
  runs: { writes: false, work: runs },
  view: { writes: false, work: view },
  noteChild: { writes: true, work: noteChild },
  children: { writes: false, work: children },
  forgetChild: { writes: true, work: forgetChild },
};

export type Outcome = { readonly value: Requests[Op]['out'] } | { readonly error: unknown };

/**
 * Answers requests in order, all their writes in one durable commit. Each is still checked by itself: a refused one
 * is rolled back alone. When the commit as a whole cannot be made, each is tried in a commit of its own, so nobody
 * fails for another's size. Answers are true once this returns.
 */
export function performAll(engine: Engine, requests: readonly Request[]): Outcome[] {
  const writes = requests.filter((request) => operations[request.op].writes).length;
  if (requests.length === 1 || writes === 0) return requests.map((request) => performOne(engine, request));
  const begun = attempt(engine, () => {
    engine.db.exec('BEGIN IMMEDIATE');
    return null;
  });
  if ('error' in begun) {
    // Nobody gets the lock now; waiting for it again with each of them would only take longer.
    return requests.map((request) => (operations[request.op].writes ? begun : performOne(engine, request)));
  }
  try {
    const outcomes = requests.map((request) => performInside(engine, request));
    engine.db.exec('COMMIT');
    engine.commits++;
    return outcomes;
  } catch (error) {
    if (engine.db.isTransaction) engine.db.exec('ROLLBACK');
    if (!(asStoreError(error, engine.path) instanceof StoreError)) throw error;
    return requests.map((request) => performOne(engine, request));
  }
}

function performOne(engine: Engine, request: Request): Outcome {
  if (!operations[request.op].writes) return attempt(engine, () => answer(engine, request));
  return attempt(engine, () => {
    engine.db.exec('BEGIN IMMEDIATE');
    try {
      const value = answer(engine, request);
      engine.db.exec('COMMIT');
      engine.commits++;
      return value;
    } catch (error) {
      if (engine.db.isTransaction) engine.db.exec('ROLLBACK');
      throw error;
    }
  });
}

function performInside(engine: Engine, request: Request): Outcome {
  if (!operations[request.op].writes) return attempt(engine, () => answer(engine, request));
  engine.db.exec('SAVEPOINT one');
  const outcome = attempt(engine, () => answer(engine, request));
  // On a full disk SQLite gives up the whole transaction: then there is no savepoint any more, and this throws.
  engine.db.exec('error' in outcome ? 'ROLLBACK TO one; RELEASE one' : 'RELEASE one');
  return outcome;
}

function answer<K extends Op>(
  engine: Engine,
  request: { op: K; input: Requests[K]['in'] },
): Requests[K]['out'] {
  return operations[request.op].work(engine, request.input);
}

function attempt(engine: Engine, work: () => Requests[Op]['out']): Outcome {
  try {
    return { value: work() };
  } catch (error) {
    return { error: asStoreError(error, engine.path) };
  }
}

/** The run that people following it should look at again, if the request touched one. */
export function touchedBy(request: Request): string | null {
  return request.op === 'append' || request.op === 'post' ? request.input.run : null;
}
