import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
}

/** `'cut'`: the connection breaks after the request was worked on, before any answer. */
export type Reply = { status: number; body: unknown } | 'cut';

export interface ScriptedServer {
  base: string;
  received: Received[];
  close(): Promise<void>;
}

/** A local counterpart of a provider: answers as scripted and remembers what it was asked. */
export async function scriptedServer(reply: (request: Received) => Reply): Promise<ScriptedServer> {
  const received: Received[] = [];
  const server: Server = createServer((incoming, outgoing) => {
    const parts: Buffer[] = [];
    incoming.on('data', (part: Buffer) => parts.push(part));
    incoming.on('end', () => {
      const request = {
        method: incoming.method ?? '',
        path: incoming.url ?? '',
        headers: incoming.headers,
        body: Buffer.concat(parts).toString(),
      };
      received.push(request);
      const answer = reply(request);
      if (answer === 'cut') incoming.socket.destroy();
      else outgoing.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body));
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    close: () => new Promise((done) => server.close(() => done())),
  };
}
