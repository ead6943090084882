import type { Page } from 'playwright-core';
import { PORTAL_PAGES } from '../../portal/portal.ts';
import { expectAccessible } from '../support/accessible.ts';
import type { AnyJson } from '../support/api.ts';
import { inBrowser, type View, WIDTHS } from '../support/browser.ts';
import { clockOf } from '../support/clock.ts';
import { openPortal, screenshot } from '../support/portal.ts';
import { newVendor, type TestVendor } from '../support/vendor.ts';

const usage = (unit_name: string, maximum_units: string) => ({
  pricing_strategy: 'usage',
  unit_name,
  maximum_units,
  over_usage_charge_strategy: 'extra_usage_overcharge',
});
const seats = { pricing_strategy: 'per_unit', unit_name: 'seat', unit_count: '8', minimum_units: '1', maximum_units: '100' };

const plan = (slug: string, name: string, amount: string, description: string) => ({
  slug,
  internal_name: name,
  external_name: name,
  description,
  strategy: 'plan',
  features: [
    { slug: 'seats', name: 'Seats' },
    { slug: 'reports', name: 'Reports' },
    { slug: 'storage', name: 'Storage' },
    { slug: 'sso', name: 'Single sign-on' },
  ],
  pricings: [
    {
      currency: 'eur',
      cycle: 'month',
      price: { amount, strategy_details: { pricing_strategy: 'flat' } },
      features: {
        seats: { amount: '9.00', strategy_details: seats },
        reports: { amount: '0.02', strategy_details: usage('report', '5000') },
        storage: { amount: '0.15', strategy_details: usage('GB', '200') },
      },
    },
  ],
});

const VIEWS: [string, View][] = [
  ['desk', { width: WIDTHS.desk }],
  ['desk-dark-de', { width: WIDTHS.desk, dark: true, locale: 'de-DE' }],
  ['phone-de', { width: WIDTHS.phone, locale: 'de-DE' }],
  ['phone-dark', { width: WIDTHS.phone, dark: true }],
];

/** Pages that need more than an address: a file, a choice that was made before, a provider's return, an open gate. */
const OTHERS = /^\/(invoice|credit_note)\/:\w+$|\/review$|\/return$|\/sandbox\/|^\/payment\//;
/** The pictures in the docs, by view and path. */
const PICTURES: Readonly<Record<string, string>> = {
  desk: 'team-overview-desk',
  'phone-dark': 'team-overview-phone-dark',
  'desk-dark-de/contract': 'team-contract-desk-dark-de',
  'phone-de/contract': 'team-contract-phone-de',
  'desk/invoices': 'team-invoices-desk',
  'desk/methods': 'team-methods-desk',
  'phone-de/invoice/pay': 'team-pay-phone-de',
};

const paths = [
  '',
  ...PORTAL_PAGES.flat()
    .filter(({ method, path }) => method === 'get' && !OTHERS.test(path))
    .map(({ path }) => path),
];

inBrowser('every page of the portal', () => {
  let vendor: TestVendor;
  let customer: string;
  let contract: string;
  let open: string;
  let method: string;
  /** a customer whose contract waits for the second step of its payment */
  let waiting: { customer: string; contract: string };

  /** A team on 10 September, subscribed since June, whose card was declined in September. */
  beforeAll(async () => {
    vendor = await newVendor('Harbour Analytics');
    const links = [
      { label: { en: 'Terms', de: 'AGB' }, url: 'https://harbour.example/terms' },
      { label: { en: 'Help', de: 'Hilfe' }, url: 'mailto:help@harbour.example' },
    ];
    await vendor.api.made('/v1/c/preferences/portal', { color: '#4f46e5', links });
    const team: string = await vendor.api.made('/v1/c/plan', plan('team', 'Team', '49.00', 'For teams that share their reports.'));
    await vendor.api.made('/v1/c/plan', plan('company', 'Company', '149.00', 'For companies with many teams.'));
    const clock = await clockOf(vendor, '2026-06-01T00:00:00Z');
    const addresses = { main: { line_1: 'Am Sandtorkai 12', city: 'Hamburg', zip: '20457', country: 'DE' } };
    const emails = { main: 'billing@northwind.example' };
    customer = await vendor.api.made('/v1/c/customer', { name: 'Northwind Traders', emails, addresses, test_clock: clock.id });
    await vendor.api.made(`/v1/c/customer/${customer}/activate`, {});
    const pays = async (payment_method: string, payer = customer): Promise<void> => {
      const { token } = await vendor.api.made<AnyJson>(`/v1/c/customer/${payer}/payment/session`, { provider: 'sandbox' });
      const confirms = () => vendor.api.made<AnyJson>(`/v1/c/payment/session/${token}/confirm`, { payment_method });
      const { status } = await confirms();
      if (status === 'pending') await confirms();
    };
    const uses = (feature_slug: string, units: string) => vendor.api.made('/v1/c/usage', { customer_id: customer, feature_slug, units });
    await pays('sandbox_ok');
    contract = await vendor.api.made('/v1/c/contract', { customer, plan: team, currency: 'eur', cycle: 'month' });
    for (const [month, reports] of [
      ['07', '2140'],
      ['08', '2875'],
      ['09', '3320'],
    ] as const) {
      await uses('reports', reports);
      await uses('storage', '118');
      if (month === '09') {
        await pays('sandbox_insufficient_funds');
        const methods = await vendor.api.read<AnyJson[]>(`/v1/c/customer/${customer}/payment/method`);
        const payment_method = methods.find(({ preference }) => preference === null)?.id;
        method = payment_method;
        await vendor.api.made(`/v1/c/customer/${customer}/payment/method_selection`, { payment_method });
      }
      await clock.advanceTo(`2026-${month}-01T00:00:00Z`);
    }
    for (const [day, reports] of [
      ['02', '310'],
      ['04', '820'],
      ['07', '1145'],
      ['09', '1775'],
    ] as const) {
      await clock.advanceTo(`2026-09-${day}T09:00:00Z`);
      await uses('reports', reports);
    }
    await uses('storage', '126');
    await clock.advanceTo('2026-09-10T09:00:00Z');
    const { hits } = await vendor.api.read(`/v1/c/invoice?contract=${contract}`);
    open = hits.find(({ invoice }: AnyJson) => invoice.status === 'ready_for_payment').invoice.id;

    const newcomer: string = await vendor.api.made('/v1/c/customer', { name: 'Southgate Freight' });
    await vendor.api.made(`/v1/c/customer/${newcomer}/activate`, {});
    await pays('sandbox_needs_action', newcomer);
    const gated = { customer: newcomer, plan: team, currency: 'eur', cycle: 'month', payment_gate: { expires_in_hours: 24 } };
    waiting = { customer: newcomer, contract: await vendor.api.made('/v1/c/contract', gated) };
  });

  const fill = (path: string): string =>
    path
      .replace(/^\/contract\/:\w+/, `/contract/${contract}`)
      .replace(/^\/invoice\/:\w+/, `/invoice/${open}`)
      .replace(/^\/methods\/:\w+/, `/methods/${method}`);
  const nameOf = (view: string, path: string): string => `${view}${path.replace(/\/:\w+/g, '')}`;

  it('has pages', () => expect(paths.length).toBeGreaterThan(4));

  it.each(VIEWS)('can be used by everybody while a contract waits for its payment: %s', async (_name, view) => {
    const page: Page = await openPortal(vendor, waiting.customer, view);
    for (const path of ['', `/payment/${waiting.contract}`]) {
      const response = await page.goto(`${new URL(page.url()).origin}/portal${path}`);
      expect([path, response?.status()]).toEqual([path, 200]);
      expect(await page.locator('h1').count()).toBe(1);
      await expectAccessible(page);
    }
  });

  it.each(VIEWS)('can be used by everybody: %s', async (name, view) => {
    const page: Page = await openPortal(vendor, customer, view);
    const origin = new URL(page.url()).origin;
    for (const path of paths) {
      const response = await page.goto(`${origin}/portal${fill(path)}`);
      expect([path, response?.status()]).toEqual([path, 200]);
      expect(await page.locator('h1').count()).toBe(1);
      await expectAccessible(page);
      const picture = PICTURES[nameOf(name, path)];
      if (picture !== undefined) await screenshot(page, picture);
    }
  });
});
