import { restAfter } from './rest-after.ts';

/**
 * Carries out work of one kind one piece at a time in this process, in the order in which it is asked for. After each
 * piece it rests for as long as that took: however much vendors ask for, half of a processor is left for other work.
 */
export function inTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = last.then(() => restAfter(work, () => true));
    last = turn.catch(() => undefined);
    return turn;
  };
}
