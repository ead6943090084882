import { flatPrice } from '../api/support.ts';
import type { AnyJson, TestResponse } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { rounds } from '../support/runs.ts';
import type { TestVendor } from '../support/vendor.ts';
import { expectSettled, repeatingVendor } from './books.ts';

const HOUR = 3_600_000;
const CONTRACTS = 6;
const ROUNDS = Array.from({ length: rounds(2, 20) }, (_, round) => round);

let vendor: TestVendor;
let plan: string;
beforeAll(async () => {
  vendor = await repeatingVendor();
  const pricings = [{ currency: 'usd', cycle: 'hour', price: flatPrice('1.00'), features: {} }];
  plan = await vendor.api.made('/v1/c/plan', { slug: 'hourly', internal_name: 'Hourly', strategy: 'plan', features: [], pricings });
});

/** Freezes and activates in turn until the boundary has passed; the customer is active in the end. */
async function flicker(customer: string, boundary: number): Promise<TestResponse[]> {
  const answers: TestResponse[] = [];
  while (Date.now() < boundary + 1_000) {
    answers.push(await vendor.api.post(`/v1/c/customer/${customer}/inactivate`, {}));
    answers.push(await vendor.api.post(`/v1/c/customer/${customer}/activate`, {}));
  }
  return answers;
}

const cyclesOf = async (contract: string): Promise<AnyJson[]> =>
  (await vendor.api.read(`/v1/c/invoice?contract=${contract}&limit=100`)).hits.map(({ invoice }: AnyJson) => invoice);

it.each(ROUNDS)(
  `${CONTRACTS} customers frozen and activated over and over while their second hour begins: it begins once, late by the frozen time (round %i)`,
  async (round) => {
    const boundary = Date.now() + 4_000 + round * 37;
    const signed: { customer: string; contract: string }[] = [];
    for (let i = 0; i < CONTRACTS; i += 1) {
      const customer = await vendor.api.made('/v1/c/customer', { name: 'Acme' });
      const terms = { currency: 'usd', cycle: 'hour', activation: new Date(boundary - HOUR).toISOString() };
      signed.push({ customer, contract: await vendor.api.made('/v1/c/contract', { customer, plan, ...terms }) });
    }
    const answers = await Promise.all(signed.map(({ customer }) => flicker(customer, boundary)));
    expectSettled(answers.flat());
    for (const { contract } of signed) {
      // a read shows the new period at once, its invoice comes with the rollover
      const invoices = await eventually(async () => {
        const made = await cyclesOf(contract);
        expect(made).toHaveLength(2);
        return made;
      });
      const { current_period, current_period_idx } = (await vendor.api.read(`/v1/c/contract/${contract}`)).contract_summary
        .billing_information;
      expect(current_period_idx).toBe(2);
      expect(Date.parse(current_period.start)).toBeGreaterThanOrEqual(boundary);
      expect(Date.parse(current_period.end) - Date.parse(current_period.start)).toBeGreaterThanOrEqual(HOUR);
      expect(invoices.map(({ total }) => total)).toEqual(['1.00', '1.00']);
      expect(invoices.map(({ date }) => date)).toContain(current_period.start);
    }
  },
);
