import { List } from '../../../client/src/index.ts';

type Page = { hits: string[]; forward: string | null; backward: string | null };
const PAGES: Record<string, Page> = {
  first: { hits: ['a', 'b'], forward: 'second', backward: null },
  second: { hits: ['c', 'd'], forward: 'third', backward: 'first' },
  third: { hits: ['e'], forward: null, backward: 'second' },
};

function listOf(start: { offset?: string; direction?: 'forward' | 'backward' } = {}): { list: List<Page>; read: string[] } {
  const read: string[] = [];
  const list = new List<Page>(async (cursor) => {
    const name = cursor ?? (start.direction === 'backward' ? 'third' : 'first');
    read.push(name);
    return PAGES[name] as Page;
  }, start);
  return { list, read };
}

describe('a list', () => {
  it('gives its first page when it is awaited, read once, and nothing is read before', async () => {
    const { list, read } = listOf();
    expect(read).toEqual([]);
    expect([(await list).hits, (await list).hits]).toEqual([PAGES.first?.hits, PAGES.first?.hits]);
    expect(read).toEqual(['first']);
  });

  it('gives every hit of every page in order', async () => {
    expect(await listOf().list.all()).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('begins at a cursor', async () => {
    const { list, read } = listOf({ offset: 'second' });
    expect(await list.all()).toEqual(['c', 'd', 'e']);
    expect(read).toEqual(['second', 'third']);
  });

  it('goes from the last hit to the first when it goes backward', async () => {
    expect(await listOf({ direction: 'backward' }).list.all()).toEqual(['e', 'd', 'c', 'b', 'a']);
  });

  it('reads no page that nobody needs', async () => {
    const { list, read } = listOf();
    expect(await list.all(2)).toEqual(['a', 'b']);
    expect(await list.all(0)).toEqual([]);
    expect(read).toEqual(['first']);
  });

  it('fails as its request fails', async () => {
    const list = new List<Page>(() => Promise.reject(new Error('refused')));
    await expect(list).rejects.toThrow('refused');
    await expect(list.all()).rejects.toThrow('refused');
  });
});
