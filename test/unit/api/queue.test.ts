import { promisify } from 'node:util';
import { RequestQueues } from '../../../api/http/queue.ts';

/** One turn of the event loop. */
const nextTurn = promisify(setImmediate);

/** Work that ends when the test lets it end, and what has happened so far. */
function bench(queues = new RequestQueues()) {
  const happened: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<void>>();
  const run = (name: string, key = 'Cont_1'): Promise<string> => {
    const end = Promise.withResolvers<void>();
    ends.set(name, end);
    const result = queues.run(key, async () => {
      happened.push(`${name} begins`);
      await end.promise;
      happened.push(`${name} ends`);
      return name;
    });
    // looked at by the test, or not
    result.catch(() => undefined);
    return result;
  };
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.resolve();
    await nextTurn();
  };
  const fail = (name: string, error: Error): void => ends.get(name)?.reject(error);
  return { happened, run, end, fail };
}

const BUSY = { code: 'change_in_progress', status: 409, retryAfter: 1 };

describe('requests that change the same contract', () => {
  it('go on one after the other, as they came', async () => {
    const { happened, run, end } = bench();
    const responses = [run('a'), run('b'), run('c')];
    for (const name of ['b', 'a', 'c']) await end(name);
    expect(await Promise.all(responses)).toEqual(['a', 'b', 'c']);
    expect(happened).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  });

  it('do not wait for those of another contract', async () => {
    const { happened, run, end } = bench();
    const first = run('a');
    const other = run('b', 'Cont_2');
    await end('b');
    expect(await other).toBe('b');
    expect(happened).toEqual(['a begins', 'b begins', 'b ends']);
    await end('a');
    await first;
  });

  it('are refused at once when ten are there already, and taken again when one of them has ended', async () => {
    const { run, end } = bench();
    const names = Array.from({ length: 10 }, (_, i) => `r${i}`);
    const responses = names.map((name) => run(name));
    await expect(run('eleventh')).rejects.toMatchObject(BUSY);
    await end('r0');
    const next = run('next');
    await expect(run('one too many')).rejects.toMatchObject(BUSY);
    for (const name of [...names, 'next']) await end(name);
    expect(await Promise.all([...responses, next])).toEqual([...names, 'next']);
  });

  it('go on after one that fails: its caller alone gets the error', async () => {
    const { run, end, fail } = bench();
    const [first, second] = [run('a'), run('b')];
    fail('a', new Error('no such plan'));
    await expect(first).rejects.toThrow('no such plan');
    await end('b');
    expect(await second).toBe('b');
  });

  it('are refused when they have waited too long, while the one before them is still at work, and are never begun', async () => {
    const { happened, run, end } = bench(new RequestQueues({ most: 10, longestMs: 20 }));
    const [first, second] = [run('a'), run('b')];
    await expect(second).rejects.toMatchObject(BUSY);
    expect(happened).toEqual(['a begins']);
    await end('a');
    expect(await first).toBe('a');
    const third = run('c');
    await end('c');
    expect(await third).toBe('c');
    expect(happened).toEqual(['a begins', 'a ends', 'c begins', 'c ends']);
  });
});
