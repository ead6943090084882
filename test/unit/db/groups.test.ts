import { promisify } from 'node:util';
import { Groups, OwnersGroups } from '../../../db/groups.ts';
import { TooManyTransactions } from '../../../db/lockers.ts';
import { eventually } from '../../support/eventually.ts';

/** One turn of the event loop. */
const turn = promisify(setImmediate);

/** As many as a group waits for at most, so that it has begun. */
async function turns(): Promise<void> {
  for (let n = 0; n < 6; n += 1) await turn();
}

/** A group under way, ended by hand. */
interface Begun {
  items: readonly string[];
  end: (results: readonly string[]) => void;
  fail: (error: Error) => void;
}

function groupsOf(
  limits: { atOnce: number; most: number; besideAfterMs?: number },
  lateMs?: number,
): { groups: Groups<string, string>; begun: Begun[] } {
  const begun: Begun[] = [];
  const work = (items: readonly string[]) => {
    const { promise, resolve, reject } = Promise.withResolvers<readonly string[]>();
    begun.push({ items, end: resolve, fail: reject });
    return promise;
  };
  return { groups: new Groups(work, limits, lateMs), begun };
}

const itemsOf = (begun: readonly Begun[]) => begun.map(({ items }) => items.join(''));

describe('a group', () => {
  it('takes what is asked for in one turn of the event loop', async () => {
    const { groups, begun } = groupsOf({ atOnce: 1, most: 100 });
    const [a, b] = [groups.one('a'), groups.one('b')];
    expect(begun).toHaveLength(0);
    await turns();
    expect(itemsOf(begun)).toEqual(['ab']);
    begun[0]?.end(['1', '2']);
    expect(await Promise.all([a, b])).toEqual(['1', '2']);
  });

  it('takes what the next rounds bring, as long as each brings more', async () => {
    const { groups, begun } = groupsOf({ atOnce: 1, most: 100 });
    const answers = ['a', 'b'].map((item) => groups.one(item));
    await turn();
    answers.push(groups.one('c'));
    await turn();
    expect(begun).toHaveLength(0);
    await turn();
    expect(itemsOf(begun)).toEqual(['abc']);
    begun[0]?.end(['1', '2', '3']);
    expect(await Promise.all(answers)).toEqual(['1', '2', '3']);
  });

  it('of one item waits for no further round', async () => {
    const { groups, begun } = groupsOf({ atOnce: 1, most: 100 });
    void groups.one('a');
    await turn();
    expect(itemsOf(begun)).toEqual(['a']);
  });

  it('begins after a few rounds, also where each brings more', async () => {
    const { groups, begun } = groupsOf({ atOnce: 1, most: 100 });
    for (let round = 0; round < 20; round += 1) {
      void groups.one('a');
      void groups.one('b');
      await turn();
    }
    expect(itemsOf(begun)).toEqual(['ab'.repeat(5)]);
  });

  it('that is full begins at once', async () => {
    const { groups, begun } = groupsOf({ atOnce: 1, most: 2 });
    for (const item of ['a', 'b', 'c']) void groups.one(item);
    await turn();
    expect(itemsOf(begun)).toEqual(['ab']);
  });

  it('under way is not joined: what is asked for meanwhile waits for one that begins later', async () => {
    const { groups, begun } = groupsOf({ atOnce: 1, most: 100 });
    const first = groups.one('a');
    await turns();
    const later = [groups.one('b'), groups.one('c')];
    await turns();
    expect(itemsOf(begun)).toEqual(['a']);
    begun[0]?.end(['old']);
    expect(await first).toBe('old');
    await turns();
    expect(itemsOf(begun)).toEqual(['a', 'bc']);
    begun[1]?.end(['new', 'new']);
    expect(await Promise.all(later)).toEqual(['new', 'new']);
  });

  it('that ends soon has none beside it: what is asked for meanwhile begins at its end', async () => {
    const { groups, begun } = groupsOf({ atOnce: 2, most: 100, besideAfterMs: 60_000 });
    const first = groups.one('a');
    await turns();
    const later = [groups.one('b'), groups.one('c')];
    await turns();
    expect(itemsOf(begun)).toEqual(['a']);
    begun[0]?.end(['A']);
    expect(await first).toBe('A');
    await turns();
    expect(itemsOf(begun)).toEqual(['a', 'bc']);
    begun[1]?.end(['B', 'C']);
    expect(await Promise.all(later)).toEqual(['B', 'C']);
  });

  it('that takes long gets another beside it', async () => {
    const { groups, begun } = groupsOf({ atOnce: 2, most: 100, besideAfterMs: 20 });
    const answers = [groups.one('a')];
    await turns();
    answers.push(groups.one('b'));
    await eventually(async () => expect(itemsOf(begun)).toEqual(['a', 'b']));
    for (const { items, end } of begun) end(items);
    expect(await Promise.all(answers)).toEqual(['a', 'b']);
  });

  it('has as many beside it as are allowed, and the answers of each go to those who asked', async () => {
    const { groups, begun } = groupsOf({ atOnce: 2, most: 2 });
    const answers = ['a', 'b', 'c', 'd', 'e'].map((item) => groups.one(item));
    await turns();
    await turns();
    expect(itemsOf(begun)).toEqual(['ab', 'cd']);
    begun[1]?.end(['C', 'D']);
    await answers[3];
    await turns();
    expect(itemsOf(begun)).toEqual(['ab', 'cd', 'e']);
    begun[0]?.end(['A', 'B']);
    begun[2]?.end(['E']);
    expect(await Promise.all(answers)).toEqual(['A', 'B', 'C', 'D', 'E']);
  });

  it('keeps the items of one call together, more than a group takes too', async () => {
    const { groups, begun } = groupsOf({ atOnce: 1, most: 2 });
    const [all, one] = [groups.all(['a', 'b', 'c']), groups.one('d')];
    await turns();
    expect(itemsOf(begun)).toEqual(['abc']);
    begun[0]?.end(['1', '2', '3']);
    expect(await all).toEqual(['1', '2', '3']);
    await turns();
    begun[1]?.end(['4']);
    expect(await one).toBe('4');
    expect(await groups.all([])).toEqual([]);
  });

  it('that fails fails for those in it alone', async () => {
    const { groups, begun } = groupsOf({ atOnce: 1, most: 100 });
    const [a, b] = [groups.one('a'), groups.one('b')];
    await turns();
    const c = groups.one('c');
    begun[0]?.fail(new Error('away'));
    await expect(a).rejects.toThrow('away');
    await expect(b).rejects.toThrow('away');
    await turns();
    begun[1]?.end(['3']);
    expect(await c).toBe('3');
  });

  it('that had no answer from Postgres fails also for those who have waited too long behind it', async () => {
    const { groups, begun } = groupsOf({ atOnce: 1, most: 100 }, 0);
    const a = groups.one('a');
    await turns();
    const late = groups.one('b');
    begun[0]?.fail(new Error('Query read timeout'));
    await expect(a).rejects.toThrow('Query read timeout');
    await expect(late).rejects.toThrow(TooManyTransactions);
    const after = groups.one('c');
    await turns();
    expect(itemsOf(begun)).toEqual(['a', 'c']);
    begun[1]?.end(['3']);
    expect(await after).toBe('3');
  });

  it('that had no answer from Postgres leaves those who have just come to the next group', async () => {
    const { groups, begun } = groupsOf({ atOnce: 1, most: 100 }, 60_000);
    const a = groups.one('a');
    await turns();
    const b = groups.one('b');
    begun[0]?.fail(new Error('Query read timeout'));
    await expect(a).rejects.toThrow('Query read timeout');
    await turns();
    begun[1]?.end(['2']);
    expect(await b).toBe('2');
  });
});

describe('groups of owners', () => {
  it('have items of one owner each, and one that gets no answer holds up its owner alone', async () => {
    const { promise: never, reject: fail } = Promise.withResolvers<readonly string[]>();
    const work = (items: readonly string[]) =>
      items.includes('a1') ? never : Promise.resolve(items.map((item) => `${items.length}${item}`));
    const groups = new OwnersGroups(work, { atOnce: 1, most: 100 });
    const ended: string[] = [];
    const asked = (owner: string, item: string) =>
      groups.one(owner, item).then(
        (result) => ended.push(result),
        () => ended.push(`no ${item}`),
      );
    const [held, later, ...others] = [asked('a', 'a1'), turns().then(() => asked('a', 'a2')), asked('b', 'b1'), asked('b', 'b2')];
    await Promise.all(others);
    expect(ended).toEqual(['2b1', '2b2']);
    fail(new Error('no answer'));
    await Promise.all([held, later]);
    expect(ended.slice(2)).toEqual(['no a1', '1a2']);
  });
});
