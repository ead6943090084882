import { restAfter } from './rest-after.ts';

/**
 * Carries out work of one kind in this process one at a time, in the order in which it is asked for. Each is followed
 * by a rest as long as it took: however much of it vendors ask for, half of a processor is left for the others.
 */
export function inTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = last.then(() => restAfter(work, () => true));
    last = turn.catch(() => undefined);
    return turn;
  };
}
