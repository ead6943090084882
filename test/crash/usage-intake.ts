import { signedContract } from '../api/support.ts';
import { withTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import type { OwnStack } from '../support/own-stack.ts';
import type { TestVendor } from '../support/vendor.ts';
import { stackOfFile } from './kit.ts';

const [EVENTS, SENDERS, KILLED_AFTER] = [400, 32, 120];

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
      const waiting = Array.from({ length: EVENTS }, (_, n) => `${victim}-${n}`);
      const answered = new Map<string, string>();
      const send = async (key: string): Promise<boolean> => {
        const event = { customer_id: customerId, feature_slug: 'calls', units: '1' };
        const answer = await vendor.api.post('/v1/c/usage', event, { 'idempotency-key': key }).catch(() => null);
        if (answer?.status === 200) answered.set(key, answer.body);
        return answer?.status === 200;
      };
      const { promise: underWay, resolve: killNow } = Promise.withResolvers<void>();
      const lost: string[] = [];
      const senders = Array.from({ length: SENDERS }, async () => {
        for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
          if (!(await send(key))) lost.push(key);
          if (answered.size >= KILLED_AFTER) killNow();
        }
      });
      await underWay;
      await stack.kill9(victim);
      await Promise.all(senders);
      await stack.restart(victim);
      expect(lost.length).toBeGreaterThan(0);
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
      for (const key of lost) await eventually(async () => expect(await send(key)).toBe(true));
      expect(answered.size).toBe(EVENTS);
      for (const [key, id] of ids) expect([key, answered.get(key)]).toEqual([key, id]);
      const { plan } = await vendor.api.read(`/v1/c/contract/${contractId}`);
      const { units_used } = plan.features.find(({ slug }: { slug: string }) => slug === 'calls').price.strategy_details;
      expect(units_used).toBe(String(EVENTS));
    },
  );
});
