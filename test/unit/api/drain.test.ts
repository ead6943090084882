import { Agent, createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { closeInOrder } from '../../../api/http/drain.ts';
import { fairTimeOf } from '../../support/fair-clock.ts';

/** A client that keeps its one connection, as a poller does. */
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
afterAll(() => agent.destroy());

const ask = (server: Server): Promise<IncomingMessage> =>
  new Promise((done, failed) => {
    get({ agent, port: (server.address() as AddressInfo).port }, (response) => {
      response.resume().once('end', () => done(response));
    }).once('error', failed);
  });

describe('a server that is closed in order', () => {
  it('answers the running request and then ends, though the client would keep its connection for 75 s', async () => {
    let answer = (): void => undefined;
    const arrived = Promise.withResolvers<void>();
    const server = createServer({ keepAliveTimeout: 75_000 }, (_request, response) => {
      answer = () => response.end('done');
      arrived.resolve();
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const asked = ask(server);
    await arrived.promise;
    const took = await fairTimeOf(async () => {
      const closed = closeInOrder(server);
      answer();
      expect((await asked).statusCode).toBe(200);
      await closed;
    });
    expect(took).toBeLessThan(10_000);
  });
});
