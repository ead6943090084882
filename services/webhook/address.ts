import type { LookupAddress } from 'node:dns';
import type { Resolver } from 'node:dns/promises';
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

/** A name that always means the own machine (RFC 6761); no name server needs to know it. */
const OWN_MACHINE = /(^|\.)localhost\.?$/;

/** Whether the URL names a forbidden address itself: no lookup would be made for it. */
export const namesForbiddenAddress = (url: URL): boolean =>
  OWN_MACHINE.test(hostOf(url)) || (isIP(hostOf(url)) !== 0 && !isPublicAddress(hostOf(url)));

type Resolve = Pick<Resolver, 'resolve4' | 'resolve6'>;

/**
 * Looks a host up and refuses what isn't public. The connection is made to the very address that was checked, so a name
 * that changes its address between two looks gains nothing. It asks the name servers itself: a lookup by the operating
 * system keeps one of few threads busy until a vendor's name server answers, and payments need those threads too.
 */
export function publicLookup(resolver: Resolve): LookupFunction {
  return (hostname, options, callback) => {
    addressesOf(resolver, hostname).then(
      (found) => {
        const addresses = found.filter(({ family }) => !options.family || options.family === family || options.family === `IPv${family}`);
        const [first] = addresses;
        if (first === undefined || !found.every(({ address }) => isPublicAddress(address)))
          return callback(new ForbiddenAddress(`of ${hostname}`), '', 0);
        if (options.all === true) return callback(null, addresses);
        return callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, '', 0),
    );
  };
}

/** @throws the name servers' error, where neither protocol has an address */
async function addressesOf(resolver: Resolve, hostname: string): Promise<LookupAddress[]> {
  const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  if (four.status === 'rejected' && six.status === 'rejected') throw four.reason;
  const of = (found: typeof four, family: number) =>
    found.status === 'fulfilled' ? found.value.map((address) => ({ address, family })) : [];
  return [...of(four, 4), ...of(six, 6)];
}
