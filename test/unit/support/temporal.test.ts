import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { promisify } from 'node:util';
import { temporalAt } from '../../support/temporal.ts';

const endOfTheTick = promisify(setImmediate);

it('a connection to Temporal is closed only when the calls that nobody awaits have ended', async () => {
  const server = createServer((socket: Socket) => socket.destroy()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { client, close } = temporalAt(`127.0.0.1:${(server.address() as AddressInfo).port}`);
  const ended: string[] = [];
  for (const id of ['a', 'b']) {
    const query = client.workflow.getHandle(id).query('state');
    void query.catch(() => ended.push(id));
  }
  await once(server, 'connection');
  await close();
  await endOfTheTick();
  expect(ended.sort()).toEqual(['a', 'b']);
  server.close();
});
