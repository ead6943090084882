import { restAfter } from '../../../db/rest-after.ts';
import { fairTimeOf } from '../../support/fair-clock.ts';

/** Occupies the process for some milliseconds. */
const takes = (ms: number) => async (): Promise<string> => {
  for (const began = performance.now(); performance.now() - began < ms; );
  return 'done';
};

const lengthOf = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now();
  await work();
  return performance.now() - began;
};

describe('work that goes on', () => {
  it('of 80 ms is followed by a rest of at least as long', async () => {
    // a timer may fire a millisecond early
    expect(await lengthOf(() => restAfter(takes(80), () => true))).toBeGreaterThanOrEqual(158);
  });

  it('of 700 ms is followed by a rest of 250 ms, not longer', async () => {
    const [work, over] = [takes(700), Promise.withResolvers<void>()];
    let rest = Promise.resolve(Number.NaN);
    const begins = async (): Promise<void> => {
      await work();
      rest = fairTimeOf(() => over.promise);
    };
    expect(await lengthOf(() => restAfter(begins, () => true))).toBeGreaterThanOrEqual(948);
    over.resolve();
    expect(await rest).toBeLessThan(700);
  });

  it('gives its result, and ends without a rest when nothing follows', async () => {
    const seen: string[] = [];
    const result = await restAfter(takes(0), (value) => seen.push(value) > 1);
    expect([result, seen]).toEqual(['done', ['done']]);
  });
});
