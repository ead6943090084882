import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Perennial, type PerennialOptions } from '../../../client/src/index.ts';

export interface Seen {
  method: string;
  url: string;
  key: string | undefined;
  body: string;
}

/** What the server does with one request: an answer, or a broken connection. */
export type Answer = { status: number; body?: unknown; headers?: Record<string, string> } | 'broken' | 'never';

/** A server that answers what it is given, one after the other, and keeps what it was asked. */
export class ScriptedApi {
  readonly seen: Seen[] = [];
  readonly #answers: Answer[] = [];
  readonly #server: Server;
  #scripts = 0;

  constructor() {
    this.#server = createServer(async (request, response) => {
      const seen = await seenOf(request);
      // a call that a test has broken off may arrive during the next one
      if (request.headers['wb-key'] !== this.#key) return;
      this.seen.push(seen);
      const answer = this.#answers.shift() ?? { status: 500 };
      if (answer === 'broken') response.destroy();
      else if (answer !== 'never') {
        const type = answer.status < 400 ? 'application/json' : 'application/problem+json';
        response.writeHead(answer.status, { 'content-type': type, 'request-id': 'header-id', ...answer.headers });
        response.end(answer.body === undefined ? '' : JSON.stringify(answer.body));
      }
    });
  }

  async open(): Promise<void> {
    await new Promise<void>((opened) => this.#server.listen(0, '127.0.0.1', opened));
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((closed) => this.#server.close(closed));
  }

  get #key(): string {
    return `api_key_of_a_test_${this.#scripts}`;
  }

  /** Begins a new script, for clients that are made after it. */
  answers(...answers: Answer[]): void {
    this.#scripts += 1;
    this.seen.length = 0;
    this.#answers.splice(0, this.#answers.length, ...answers);
  }

  client(options: Partial<PerennialOptions> = {}): Perennial {
    const { port } = this.#server.address() as AddressInfo;
    return new Perennial({ baseUrl: `http://127.0.0.1:${port}/`, apiKey: this.#key, ...options });
  }
}

async function seenOf(request: IncomingMessage): Promise<Seen> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { method = '', url = '', headers } = request;
  return { method, url, key: headers['idempotency-key'] as string | undefined, body: Buffer.concat(chunks).toString() };
}

/** A refusal as the API writes it. */
export function problem(status: number, code: string, feedback: Record<string, string> = {}, headers: Record<string, string> = {}): Answer {
  const fields = Object.fromEntries(Object.entries(feedback).map(([name, value]) => [name, { type: 'error', value }]));
  return { status, headers, body: { code, status, title: 'A title', detail: 'What was wrong.', request_id: 'its-id', feedback: fields } };
}
