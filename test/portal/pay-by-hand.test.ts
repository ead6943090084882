import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import type { Database } from '../../db/connect.ts';
import { createPortal } from '../../portal/portal.ts';
import { ChangeEstimates } from '../../services/contract/estimate-change.ts';
import { openPayments } from '../../services/payment/open-payments.ts';
import { withTestDatabase } from '../support/database.ts';
import { newVendor, type TestVendor } from '../support/vendor.ts';
import { owingCustomer, sellsPlan } from './pay-support.ts';

const always = () => ({ left: 1, reset: 60 });

/** A portal whose only provider is the vendor itself: no keys, and no sandbox. */
const portalWithoutProviders = async (db: Database) =>
  createPortal({
    db,
    payments: await openPayments({
      config: { payments: { cardproc: null, authorize: null, retryDays: [1] }, mode: 'production', databaseUrl: '' },
      db,
    }),
    awaitPayment: async () => undefined,
    baseUrl: 'http://127.0.0.1',
    secret: 'of-the-portal-of-this-test-alone',
    estimates: new ChangeEstimates(db),
    print: async () => null,
    printNote: async () => null,
    countDownload: always,
    countAct: always,
    countPage: always,
    countAnonymous: always,
    failed: (error) => {
      throw error;
    },
  });

/** Shows pages of such a portal to a customer; each is the words of its page. */
async function shown(vendor: TestVendor, customer: string, paths: readonly string[]): Promise<string[]> {
  return withTestDatabase(async (db) => {
    const server = createServer(new Koa().use((await portalWithoutProviders(db)).routes()).callback()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { search } = new URL(await vendor.api.made<string>('/v1/c/customer/authenticate', { id: customer }));
    const entered = await fetch(`${base}/portal${search}`, { method: 'POST', redirect: 'manual' });
    const cookie = (entered.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    const pages: string[] = [];
    for (const path of paths) pages.push(await (await fetch(`${base}${path}`, { headers: { cookie }, redirect: 'manual' })).text());
    server.closeAllConnections();
    server.close();
    return pages;
  });
}

describe('a vendor that collects by its own means', () => {
  it('is named with its own text on how to pay; no page asks for a card, and the sandbox has none', async () => {
    const vendor = await newVendor('By hand');
    const { customer, invoice } = await owingCustomer(vendor, await sellsPlan(vendor));
    const paths = [`/portal/invoice/${invoice}/pay`, '/portal/methods', '/portal/sandbox/PSess_1'];
    const [pay, methods] = await shown(vendor, customer, paths);
    expect(pay).toContain('Please pay as it says on the invoice.');
    expect(methods).toContain('Please pay as it says on your invoices.');
    await vendor.api.made('/v1/c/preferences/portal', { texts: { pay: 'Transfer to DE02 1203 0000 0000 2020 51.' } });
    const own = await shown(vendor, customer, paths);
    for (const page of own.slice(0, 2)) {
      expect(page).toContain('Transfer to DE02 1203 0000 0000 2020 51.');
      expect(page).not.toMatch(/methods\/add|name="at_most"/);
    }
    expect(own[2]).toContain('There is no such page');
  });
});
