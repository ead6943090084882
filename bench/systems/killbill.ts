import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Answer, Request } from '../api/load.ts';
import { sendEach } from '../api/load.ts';
import { type Case, one, type Stage, times } from '../compare/cases.ts';
import { programsOf } from '../compare/system.ts';
import { CATALOGUE } from './killbill-catalogue.ts';
import { type BillRun, type Peer, timed } from './peer.ts';

/** A running Kill Bill in test mode, with the process ids of its server and of its Postgres where they are known. */
export async function killBillAt(address: string, [server, postgres]: readonly number[]): Promise<Peer> {
  const { port } = new URL(address);
  const key = `bench-${Date.now()}`;
  const headers = {
    authorization: `Basic ${Buffer.from('admin:password').toString('base64')}`,
    'x-killbill-apikey': key,
    'x-killbill-apisecret': 'secret-of-the-bench',
    'x-killbill-createdby': 'bench',
    accept: 'application/json',
  };
  const client = new KillBill(address, headers);
  await client.send('POST', '/1.0/kb/tenants', { apiKey: key, apiSecret: 'secret-of-the-bench', externalKey: key });
  await client.send('POST', '/1.0/kb/catalog/xml', CATALOGUE, 'text/xml');
  const system = {
    ...programsOf({ ...(server === undefined ? {} : { api: server }), ...(postgres === undefined ? {} : { postgres }) }),
    ...{ name: 'Kill Bill', port: Number(port), headers: { ...headers, 'content-type': 'application/json' } },
    stop: async () => undefined,
  };
  return {
    ...system,
    cases: casesOf(client),
    stage: async () => ({ plan: 'pro-monthly', bigger: 'max-monthly', customers: [], contracts: [], invoices: [] }),
    billRun: async (size, callers) => {
      const burst = await fill(system, size, callers);
      const runs = [];
      for (const _ of [1, 2]) runs.push(await timed(system, () => client.billMonth()));
      return { burst, runs };
    },
  };
}

/** What it is asked outside of what is measured. */
class KillBill {
  readonly #address: string;
  readonly #headers: Record<string, string>;

  constructor(address: string, headers: Record<string, string>) {
    this.#address = address;
    this.#headers = headers;
  }

  async send(method: string, path: string, body?: unknown, type = 'application/json'): Promise<Response> {
    const text = body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body);
    const answer = await fetch(new URL(path, this.#address), { method, headers: { ...this.#headers, 'content-type': type }, body: text });
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${(await answer.text()).slice(0, 300)}`);
    return answer;
  }

  async #invoices(): Promise<number> {
    const answer = await this.send('GET', '/1.0/kb/invoices/pagination?offset=0&limit=1');
    return Number(answer.headers.get('x-killbill-pagination-totalnbrecords'));
  }

  /** Sends its clock a month on; resolves when no invoice has come for a while, less that while. */
  async billMonth(): Promise<number> {
    const before = await this.#invoices();
    const moving = this.send('PUT', '/1.0/kb/test/clock?months=1&timeoutSec=1').catch(() => undefined);
    let [made, last] = [0, performance.now()];
    while (performance.now() - last < QUIET_MS || made === 0) {
      await pause(100);
      const now = (await this.#invoices()) - before;
      if (now !== made) [made, last] = [now, performance.now()];
    }
    await moving;
    return made;
  }
}
/** No invoice for so long: the rest, if any, doesn't come by itself. */
const QUIET_MS = 10_000;

const idInLocation = ({ head }: Answer): string => /\r\nlocation: \S*\/([0-9a-f-]{36})/i.exec(head)?.[1] ?? '';

const account = () => ({ name: 'Customer', externalKey: randomUUID(), currency: 'USD' });
const usageOf = (subscriptionId: string, records: number) => ({
  subscriptionId,
  trackingId: randomUUID(),
  unitUsageRecords: [
    { unitType: 'calls', usageRecords: times(records, () => ({ recordDate: new Date().toISOString().slice(0, 10), amount: 1 })) },
  ],
});

/** The calls that do the same work, in the same numbers. */
function casesOf(client: KillBill): Case[] {
  const bundles = new Map<string, { bundleId: string; accountId: string }>();
  const request =
    (method: Request['method'], count: number, path: (stage: Stage, n: number) => string, body?: (stage: Stage, n: number) => unknown) =>
    (stage: Stage, headers: Record<string, string>): Request[] =>
      times(count, (n) => ({ method, path: path(stage, n), headers, ...(body ? { body: JSON.stringify(body(stage, n)) } : {}) }));
  const subscription = (stage: Stage, n: number): string => one(stage.contracts, n);
  const lookUp = async (stage: Stage): Promise<void> => {
    for (const id of stage.contracts) {
      bundles.set(id, (await (await client.send('GET', `/1.0/kb/subscriptions/${id}`)).json()) as { bundleId: string; accountId: string });
    }
  };
  return [
    { name: 'customer create', requests: request('POST', 400, () => '/1.0/kb/accounts', account), makes: 'customers', idOf: idInLocation },
    {
      name: 'sign',
      requests: request(
        'POST',
        60,
        () => '/1.0/kb/subscriptions',
        (stage, n) => ({ accountId: one(stage.customers, n), planName: stage.plan }),
      ),
      makes: 'contracts',
      idOf: idInLocation,
    },
    {
      name: 'contract read',
      prepare: lookUp,
      requests: request('GET', 4_000, (stage, n) => `/1.0/kb/subscriptions/${subscription(stage, n)}`),
    },
    {
      name: 'entitlement',
      requests: request('GET', 4_000, (stage, n) => `/1.0/kb/accounts/${bundles.get(subscription(stage, n))?.accountId}/bundles`),
    },
    {
      name: 'usage one',
      requests: request(
        'POST',
        4_000,
        () => '/1.0/kb/usages',
        (stage, n) => usageOf(subscription(stage, n), 1),
      ),
    },
    {
      name: 'usage 100',
      requests: request(
        'POST',
        150,
        () => '/1.0/kb/usages',
        (stage, n) => usageOf(subscription(stage, n), 100),
      ),
    },
    {
      name: 'estimate',
      requests: request(
        'POST',
        300,
        (stage, n) => `/1.0/kb/invoices/dryRun?accountId=${bundles.get(subscription(stage, n))?.accountId}`,
        (stage, n) => ({
          ...{ dryRunType: 'SUBSCRIPTION_ACTION', dryRunAction: 'CHANGE', billingPolicy: 'IMMEDIATE', planName: stage.bigger },
          ...{ subscriptionId: subscription(stage, n), bundleId: bundles.get(subscription(stage, n))?.bundleId },
        }),
      ),
    },
    {
      name: 'upgrade',
      requests: request(
        'PUT',
        60,
        (stage, n) => `/1.0/kb/subscriptions/${subscription(stage, n)}`,
        ({ bigger }) => ({ planName: bigger }),
      ),
    },
  ];
}

async function fill(system: Omit<Peer, 'cases' | 'stage' | 'billRun'>, size: number, callers: number): Promise<BillRun['burst']> {
  const { port, headers } = system;
  const post = (path: string, bodies: readonly unknown[]) =>
    sendEach(
      port,
      callers,
      bodies.map((body) => ({ method: 'POST', path, headers, body: JSON.stringify(body) })),
    );
  const accounts = await post('/1.0/kb/accounts', times(size, account));
  await system.rest();
  const began = performance.now();
  const signings = accounts.answers.map((answer) => ({ accountId: idInLocation(answer), planName: 'pro-monthly' }));
  const { perSecond, p50, p99, failures } = await post('/1.0/kb/subscriptions', signings);
  if (failures > 0) throw new Error(`Kill Bill refused ${failures} of ${size} signings`);
  const answered = (performance.now() - began) / 1000;
  return { size, perSecond, p50, p99, doneSeconds: answered + (await system.rest()) };
}
