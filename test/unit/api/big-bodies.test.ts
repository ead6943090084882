import { BigBodies } from '../../../api/http/big-bodies.ts';

const BIG = 1_000_000;

/** Blocks the process for the given time, as parsing does. */
const reading = (log: string[], name: string, ms: number) => (): string => {
  for (const began = performance.now(); performance.now() - began < ms; );
  log.push(name);
  return name;
};

describe('big bodies', () => {
  it('of one vendor wait once they have taken more than a second; others and small ones wait for nobody', async () => {
    const [bodies, log]: [BigBodies, string[]] = [new BigBodies(), []];
    const began = performance.now();
    await Promise.all([bodies.inTurn('a', BIG, reading(log, 'a1', 600)), bodies.inTurn('a', BIG, reading(log, 'a2', 600))]);
    const ended = performance.now();
    const third = bodies.inTurn('a', BIG, reading(log, 'a3', 0));
    await Promise.all([bodies.inTurn('b', BIG, reading(log, 'b', 0)), bodies.inTurn('a', 1_000, reading(log, 'small', 0))]);
    expect(await third).toBe('a3');
    expect(log).toEqual(['a1', 'a2', 'small', 'b', 'a3']);
    // what the first two took beyond a second, less what came back meanwhile, is waited for four times over
    const owed = ended - began - 1_000 - 0.25 * (ended - began);
    if (owed > 10) expect(performance.now() - ended).toBeGreaterThan(owed);
  });

  it('that fail let the next one begin, and more than ten at a time are refused until later', async () => {
    const bodies = new BigBodies({ waiting: 10, longestMs: 5_000 });
    const fails = () => {
      throw new Error('no JSON');
    };
    const failing = expect(bodies.inTurn('a', BIG, fails)).rejects.toThrow('no JSON');
    const rest = Array.from({ length: 9 }, (_, n) => bodies.inTurn('a', BIG, () => n));
    await expect(bodies.inTurn('a', BIG, () => 10)).rejects.toMatchObject({ code: 'rate_limited', retryAfter: 2 });
    await failing;
    expect(await Promise.all(rest)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    expect(await bodies.inTurn('a', BIG, () => 'later')).toBe('later');
    expect(bodies.size).toBe(1);
  });

  it('that would wait too long are refused until later', async () => {
    const bodies = new BigBodies({ waiting: 10, longestMs: 200 });
    await expect(bodies.inTurn('a', BIG, reading([], 'a1', 1_200))).resolves.toBe('a1');
    await expect(bodies.inTurn('a', BIG, () => 'a2')).rejects.toMatchObject({ code: 'rate_limited' });
  });
});
