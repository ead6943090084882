import type { Answer, Request } from '../api/load.ts';
import { planOf } from '../api/seed.ts';
import type { Checkout } from './checkout.ts';

/**
 * What one turn leaves for its later cases: the customers made are signed, their contracts read, changed and canceled.
 */
export interface Stage {
  plan: string;
  bigger: string;
  customers: string[];
  contracts: string[];
  /** to be paid, of customers with a method */
  invoices: string[];
}

export interface Case {
  name: string;
  /** requests of one turn, of which more may be asked for */
  count: number;
  request(stage: Stage, n: number): Pick<Request, 'method' | 'path' | 'body'>;
  /** the kind of ids that its responses are, for later cases */
  makes?: 'customers' | 'contracts';
  /** looks up what its requests need, before they are counted */
  prepare?(stage: Stage): Promise<void>;
  /** reads such an id where the response's body isn't it */
  idOf?(answer: Answer): string;
}

/**
 * Few, so that turns are short: the two are compared again and again, and what else the machine does changes meanwhile.
 * Reads and single reports are many all the same: Node collects old objects once in some seconds of such a load, and
 * with a collection in each turn of one second a read seems a fifth dearer.
 */
const CUSTOMERS = 400;
const CONTRACTS = 60;
const READS = 20_000;
const ESTIMATES = 300;
const BULKS = 150;
export const PAYERS = 20;

export const one = (from: readonly string[], n: number): string => from[n % from.length] ?? '';
export const idIn = ({ body }: Answer): string => String(JSON.parse(body.toString()));
export const times = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n));

type Requests = Pick<Case, 'count' | 'request'>;
const get = (count: number, path: (stage: Stage, n: number) => string): Requests => ({
  count,
  request: (stage, n) => ({ method: 'GET', path: path(stage, n) }),
});
const post = (count: number, path: (stage: Stage, n: number) => string, body: (stage: Stage, n: number) => unknown): Requests => ({
  count,
  request: (stage, n) => ({ method: 'POST', path: path(stage, n), body: JSON.stringify(body(stage, n)) }),
});

/** Of those with a contract. */
const event = ({ customers, contracts }: Stage, n: number) => ({
  customer_id: one(customers, n % contracts.length),
  feature_slug: 'calls',
  units: '1',
});
const toBigger = ({ bigger }: Stage) => ({ upgrade_configuration: { upgrade_strategy: 'new_plan', plan_id: bigger } });

/** In this order: each works on what those before it have left. */
export const CASES: readonly Case[] = [
  {
    name: 'customer create',
    ...post(
      CUSTOMERS,
      () => '/v1/c/customer',
      (_, n) => ({ name: `Customer ${n}` }),
    ),
    makes: 'customers',
  },
  {
    name: 'sign',
    ...post(
      CONTRACTS,
      () => '/v1/c/contract',
      ({ customers, plan }, n) => ({ customer: one(customers, n), plan, currency: 'usd', cycle: 'month' }),
    ),
    makes: 'contracts',
  },
  { name: 'contract read', ...get(READS, ({ contracts }, n) => `/v1/c/contract/${one(contracts, n)}`) },
  {
    name: 'entitlement',
    ...get(READS, ({ customers, contracts }, n) => `/v1/c/entitlement/${one(customers, n % contracts.length)}/access`),
  },
  { name: 'usage one', ...post(READS, () => '/v1/c/usage', event) },
  {
    name: 'usage 100',
    ...post(
      BULKS,
      () => '/v1/c/usage/bulk',
      (stage, n) => times(100, (i) => event(stage, n * 100 + i)),
    ),
  },
  {
    // a request of Kill Bill's reports for one subscription
    name: 'usage 100 for one customer',
    ...post(
      BULKS,
      () => '/v1/c/usage/bulk',
      (stage, n) => times(100, () => event(stage, n)),
    ),
  },
  { name: 'estimate', ...post(ESTIMATES, ({ contracts }, n) => `/v1/c/contract/${one(contracts, n)}/upgrade_estimate`, toBigger) },
  {
    name: 'upgrade',
    ...post(CONTRACTS, ({ contracts }, n) => `/v1/c/contract/${one(contracts, n)}/upgrade`, toBigger),
    makes: 'contracts',
  },
  {
    name: 'cancel',
    ...post(
      CONTRACTS,
      ({ contracts }, n) => `/v1/c/contract/${one(contracts, n)}/cancel`,
      () => ({ when: { type: 'now' } }),
    ),
  },
  {
    name: 'pay',
    ...post(
      PAYERS,
      ({ invoices }, n) => `/v1/c/invoice/${one(invoices, n)}/pay`,
      () => ({}),
    ),
  },
];

export async function stageOf({ api }: Pick<Checkout, 'api'>): Promise<Stage> {
  const plan = await api.made('/v1/c/plan', planOf('pro', 1));
  const bigger = await api.made('/v1/c/plan', planOf('max', 3));
  return { plan, bigger, customers: [], contracts: [], invoices: [] };
}

/** A customer with a card and a contract whose invoices aren't charged by themselves: the first of them. */
export async function payable({ api }: Checkout, plan: string): Promise<string> {
  const customer = await api.made('/v1/c/customer', { name: 'Payer' });
  await api.made(`/v1/c/customer/${customer}/activate`, {});
  const session = await api.made<{ token: string }>(`/v1/c/customer/${customer}/payment/session`, {});
  await api.made(`/v1/c/payment/session/${session.token}/confirm`, { payment_method: 'sandbox_ok' });
  const contract = await api.made('/v1/c/contract', { customer, plan, currency: 'usd', cycle: 'month', automatic_payment: false });
  const { hits } = await api.read<{ hits: { invoice: { id: string } }[] }>(`/v1/c/invoice?contract=${contract}`);
  return hits[0]?.invoice.id ?? '';
}
