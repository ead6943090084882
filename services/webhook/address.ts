import { lookup as resolve } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** An address that webhooks may not be sent to. */
export class ForbiddenAddress extends Error {
  /** @param named as the vendor wrote it: what a name resolves to may be a secret of our network */
  constructor(named: string) {
    super(`the address ${named} is not a public one`);
    this.name = 'ForbiddenAddress';
  }
}

/** The last 32 bits are an IPv4 address, or were one: a router may take them for it. */
const IPV4_INSIDE = ipaddr.parseCIDR('::/96');

/**
 * Whether an address belongs to the public internet. Everything else is refused: private networks and those that
 * internet providers share, loopback, link-local ones with the metadata services of clouds, unspecified, multicast and
 * reserved ones, and those of IPv6 that contain one of IPv4.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  return address.range() === 'unicast' && !(address.kind() === 'ipv6' && address.match(IPV4_INSIDE));
}

/** The host of a URL without the brackets of IPv6. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, '$1');

/** Whether the URL names a forbidden address itself: no lookup would be made for it. */
export const namesForbiddenAddress = (url: URL): boolean => isIP(hostOf(url)) !== 0 && !isPublicAddress(hostOf(url));

/**
 * Looks a host up as connections do and refuses what isn't public. The connection is made to the very address that was
 * checked, so a name that changes its address between two looks gains nothing.
 */
export const publicLookup: LookupFunction = (hostname, options, callback) => {
  resolve(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return callback(error, '', 0);
    const [first] = addresses;
    if (first === undefined || !addresses.every(({ address }) => isPublicAddress(address)))
      return callback(new ForbiddenAddress(`of ${hostname}`), '', 0);
    if (options.all === true) return callback(null, addresses);
    return callback(null, first.address, first.family);
  });
};
