import { FairQueue } from '../../../pdf/fair-queue.ts';

const limits = { atOnce: 1, perOwner: 3, inAll: 5, longestMs: 30_000 };

/** Tasks that end only when the test ends them, and the list of those that have begun. */
function controlledTasks(queue: FairQueue) {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const ask = (owner: string, name: string): Promise<string> =>
    queue.run(owner, async () => {
      begun.push(name);
      await new Promise<void>((done) => ends.push(done));
      return name;
    });
  const endOne = async () => {
    ends.shift()?.();
    for (let n = 0; n < 5; n += 1) await Promise.resolve();
  };
  return { begun, ask, endOne };
}

describe('a fair queue of one place', () => {
  it('runs one task of each owner before a second task of any owner', async () => {
    const { begun, ask, endOne } = controlledTasks(new FairQueue(limits));
    const all = [ask('a', 'a1'), ask('a', 'a2'), ask('a', 'a3'), ask('b', 'b1'), ask('b', 'b2'), ask('c', 'c1')];
    for (let n = 0; n < 6; n += 1) await endOne();
    expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'b1', 'b2', 'c1']);
    expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2']);
  });

  it('goes on after a task that fails', async () => {
    const queue = new FairQueue(limits);
    const broken = async () => {
      throw new Error('broken');
    };
    await expect(queue.run('a', broken)).rejects.toThrow('broken');
    const [first, second] = [queue.run('a', broken), queue.run('b', async () => 'next')];
    await expect(first).rejects.toThrow('broken');
    expect(await second).toBe('next');
  });

  it('refuses the fourth waiting task of one owner with 429, and the sixth waiting task with 503', async () => {
    const { ask, endOne } = controlledTasks(new FairQueue(limits));
    const placed = [ask('a', 'a0'), ask('a', 'a1'), ask('a', 'a2'), ask('a', 'a3'), ask('b', 'b1'), ask('b', 'b2')];
    await expect(ask('a', 'a4')).rejects.toMatchObject({ code: 'owner_full', retryAfter: 30 });
    await expect(ask('c', 'c1')).rejects.toMatchObject({ code: 'all_full', retryAfter: 30 });
    for (let n = 0; n < 6; n += 1) await endOne();
    expect(await Promise.all(placed)).toHaveLength(6);
  });

  it('refuses a task that has waited too long, and runs later ones', async () => {
    const { begun, ask, endOne } = controlledTasks(new FairQueue({ ...limits, longestMs: 20 }));
    const first = ask('a', 'a1');
    await expect(ask('a', 'a2')).rejects.toMatchObject({ code: 'all_full' });
    const patient = ask('b', 'b1');
    await endOne();
    await endOne();
    expect([await first, await patient, begun]).toEqual(['a1', 'b1', ['a1', 'b1']]);
  });
});

describe('a fair queue whose place rests as long as its task took', () => {
  it('answers the task at once, and begins the next one after the rest', async () => {
    const queue = new FairQueue({ ...limits, rest: 1 });
    const began = performance.now();
    const times: number[] = [];
    const task = async () => {
      times.push(performance.now() - began);
      for (const start = performance.now(); performance.now() - start < 60; );
    };
    const [first, second] = [queue.run('a', task), queue.run('a', task)];
    await first;
    expect(times).toHaveLength(1);
    await second;
    // a timer may fire a millisecond early
    expect(times[1]).toBeGreaterThanOrEqual(118);
  });
});
