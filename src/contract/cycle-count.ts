/** Bounds of how many context windows an autonomous run may use. Free of schemas, for commands that must start fast. */
export const autonomousCyclesMin = 1;
export const autonomousCyclesMax = 100;
/** When nobody said otherwise. */
export const autonomousCyclesDefault = 10;
