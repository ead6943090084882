import type { Request } from '../api/load.ts';
import { contractsOf, customersOf, type Sapling } from './vendor.ts';

export interface Case {
  name: string;
  /** in which plot it is drawn */
  plot: 'calls' | 'lists';
  requests(vendor: Sapling, count: number): Promise<Request[]> | Request[];
}

/** How many of its customers and contracts a case asks about. */
const SOME = 200;
/** Pages from the first to the ones in the middle of a list. */
const DEEP = 20;
const LIMIT = 50;

const times = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n));
const headers = ({ apiKey }: Sapling) => ({ 'wb-key': apiKey });

const get =
  (path: (vendor: Sapling, n: number) => string): Case['requests'] =>
  (vendor, count) =>
    times(count, (n) => ({ method: 'GET', path: path(vendor, n), headers: headers(vendor) }));
const post =
  (path: (vendor: Sapling) => string, body: (vendor: Sapling) => unknown): Case['requests'] =>
  (vendor, count) =>
    times(count, () => ({ method: 'POST', path: path(vendor), headers: headers(vendor), body: JSON.stringify(body(vendor)) }));
const some =
  (of: typeof contractsOf, path: (id: string) => string): Case['requests'] =>
  (vendor, count) => {
    const ids = of(vendor, Math.min(SOME, vendor.size.contracts));
    return get((_, n) => path(ids[(n * 7) % ids.length] ?? ''))(vendor, count);
  };

/** The pages that follow the first, one after the other, as a caller reads them. */
const following =
  (path: (vendor: Sapling) => string): Case['requests'] =>
  async (vendor, count) => {
    const paths: string[] = [];
    for (let cursor: string | null = null; paths.length < DEEP; ) {
      const here: string = `${path(vendor)}${cursor === null ? '' : `&offset=${encodeURIComponent(cursor)}`}`;
      const { forward: next } = await vendor.api.read<{ forward: string | null }>(here);
      if (next === null) break;
      paths.push(`${path(vendor)}&offset=${encodeURIComponent(next)}`);
      cursor = next;
    }
    return get((_, n) => paths[n % paths.length] ?? path(vendor))(vendor, count);
  };

const event = ({ busy }: Sapling) => ({ customer_id: busy.customer, feature_slug: 'calls', units: '1' });
const change = ({ bigger }: Sapling) => ({ upgrade_configuration: { upgrade_strategy: 'new_plan', plan_id: bigger } });
const invoices = (): string => `/v1/c/invoice?limit=${LIMIT}`;
const usage = ({ busy }: Sapling): string => `/v1/c/usage?customer=${busy.customer}&limit=${LIMIT}`;

export const CASES: readonly Case[] = [
  { name: 'usage, one event', plot: 'calls', requests: post(() => '/v1/c/usage', event) },
  { name: 'entitlement of the busy customer', plot: 'calls', requests: get(({ busy }) => `/v1/c/entitlement/${busy.customer}/access`) },
  { name: 'read of the busy contract', plot: 'calls', requests: get(({ busy }) => `/v1/c/contract/${busy.contract}`) },
  {
    name: 'upgrade estimate of the busy contract',
    plot: 'calls',
    requests: post(({ busy }) => `/v1/c/contract/${busy.contract}/upgrade_estimate`, change),
  },
  {
    name: 'upcoming invoice of the busy contract',
    plot: 'calls',
    requests: get(({ busy }) => `/v1/c/contract/${busy.contract}/upcoming_invoice`),
  },
  { name: 'read of any contract', plot: 'calls', requests: some(contractsOf, (id) => `/v1/c/contract/${id}`) },
  { name: 'usage of the busy customer, first page', plot: 'lists', requests: get(usage) },
  { name: 'usage of the busy customer, next pages', plot: 'lists', requests: following(usage) },
  {
    name: 'usage of the busy contract, first page',
    plot: 'lists',
    requests: get(({ busy }) => `/v1/c/usage?contract=${busy.contract}&limit=${LIMIT}`),
  },
  { name: 'usage of all, first page', plot: 'lists', requests: get(() => `/v1/c/usage?limit=${LIMIT}`) },
  { name: 'usage of a feature, first page', plot: 'lists', requests: get(() => `/v1/c/usage?feature=calls&limit=${LIMIT}`) },
  { name: 'invoices, first page', plot: 'lists', requests: get(invoices) },
  { name: 'invoices, next pages', plot: 'lists', requests: following(invoices) },
  { name: 'invoices of a state, first page', plot: 'lists', requests: get(() => `${invoices()}&status=ready_for_payment`) },
  { name: 'invoices of a customer', plot: 'lists', requests: some(customersOf, (id) => `${invoices()}&customer=${id}`) },
  { name: 'contracts, first page', plot: 'lists', requests: get(() => `/v1/c/contract?limit=${LIMIT}`) },
  { name: 'contracts, next pages', plot: 'lists', requests: following(() => `/v1/c/contract?limit=${LIMIT}`) },
  { name: 'events, first page', plot: 'lists', requests: get(() => `/v1/c/event?limit=${LIMIT}`) },
  { name: 'customers by a plan that all have', plot: 'lists', requests: get(({ plan }) => `/v1/c/customer?plan=${plan}&limit=${LIMIT}`) },
  { name: 'customers by a part of a name', plot: 'lists', requests: get((_, n) => `/v1/c/customer?search=${digits(n)}`) },
  { name: 'customer by reference', plot: 'lists', requests: get((_, n) => `/v1/c/customer?customer_reference=reference-${digits(n)}`) },
];

const digits = (n: number): string => ((n % SOME) + 1).toString(16).padStart(10, '0');
