import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '../support/eventually.ts';

/**
 * As `eventually`, with the time that other tests may take from it: the log is settled, and its events sent, only when
 * every transaction of the server that began earlier has ended.
 */
export const delivered = <T>(check: () => T | Promise<T>): Promise<T> => eventually(check);

/** A delivery as it arrived. */
export interface Received {
  at: number;
  headers: Record<string, string>;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests state what they expect of it
  body: any;
  /** the status it was answered with; null: the receiver gave no answer by itself */
  status: number | null;
}

/** What it does with a delivery: a status, or an answer of its own. */
type Behaviour = (received: Received, response: ServerResponse) => number | null;

/** A vendor's own server, which deliveries are sent to. */
export class Receiver {
  readonly received: Received[] = [];
  behave: Behaviour;
  #server: Server | null = null;
  #port = 0;

  constructor(behave: Behaviour = () => 200) {
    this.behave = behave;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}/hook`;
  }

  /** Listens; where it listened before, at the same port. */
  async start(): Promise<this> {
    const server = createServer((request, response) => void this.#take(request, response));
    this.#server = server;
    await new Promise<void>((done, failed) => server.once('error', failed).listen(this.#port, '127.0.0.1', done));
    this.#port = (server.address() as AddressInfo).port;
    return this;
  }

  /** Breaks all connections at once, as a killed process does. */
  async kill(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    if (server === null) return;
    const closed = new Promise<void>((done) => server.close(() => done()));
    server.closeAllConnections();
    await closed;
  }

  /** The bodies that were taken, in the order of arrival. */
  get taken(): Received[] {
    return this.received.filter(({ status }) => status !== null && status < 300);
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    } catch {
      return;
    }
    const text = Buffer.concat(chunks).toString('utf8');
    const received: Received = {
      at: Date.now(),
      headers: request.headers as Record<string, string>,
      text,
      body: JSON.parse(text),
      status: null,
    };
    this.received.push(received);
    received.status = this.behave(received, response);
    if (received.status !== null) response.writeHead(received.status).end();
  }
}

/** The sequences at which each object's events were taken first, in the order of arrival. */
export function sequencesOf(taken: readonly Received[]): Map<string, number[]> {
  const seen = new Set<string>();
  const first = taken.filter(({ body }) => !seen.has(body.id) && seen.add(body.id));
  return new Map(
    [...Map.groupBy(first, ({ body }) => body.object as string)].map(([id, some]) => [id, some.map(({ body }) => body.sequence)]),
  );
}
