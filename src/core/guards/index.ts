export { fullContext, type GuardContext } from './context.ts';
export { judgeAction, judgeCommand } from './judge.ts';
export { type LoadedConfig, loadGuardConfig } from './load.ts';
export { patternProblem } from './pattern-safety.ts';
export { rules } from './rules/index.ts';
export { isNever, isRefused } from './rules/never.ts';
export { type Touches, touchesOf } from './touches.ts';
