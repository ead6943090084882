import { inRounds, TooManySteps } from '../../../services/contract/in-rounds.ts';

function* counting(steps: number, done: () => void): Generator<undefined, number> {
  for (let n = 0; n < steps; n += 1) {
    done();
    yield;
  }
  return steps;
}

/** When everything else has been let in once. */
const nextRound = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a long computation', () => {
  it('of 1,000 steps comes to its end, and one of 10 as well', async () => {
    expect(await Promise.all([1_000, 10].map((steps) => inRounds(counting(steps, () => {}))))).toEqual([1_000, 10]);
  });

  it('holds the process for 50 steps at a time, also when there are ten of them', async () => {
    let steps = 0;
    const count = () => {
      steps += 1;
    };
    const all = Promise.all(Array.from({ length: 10 }, () => inRounds(counting(500, count))));
    // each has begun with a round of its own
    expect(steps).toBe(500);
    const rounds: number[] = [];
    for (let before = steps; steps < 5_000; before = steps) {
      await nextRound();
      rounds.push(steps - before);
    }
    expect(Math.max(...rounds)).toBe(50);
    expect(await all).toEqual(Array.from({ length: 10 }, () => 500));
  });

  it('ends when it has more steps than its caller waits for', async () => {
    await expect(
      inRounds(
        counting(1_000, () => {}),
        600,
      ),
    ).rejects.toThrow(TooManySteps);
    expect(
      await inRounds(
        counting(599, () => {}),
        600,
      ),
    ).toBe(599);
  });
});
