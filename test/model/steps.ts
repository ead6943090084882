import fc from 'fast-check';
import { ACTS, type ActName, type Dice, WEIGHTS } from './acts.ts';

export interface Step {
  name: ActName;
  dice: Dice;
}

const NAMES = Object.keys(ACTS) as ActName[];
const die = fc.nat(999);

const stepOf = (name: ActName): fc.Arbitrary<Step> => fc.record({ name: fc.constant(name), dice: fc.record({ a: die, b: die, c: die }) });

/** One arbitrary for each act, as often as the act weighs. */
export const weighedSteps: fc.Arbitrary<Step>[] = NAMES.flatMap((name) => Array.from({ length: WEIGHTS[name] }, () => stepOf(name)));

/** Any number of steps, the same ones for the same seed. */
export const stepsFrom = (seed: number, count: number): Step[] => fc.sample(fc.oneof(...weighedSteps), { seed, numRuns: count });
