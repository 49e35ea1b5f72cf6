import { unrecoverable as kinds } from './failures.ts';
import { end, rule } from './rule.ts';

/** Group 2 of docs/policy.md: another turn cannot cure it. */
export const unrecoverable = rule('unrecoverable', ({ run }) => {
  const failure = run.last?.status === 'failed' ? run.last.failure : null;
  return (
    failure !== null &&
    kinds.has(failure.kind) &&
    end('failed', failure.message, `failure:${failure.kind}`, 'world')
  );
});
