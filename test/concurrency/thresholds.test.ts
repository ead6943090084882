import fc from 'fast-check';
import { type Api, api } from '../support/api.ts';
import { clockOf } from '../support/clock.ts';
import { eventually } from '../support/eventually.ts';
import { eventCount, SEED } from '../support/runs.ts';
import { type SecondApi, secondApi } from '../support/second-api.ts';
import { servers } from '../support/servers.ts';
import { metered, type PlanSpec, planOfFeatures, tieredUsage } from '../support/story-catalogue.ts';
import { centsOf, type Hit, sumOf } from '../support/story-lines.ts';
import { StoryVendor } from '../support/story-vendor.ts';
import { newVendor, type TestVendor } from '../support/vendor.ts';

/** In the long form, `--globals '{"EVENTS":10000}'`, ten thousand. */
const EVENTS = eventCount(400);
const CONNECTIONS = 64;
const seed = SEED ?? Date.now() % 1_000_000;

/** Owed with the end of the period. */
const FEE = '3.33';
/** Prices of which most parts don't end at a whole cent. */
const CALLS = tieredUsage('graduated', [
  { up_to: '900', unit_price: '0.0333' },
  { up_to: '4000', unit_price: '0.0111', flat_fee: '5' },
  { up_to: null, unit_price: '0.0077' },
]);
const FEATURES = {
  calls: CALLS,
  mails: metered('0.0137'),
  pages: metered('0.0333', { flat_fee: FEE }),
  rows: metered('0.0099'),
} as const;
type Slug = keyof typeof FEATURES;
const SLUGS = Object.keys(FEATURES) as Slug[];

interface Sold {
  features: Slug[];
  threshold: string | null;
}
const ONE: Sold[] = [{ features: SLUGS, threshold: '25.00' }];
const SEVERAL: Sold[] = [
  { features: ['calls', 'mails'], threshold: '25.00' },
  { features: ['pages'], threshold: '9.99' },
  { features: ['rows'], threshold: null },
];

interface Reported {
  slug: Slug;
  units: number;
}
/** Eighths, so that they are added up exactly. */
const reported = fc.record<Reported>({ slug: fc.constantFrom(...SLUGS), units: fc.integer({ min: 1, max: 800 }).map((n) => n / 8) });

describe(`${EVENTS} random events of ${CONNECTIONS} callers to two processes, seed ${seed}`, () => {
  let vendor: TestVendor;
  let plans: StoryVendor;
  let second: SecondApi;
  let calls: Api[];
  beforeAll(async () => {
    vendor = await newVendor();
    plans = new StoryVendor(vendor, (await servers()).baseUrl);
    await plans.setsTaxes({ policy: 'tax_excluded', rates: [{ tax_code: null, country: null, state: null, rate: '0.19' }] });
    second = await secondApi();
    calls = [vendor.api, api(vendor.apiKey, second.baseUrl)];
  });
  afterAll(() => second.stop());

  const planOf = ({ features }: Sold): PlanSpec =>
    planOfFeatures(features.join('-'), Object.fromEntries(features.map((slug) => [slug, { price: FEATURES[slug] }])));

  async function signed(sold: readonly Sold[], test_clock: string | null) {
    const customer = await vendor.api.made('/v1/c/customer', { name: 'Ada', ...(test_clock === null ? {} : { test_clock }) });
    const contracts: string[] = [];
    for (const one of sold) {
      const terms = { customer, plan: await plans.planId(planOf(one)), currency: 'usd', cycle: 'month' };
      contracts.push(await vendor.api.made('/v1/c/contract', { ...terms, invoice_threshold: one.threshold }));
    }
    return { customer, contracts };
  }

  const report = (to: Api, customer_id: string, key: string, { slug, units }: Reported): Promise<number> =>
    to.post('/v1/c/usage', { customer_id, feature_slug: slug, units: String(units) }, { 'idempotency-key': key }).then(
      ({ status }) => status,
      () => 0,
    );

  /** Reports all events; one that isn't answered is reported again under its key. */
  async function reportAll(customer: string, events: readonly Reported[]): Promise<void> {
    const waiting = [...events.entries()];
    const senders = Array.from({ length: CONNECTIONS }, async (_, sender) => {
      const own = calls[sender % calls.length] ?? vendor.api;
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
        const [n, event] = next;
        const send = async () => expect(await report(own, customer, `${customer}-${n}`, event)).toBe(200);
        await send().catch(() => eventually(send));
      }
    });
    await Promise.all(senders);
  }

  const end = (contracts: readonly string[]) =>
    Promise.all(contracts.map((id) => vendor.api.made(`/v1/c/contract/${id}/cancel`, { when: { type: 'now' } })));

  /** Of a contract, in the order of their numbers. */
  async function invoicesOf(contract: string): Promise<Hit[]> {
    const hits = await plans.client.listInvoices({ contract, limit: 100 }).all();
    return hits.sort((a, b) => Number(a.invoice.invoice_number.number) - Number(b.invoice.invoice_number.number));
  }

  it.each([
    ['one contract on the wall clock', ONE, 'wall'],
    ['three contracts of a customer, two with a threshold, on a test clock', SEVERAL, 'test'],
  ] as const)('of %s: each threshold is crossed once, and the parts are the single invoice to the cent', async (_, sold, time) => {
    const events = fc.sample(reported, { seed, numRuns: EVENTS });
    const clock = time === 'test' ? (await clockOf(vendor, '2025-01-01T00:00:00Z')).id : null;
    const early = await signed(sold, clock);
    const whole = await signed(
      sold.map((one) => ({ ...one, threshold: null })),
      clock,
    );
    await reportAll(early.customer, events);
    for (const slug of SLUGS) {
      const units = events.reduce((sum, event) => (event.slug === slug ? sum + event.units : sum), 0);
      expect(await report(vendor.api, whole.customer, `${whole.customer}-${slug}`, { slug, units })).toBe(200);
    }
    const madeEarly = await Promise.all(early.contracts.map(invoicesOf));
    await Promise.all([end(early.contracts), end(whole.contracts)]);
    for (const [at, { threshold }] of sold.entries()) {
      const parts = await invoicesOf(early.contracts[at] ?? '');
      const single = await invoicesOf(whole.contracts[at] ?? '');
      expectCrossedOnce(parts, madeEarly[at]?.length ?? 0, threshold);
      expect(sumsOf(parts)).toEqual(sumsOf(single));
      expect(single.length).toBe(1);
    }
  });
});

/**
 * Each early invoice is worth the threshold at least, the last one less but for the fee, and no amount counts twice.
 */
function expectCrossedOnce(invoices: readonly Hit[], madeEarly: number, threshold: string | null): void {
  const nets = invoices.map(({ invoice_items }) => sumOf(invoice_items.map(({ total_excluding_tax }) => total_excluding_tax)));
  if (threshold === null) expect(madeEarly).toBe(0);
  else {
    expect(madeEarly).toBeGreaterThan(2);
    expect(nets.slice(0, madeEarly).filter((net) => net < centsOf(threshold))).toEqual([]);
    const rest = nets.slice(madeEarly);
    expect(rest.length).toBeLessThanOrEqual(1);
    expect(rest.filter((net) => net >= centsOf(threshold) + centsOf(FEE))).toEqual([]);
  }
  const upTo = new Map<string, bigint>();
  for (const { name, description, total_excluding_tax } of invoices.flatMap(({ invoice_items }) => invoice_items)) {
    const [, before] = /less ([\d.]+) billed before/.exec(description ?? '') ?? [];
    expect([name, before === undefined ? 0n : centsOf(before)]).toEqual([name, upTo.get(name) ?? 0n]);
    upTo.set(name, (upTo.get(name) ?? 0n) + centsOf(total_excluding_tax));
  }
}

/** What a customer is charged in the end, by the name of what was used. */
function sumsOf(invoices: readonly Hit[]): Record<string, bigint[]> {
  const byName = Map.groupBy(
    invoices.flatMap(({ invoice_items }) => invoice_items),
    ({ name }) => name,
  );
  const sums = [...byName].map(([name, lines]): [string, bigint[]] => [
    name,
    [
      sumOf(lines.map(({ total_excluding_tax }) => total_excluding_tax)),
      sumOf(lines.map(({ tax_amount }) => tax_amount ?? '0.00')),
      sumOf(lines.map(({ total_including_tax }) => total_including_tax)),
    ],
  ]);
  return Object.fromEntries(sums);
}
