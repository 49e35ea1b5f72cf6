/** Chance that is the same on every machine: one seed, one story. */
export interface Dice {
  /** From 0 up to, not including, 1. */
  roll(): number;
  /** True this often. */
  chance(probability: number): boolean;
  /** A whole number, both ends included. */
  between(least: number, most: number): number;
  pick<T>(from: readonly T[]): T;
}

/** Mulberry32: 32 bits of state, good enough to shuffle a world, fast enough not to be noticed. */
export function makeDice(seed: number): Dice {
  let state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) >>> 0;
  const roll = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  const between = (least: number, most: number): number => least + Math.floor(roll() * (most - least + 1));
  return {
    roll,
    chance: (probability) => roll() < probability,
    between,
    pick: <T>(from: readonly T[]): T => from[between(0, from.length - 1)] as T,
  };
}
