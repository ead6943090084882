import type { AnyJson } from '../support/api.ts';
import type { OwnStack } from '../support/own-stack.ts';
import { metered, planOfFeatures } from '../support/story-catalogue.ts';
import { StoryVendor } from '../support/story-vendor.ts';
import type { TestVendor } from '../support/vendor.ts';
import { reportWhileKilled, stackOfFile } from './kit.ts';

const REPORTING = { events: 200, senders: 16, killedAfter: 60 };

describe('usage that reaches an invoice threshold, while a process is killed', () => {
  let stack: OwnStack;
  let vendor: TestVendor;
  beforeAll(async () => {
    stack = await stackOfFile();
    vendor = await stack.newVendor();
  });

  it.each(['api', 'postgres'] as const)(
    '%s: 200 events of 1.00 are invoiced once each, by 25.00 at least and the rest with the end',
    async (victim) => {
      const plans = new StoryVendor(vendor, stack.servers.baseUrl);
      const plan = await plans.planId(planOfFeatures(victim, { calls: { price: metered('1') } }));
      const customer = await vendor.api.made('/v1/c/customer', { name: 'Ada' });
      const terms = { customer, plan, currency: 'usd', cycle: 'month', invoice_threshold: '25.00' };
      const contract = await vendor.api.made('/v1/c/contract', terms);
      const event = { customer_id: customer, feature_slug: 'calls', units: '1' };
      const { sendLostAgain } = await reportWhileKilled({ stack, vendor, victim }, event, REPORTING);
      await sendLostAgain();

      const early = await totals();
      expect(early.length).toBeGreaterThan(1);
      expect(early.filter((total) => total < 25)).toEqual([]);
      const rest = REPORTING.events - early.reduce((sum, total) => sum + total, 0);
      expect(rest).toBeGreaterThanOrEqual(0);
      expect(rest).toBeLessThan(25);
      await vendor.api.made(`/v1/c/contract/${contract}/cancel`, { when: { type: 'now' } });
      expect((await totals()).toSorted((a, b) => a - b)).toEqual([...early, ...(rest === 0 ? [] : [rest])].toSorted((a, b) => a - b));

      async function totals(): Promise<number[]> {
        const { hits } = await vendor.api.read(`/v1/c/invoice?contract=${contract}&limit=100`);
        return hits.map(({ invoice }: AnyJson) => Number(invoice.total));
      }
    },
  );
});
