import { type AddressInfo, createServer } from 'node:net';
import { openTransport } from '../../../services/webhook/transport.ts';

/** What comes of a delivery to a server that answers with these bytes and then does nothing more. */
async function answered(bytes: string) {
  const server = createServer((socket) => socket.on('error', () => undefined).once('data', () => socket.write(bytes)));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const transport = openTransport({ reachesPrivate: true, longestMs: 500 });
  const { port } = server.address() as AddressInfo;
  const answer = await transport.post(`http://127.0.0.1:${port}/`, {}, '{}', new AbortController().signal);
  transport.close();
  await new Promise((done) => server.close(done));
  return answer;
}

describe('an answer', () => {
  it('that changes the protocol ends the try', async () => {
    const upgrade = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n';
    expect(await answered(upgrade)).toEqual({ statusCode: 101, error: null, answer: '' });
  });

  it('counts by its status, although the rest never comes', async () => {
    expect(await answered('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nab')).toEqual({ statusCode: 200, error: null, answer: 'ab' });
  });

  it('that says nothing, or no HTTP, is none', async () => {
    expect(await answered('HTTP/1.1 100 Continue\r\n\r\n')).toMatchObject({ statusCode: null, error: 'no answer within the time limit' });
    expect(await answered('nonsense\r\n\r\n')).toMatchObject({ statusCode: null, error: 'the answer is not HTTP' });
  });
});
