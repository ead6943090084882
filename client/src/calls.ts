import { randomUUID } from 'node:crypto';
import { PerennialError } from './errors.ts';
import { type AnyPage, List, type ListStart } from './list.ts';
import { queryText, type Request } from './request.ts';
import { Sender, type SenderOptions } from './sender.ts';

export { path } from './request.ts';

/** How one call is made, where it differs from what holds for all. */
export interface CallOptions {
  /** Ends the call; it then fails with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** The longest time for one try, in milliseconds. */
  timeoutMs?: number | undefined;
  /** How often a request is sent again at most. */
  maxRetries?: number | undefined;
}

export interface WriteOptions extends CallOptions {
  /** A name of your own for this write, such as an order's number; each call has one of its own unless given. */
  idempotencyKey?: string | undefined;
}

type Query = { query?: object | undefined };

/** The kinds of calls that operations make. */
export class Calls {
  readonly #sender: Sender;

  constructor(options: SenderOptions) {
    this.#sender = new Sender(options);
  }

  async read<T>(path: string, query: object, options: CallOptions): Promise<T> {
    return json<T>(await this.#sender.send(reading(path, query), options));
  }

  async file(path: string, query: object, options: CallOptions): Promise<Uint8Array> {
    return this.#sender.send(reading(path, query), options);
  }

  list<Page extends AnyPage>(path: string, query: ListStart, options: CallOptions): List<Page> {
    return new List((cursor) => this.read<Page>(path, cursor === undefined ? query : { ...query, offset: cursor }, options), query);
  }

  write<T>(path: string, body: object | undefined, options: WriteOptions & Query): Promise<T> {
    return this.#write<T>(path, body, options, options.idempotencyKey ?? randomUUID());
  }

  /** A write that takes no idempotency key, so it is never sent twice. */
  writeOnce<T>(path: string, body: object | undefined, options: CallOptions & Query): Promise<T> {
    return this.#write<T>(path, body, options, null);
  }

  async #write<T>(path: string, body: object | undefined, options: CallOptions & Query, idempotencyKey: string | null): Promise<T> {
    const target = `${path}${queryText(options.query ?? {})}`;
    const text = body === undefined ? undefined : JSON.stringify(body);
    const request: Request = { method: 'POST', target, body: text, idempotencyKey, isRepeatable: idempotencyKey !== null };
    return json<T>(await this.#sender.send(request, options));
  }
}

const reading = (path: string, query: object): Request => ({
  method: 'GET',
  target: `${path}${queryText(query)}`,
  body: undefined,
  idempotencyKey: null,
  isRepeatable: true,
});

/** An empty body is how operations answer that give nothing back. */
function json<T>(bytes: Uint8Array): T {
  if (bytes.length === 0) return undefined as T;
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as T;
  } catch (cause) {
    throw new PerennialError('unreadable_answer', 'The answer is not JSON.', { cause });
  }
}
