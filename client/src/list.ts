/** One page of a list: `forward` and `backward` are the cursors of its neighbours, null where there is none. */
export interface AnyPage {
  readonly hits: readonly unknown[];
  readonly forward?: string | null | undefined;
  readonly backward?: string | null | undefined;
}

export interface ListStart {
  /** The cursor to begin at. */
  readonly offset?: string | undefined;
  /** `backward` begins at the last hit. */
  readonly direction?: 'forward' | 'backward' | undefined;
}

type HitOf<Page extends AnyPage> = Page['hits'][number];

/**
 * A list: `await` gives its first page, `for await` every hit of every page. Pages are read when they are needed;
 * going backward begins at the last hit and ends at the first.
 */
export class List<Page extends AnyPage> implements PromiseLike<Page>, AsyncIterable<HitOf<Page>> {
  readonly #read: (cursor: string | undefined) => Promise<Page>;
  readonly #start: ListStart;
  #first: Promise<Page> | undefined;

  constructor(read: (cursor: string | undefined) => Promise<Page>, start: ListStart = {}) {
    this.#read = read;
    this.#start = start;
  }

  // biome-ignore lint/suspicious/noThenProperty: a list is awaited for its first page, without being a request before
  then<A = Page, B = never>(
    done?: ((page: Page) => A | PromiseLike<A>) | null,
    failed?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#first ??= this.#read(this.#start.offset);
    return this.#first.then(done, failed);
  }

  /** The pages, one after the other, each with its hits in the list's own order. */
  async *pages(): AsyncGenerator<Page, void, undefined> {
    const next = this.#start.direction === 'backward' ? 'backward' : 'forward';
    for (let page = await this.#read(this.#start.offset); ; ) {
      yield page;
      const cursor = page[next];
      if (cursor === null || cursor === undefined) return;
      page = await this.#read(cursor);
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<HitOf<Page>, void, undefined> {
    const isBackward = this.#start.direction === 'backward';
    for await (const page of this.pages()) {
      const hits: readonly HitOf<Page>[] = page.hits;
      for (const hit of isBackward ? hits.toReversed() : hits) yield hit;
    }
  }

  /** Every hit in one array. Of a list that may be long, give the most you want. */
  async all(most = Number.POSITIVE_INFINITY): Promise<HitOf<Page>[]> {
    const found: HitOf<Page>[] = [];
    if (most <= 0) return found;
    for await (const hit of this) if (found.push(hit) >= most) break;
    return found;
  }
}
