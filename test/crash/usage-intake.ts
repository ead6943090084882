import { signedContract } from '../api/support.ts';
import { withTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import type { OwnStack } from '../support/own-stack.ts';
import type { TestVendor } from '../support/vendor.ts';
import { reportWhileKilled, stackOfFile } from './kit.ts';

const REPORTING = { events: 400, senders: 32, killedAfter: 120 };

describe('usage in groups, while a process is killed', () => {
  let stack: OwnStack;
  let vendor: TestVendor;
  beforeAll(async () => {
    stack = await stackOfFile();
    vendor = await stack.newVendor();
  });

  it.each(['api', 'postgres'] as const)(
    '%s: what was answered is on disk, what was not is repeated, and each of 400 events counts once',
    async (victim) => {
      const { customerId, contractId } = await signedContract(vendor);
      const event = { customer_id: customerId, feature_slug: 'calls', units: '1' };
      const { answered, sendLostAgain } = await reportWhileKilled({ stack, vendor, victim }, event, REPORTING);
      const before = new Map(answered);
      const stored = await eventually(() =>
        withTestDatabase(
          (db) =>
            db.query<{ key: string; id: string }>(
              'select k.key, e.id from usage_key k join usage_event e on e.id = k.event_id where e.customer_id = $1',
              [customerId],
            ),
          stack.servers,
        ),
      );
      const ids = new Map(stored.map(({ key, id }) => [key, id]));
      for (const [key, id] of before) expect([key, ids.get(key)]).toEqual([key, id]);
      await sendLostAgain();
      expect(answered.size).toBe(REPORTING.events);
      for (const [key, id] of ids) expect([key, answered.get(key)]).toEqual([key, id]);
      const { plan } = await vendor.api.read(`/v1/c/contract/${contractId}`);
      const { units_used } = plan.features.find(({ slug }: { slug: string }) => slug === 'calls').price.strategy_details;
      expect(units_used).toBe(String(REPORTING.events));
    },
  );
});
