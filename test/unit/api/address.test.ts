import type { IncomingMessage } from 'node:http';
import { Addresses } from '../../../api/http/address.ts';
import { KeylessLimit } from '../../../api/http/keyless-limit.ts';
import { RateLimit } from '../../../api/http/rate-limit.ts';

const request = (remoteAddress: string, forwarded?: string | string[]): IncomingMessage =>
  ({ socket: { remoteAddress }, headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded } }) as unknown as IncomingMessage;

describe('whose request it is', () => {
  const trusting = new Addresses(['10.0.0.0/8', '192.0.2.1', 'fd00::/8']);

  it.each<[string, string, string | string[] | undefined, string]>([
    ['the connection’s', '203.0.113.9', undefined, '203.0.113.9'],
    ['a stranger’s header is not believed', '203.0.113.9', '1.1.1.1', '203.0.113.9'],
    ['our proxy’s is', '10.0.0.5', '203.0.113.9', '203.0.113.9'],
    ['also by IPv4 in IPv6', '::ffff:10.0.0.5', '203.0.113.9', '203.0.113.9'],
    ['what stands before the nearest stranger may be made up', '10.0.0.5', '1.1.1.1, 203.0.113.9', '203.0.113.9'],
    ['through two of ours', '10.0.0.5', '203.0.113.9, 192.0.2.1', '203.0.113.9'],
    ['in two headers', '10.0.0.5', ['1.1.1.1', '203.0.113.9, 192.0.2.1'], '203.0.113.9'],
    ['nonsense ends the search', '10.0.0.5', '203.0.113.9, nonsense', '10.0.0.5'],
    ['nobody but ours', '10.0.0.5', '10.0.0.6', '10.0.0.6'],
    ['without a header', '10.0.0.5', undefined, '10.0.0.5'],
    ['of IPv6 the network', 'fd00::1', '2001:db8:0:1:aaaa::7', '2001:db8:0:1::/64'],
    ['shortened', '2001:DB8::7', undefined, '2001:db8:0:0::/64'],
  ])('%s', (_, remote, forwarded, address) => {
    expect(trusting.of(request(remote, forwarded))).toBe(address);
  });

  it('trusts nobody unless it is configured', () => {
    expect(new Addresses([]).of(request('10.0.0.5', '203.0.113.9'))).toBe('10.0.0.5');
  });
});

describe('the limit of requests without a key', () => {
  it('can be off', () => {
    const off = new KeylessLimit(null, new Addresses([]));
    for (let n = 0; n < 100; n += 1) off.take(request('203.0.113.9'));
    expect(off.count(request('203.0.113.9')).left).toBeGreaterThan(0);
  });

  it('remembers so many callers and no more, however many come; the oldest is forgotten first', () => {
    const limit = new RateLimit(1, 100);
    for (let n = 0; n < 10_000; n += 1) limit.count(`caller ${n}`, 0);
    expect(limit.size).toBe(100);
    expect(limit.count('caller 9999', 1).left).toBe(-1);
    expect(limit.count('caller 9000', 1).left).toBe(0);
    limit.count('late', 61_000);
    expect(limit.size).toBe(1);
  });
});
