import type { Handler } from './context.ts';
import { failureOf } from './failure-of.ts';

/** Keeps the files as they are. What fails is told: nothing that destroys them happens then. */
export const keepSavepoint: Handler<'savepoint'> = async ({ name, because }, { workspace }) => {
  if (workspace.savepoint === undefined)
    return { outcome: { of: 'savepoint', ok: false, because: 'this workspace keeps no savepoints' } };
  try {
    await workspace.savepoint(name, because);
    return { outcome: { of: 'savepoint', ok: true } };
  } catch (error) {
    return { outcome: { of: 'savepoint', ok: false, because: failureOf(error).message.slice(0, 500) } };
  }
};
