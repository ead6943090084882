import { type AddressInfo, createServer } from 'node:net';
import { isPublicAddress, namesForbiddenAddress } from '../../../services/webhook/address.ts';
import { openTransport } from '../../../services/webhook/transport.ts';

describe('where webhooks may be sent outside the embedded mode', () => {
  it.each([
    ['0.0.0.0', 'unspecified'],
    ['10.1.2.3', 'private'],
    ['100.64.0.1', 'shared by internet providers'],
    ['127.0.0.1', 'loopback'],
    ['127.255.255.254', 'loopback'],
    ['169.254.169.254', 'metadata of a cloud'],
    ['172.16.0.1', 'private'],
    ['172.31.255.255', 'private'],
    ['192.0.0.1', 'protocols'],
    ['192.0.2.1', 'documentation'],
    ['192.168.178.1', 'private'],
    ['198.18.0.1', 'benchmarks'],
    ['203.0.113.9', 'documentation'],
    ['224.0.0.1', 'multicast'],
    ['240.0.0.1', 'reserved'],
    ['255.255.255.255', 'broadcast'],
    ['::', 'unspecified'],
    ['::1', 'loopback'],
    ['::ffff:127.0.0.1', 'loopback, mapped'],
    ['::ffff:a9fe:a9fe', 'metadata, mapped'],
    ['::127.0.0.1', 'loopback, inside'],
    ['::ffff:0:127.0.0.1', 'loopback, translated'],
    ['64:ff9b::7f00:1', 'loopback, translated'],
    ['64:ff9b:1::7f00:1', 'translated within a network'],
    ['2001:db8::1', 'documentation'],
    ['2002:7f00:1::', 'a tunnel to loopback'],
    ['2001::1', 'a tunnel'],
    ['fc00::1', 'unique local'],
    ['fd00:ec2::254', 'metadata of a cloud'],
    ['fe80::1', 'link-local'],
    ['fec0::1', 'site-local'],
    ['ff02::1', 'multicast'],
    ['not an address', 'nothing'],
  ])('refuses %s: %s', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each(['1.1.1.1', '8.8.8.8', '172.15.0.1', '172.32.0.1', '100.63.255.255', '::ffff:8.8.8.8', '2606:4700:4700::1111'])(
    'takes %s',
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );

  it.each([
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f.0.0.1/',
    'http://0177.0.0.1/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://0/',
  ])('knows %s as an address that it refuses', (url) => {
    expect(namesForbiddenAddress(new URL(url))).toBe(true);
  });

  it.each(['http://localhost/', 'http://LOCALHOST:8080/', 'http://localhost./', 'https://a.localhost/'])(
    'knows %s as this machine',
    (url) => {
      expect(namesForbiddenAddress(new URL(url))).toBe(true);
    },
  );

  it('opens no connection to loopback, by address or by name', async () => {
    let connections = 0;
    const server = createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    const transport = openTransport({ reachesPrivate: false });
    for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '2130706433']) {
      const answered = await transport.post(`http://${host}:${port}/`, {}, '{}', new AbortController().signal);
      expect(answered).toEqual({ statusCode: null, error: expect.stringMatching(/^the address .* is not a public one$/), answer: '' });
    }
    expect(connections).toBe(0);
    transport.close();
    await new Promise((done) => server.close(done));
  });
});
