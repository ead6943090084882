import { BigBodies } from '../../../api/http/big-bodies.ts';

const BIG = 1_000_000;

/** Holds the process for so long, as reading does. */
const reading = (log: string[], name: string, ms: number) => (): string => {
  for (const began = performance.now(); performance.now() - began < ms; );
  log.push(`${name} at ${performance.now()}`);
  return name;
};
const names = (log: readonly string[]): string[] => log.map((line) => line.split(' at ')[0] ?? '');
const times = (log: readonly string[]): number[] => log.map((line) => Number(line.split(' at ')[1]));

describe('big bodies', () => {
  it('of one vendor take turns, with pauses of three times what one took; others and small ones wait for nobody', async () => {
    const [bodies, log]: [BigBodies, string[]] = [new BigBodies(), []];
    const all = [
      bodies.inTurn('a', BIG, reading(log, 'a1', 20)),
      bodies.inTurn('a', BIG, reading(log, 'a2', 0)),
      bodies.inTurn('b', BIG, reading(log, 'b', 0)),
      bodies.inTurn('a', 1_000, reading(log, 'small', 0)),
    ];
    expect(await Promise.all(all)).toEqual(['a1', 'a2', 'b', 'small']);
    expect(names(log).at(-1)).toBe('a2');
    const at = times(log);
    const [first = 0, last = 0] = [at[names(log).indexOf('a1')], at.at(-1)];
    // a timer may fire a millisecond early
    expect(last - first).toBeGreaterThan(3 * 20 - 2);
  });

  it('that fail hand the turn on, and more than ten at a time are told to come later', async () => {
    const bodies = new BigBodies();
    const fails = () => {
      throw new Error('no JSON');
    };
    const failing = expect(bodies.inTurn('a', BIG, fails)).rejects.toThrow('no JSON');
    const rest = Array.from({ length: 9 }, (_, n) => bodies.inTurn('a', BIG, () => n));
    await expect(bodies.inTurn('a', BIG, () => 10)).rejects.toMatchObject({ code: 'rate_limited', retryAfter: 1 });
    await failing;
    expect(await Promise.all(rest)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    expect(await bodies.inTurn('a', BIG, () => 'later')).toBe('later');
  });
});
