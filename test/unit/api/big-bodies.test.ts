import { BigBodies, type BodyReading } from '../../../api/http/big-bodies.ts';

const BIG = 1_000_000;

/** Blocks the process for the given time, as parsing does. */
const block = (ms: number): void => {
  for (const began = performance.now(); performance.now() - began < ms; );
};
/** Takes the given time, in so many steps. */
const reading = (log: string[], name: string, ms: number, steps = 1, take = block) =>
  function* (): BodyReading<string> {
    for (let step = 1; step <= steps; step += 1) {
      take(ms / steps);
      log.push(name);
      if (step < steps) yield;
    }
    return name;
  };
const gives = (value: number) => reading([], String(value), 0);

const giveWay = () => new Promise<void>((done) => void setImmediate(done));

function* fails(): BodyReading<never> {
  yield* reading([], '', 20)();
  throw new Error('no JSON');
}

describe('big bodies', () => {
  it('of one vendor wait once they have taken more than a second; others and small ones wait for nobody', async () => {
    const [bodies, log]: [BigBodies, string[]] = [new BigBodies(), []];
    // by a clock on which only reading takes time: what other programs do meanwhile gives nothing back
    let now = performance.now();
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
    const takes = (name: string, ms: number) =>
      reading(log, name, ms, 1, (taken) => {
        now += taken;
      });
    try {
      await Promise.all([bodies.inTurn('a', BIG, takes('a1', 700)), bodies.inTurn('a', BIG, takes('a2', 700))]);
      const [ended, third] = [process.hrtime.bigint(), bodies.inTurn('a', BIG, takes('a3', 0))];
      await Promise.all([bodies.inTurn('b', BIG, takes('b', 0)), bodies.inTurn('a', 1_000, takes('small', 0))]);
      expect(await third).toBe('a3');
      expect(log).toEqual(['a1', 'a2', 'small', 'b', 'a3']);
      // the two took 1,400 ms, of which 1,000 were free and a quarter of the second's 700 came back: what is owed is
      // waited for four times over
      const owed = 1_400 - 1_000 - 0.25 * 700;
      expect(Number(process.hrtime.bigint() - ended) / 1e6).toBeGreaterThan(4 * owed - 2);
    } finally {
      clock.mockRestore();
    }
  });

  it('that fail let the next one begin, and more than ten at a time are refused until later', async () => {
    const bodies = new BigBodies({ waiting: 10, longestMs: 120_000 });
    const failing = expect(bodies.inTurn('a', BIG, fails)).rejects.toThrow('no JSON');
    const rest = Array.from({ length: 9 }, (_, n) => bodies.inTurn('a', BIG, gives(n)));
    await expect(bodies.inTurn('a', BIG, gives(10))).rejects.toMatchObject({ code: 'rate_limited', retryAfter: 2 });
    await failing;
    expect(await Promise.all(rest)).toEqual(['0', '1', '2', '3', '4', '5', '6', '7', '8']);
    expect(await bodies.inTurn('a', BIG, gives(11))).toBe('11');
    expect(bodies.size).toBe(1);
  });

  it('that would wait too long are refused until later', async () => {
    const bodies = new BigBodies({ waiting: 10, longestMs: 200 });
    await expect(bodies.inTurn('a', BIG, reading([], 'a1', 1_200))).resolves.toBe('a1');
    await expect(bodies.inTurn('a', BIG, gives(2))).rejects.toMatchObject({ code: 'rate_limited' });
  });

  it('of all vendors are read a step at a time, after whatever has arrived meanwhile', async () => {
    const [bodies, log]: [BigBodies, string[]] = [new BigBodies(), []];
    const both = Promise.all(['a', 'b'].map((vendor) => bodies.inTurn(vendor, BIG, reading(log, vendor, 30, 3))));
    let isOver = false;
    const others = (async () => {
      while (!isOver) {
        log.push('other');
        await giveWay();
      }
    })();
    await both;
    isOver = true;
    await others;
    const steps = log
      .join(' ')
      .replaceAll(/(other ?)+/g, '| ')
      .trim();
    expect(steps).toMatch(/^\|( [ab] \|){5} [ab]( \|)?$/);
  });

  it('that are refused count ten times: five of 20 ms use up what a vendor has at once', async () => {
    // a busy machine makes 20 ms longer, and what counts ten times is waited for four times over
    const bodies = new BigBodies({ waiting: 10, longestMs: 120_000 });
    for (let n = 0; n < 5; n += 1) await expect(bodies.inTurn('a', BIG, fails)).rejects.toThrow('no JSON');
    const began = performance.now();
    await expect(bodies.inTurn('a', BIG, fails)).rejects.toThrow('no JSON');
    await bodies.inTurn('a', BIG, gives(1));
    // the sixth alone is 200 ms of a quarter of the time
    expect(performance.now() - began).toBeGreaterThan(500);
  });
});
