import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv6 } from 'node:net';

/**
 * Hextets of an IPv6 address that name a network: somebody who has one address usually has all addresses of its
 * network.
 */
const NETWORK_HEXTETS = 4;
const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/**
 * Finds the address that a request comes from: the connection's, unless that is a proxy that the installation trusts.
 */
export class Addresses {
  readonly #trusted = new BlockList();

  /** @param trusted addresses and networks of our own proxies, like 10.0.0.5 or 10.0.0.0/8 */
  constructor(trusted: readonly string[]) {
    for (const entry of trusted) {
      const [address = '', bits] = entry.split('/');
      const family = isIPv6(address) ? 'ipv6' : 'ipv4';
      if (bits === undefined) this.#trusted.addAddress(address, family);
      else this.#trusted.addSubnet(address, Number(bits), family);
    }
  }

  /**
   * The nearest address that is none of our proxies. What is before it in `X-Forwarded-For` anybody could have written.
   *
   * @example trusting 10.0.0.0/8, from 10.0.0.5 with 'X-Forwarded-For: 1.1.1.1, 203.0.113.9, 10.0.0.7': '203.0.113.9'
   */
  of(request: Pick<IncomingMessage, 'socket' | 'headers'>): string {
    const forwarded = [request.headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
    let nearest = plain(request.socket.remoteAddress ?? '');
    while (this.#isTrusted(nearest)) {
      const before = plain(forwarded.pop()?.trim() ?? '');
      if (isIP(before) === 0) break;
      nearest = before;
    }
    return isIPv6(nearest) ? networkOf(nearest) : nearest;
  }

  #isTrusted(address: string): boolean {
    return isIP(address) !== 0 && this.#trusted.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
  }
}

const plain = (address: string): string => MAPPED.exec(address)?.[1] ?? address;

/** `2001:db8:0:1::/64` of any address in it. */
function networkOf(address: string): string {
  const [head = '', tail] = (address.split('%')[0] ?? '').split('::');
  const [before, after] = [head, tail ?? ''].map((part) => part.split(':').filter((hextet) => hextet !== ''));
  const gap = tail === undefined ? 0 : 8 - (before?.length ?? 0) - (after?.length ?? 0);
  const hextets = [...(before ?? []), ...Array.from({ length: Math.max(0, gap) }, () => '0'), ...(after ?? [])];
  return `${hextets
    .slice(0, NETWORK_HEXTETS)
    .map((hextet) => Number.parseInt(hextet, 16).toString(16))
    .join(':')}::/64`;
}
