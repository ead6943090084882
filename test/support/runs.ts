const set = globalThis as typeof globalThis & {
  RUNS?: number;
  SEED?: number;
  ROUNDS?: number;
  MINUTES?: number;
  CONTRACTS?: number;
  EVENTS?: number;
};

/**
 * How many random cases a property tries: 200, or what the run sets with `--globals '{"RUNS":10000}'`
 * (`npm run test:long`).
 */
export const RUNS = set.RUNS ?? 200;

/**
 * Rounds of a test that kills servers: `short` ones, `long` ones in the long form, or what `--globals '{"ROUNDS":20}'`
 * says, to play the long form in pieces.
 */
export function rounds(short: number, long: number): number {
  return set.ROUNDS ?? (RUNS > 200 ? long : short);
}

/**
 * Contracts of a test about many of them: `few` ones, `many` in the long form, or what `--globals '{"CONTRACTS":2000}'`
 * says.
 */
export function contractCount(few: number, many = few): number {
  return set.CONTRACTS ?? (RUNS > 200 ? many : few);
}

/** Events of a test about many of them, or what `--globals '{"EVENTS":10000}'` says. */
export const eventCount = (usual: number): number => set.EVENTS ?? usual;

/**
 * Minutes that a search for a failing random life takes in the long form: `--globals '{"RUNS":10000,"MINUTES":5}'`, to
 * play it in pieces.
 */
export const MINUTES = set.MINUTES;

/** What `--globals '{"SEED":1}'` says, to repeat a failing run. */
export const SEED = set.SEED;

/**
 * Options for `fc.assert`. Slow properties take a part of the runs, at least 20 of them where there are as many; a
 * failing run prints its seed, `--globals '{"SEED":1}'` repeats it.
 */
export function runs(part = 1): { numRuns: number; seed?: number } {
  const numRuns = Math.max(Math.min(20, RUNS), Math.round(RUNS * part));
  return SEED === undefined ? { numRuns } : { numRuns, seed: SEED };
}
