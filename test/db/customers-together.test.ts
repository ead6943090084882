import type { Database } from '../../db/connect.ts';
import { newId } from '../../db/id.ts';
import type { NewCustomer } from '../../db/sql/customer/insert-together.ts';
import { CustomerIntake } from '../../services/customer/create-together.ts';
import { blankCustomer } from '../../services/customer/save.ts';
import { withTestDatabase } from '../support/database.ts';
import { newVendor, type TestVendor } from '../support/vendor.ts';

describe('customers that are made together', () => {
  let vendor: TestVendor;
  beforeEach(async () => {
    vendor = await newVendor();
  });

  const entry = (name: string, more: Partial<Omit<NewCustomer, 'eventId'>> = {}): Omit<NewCustomer, 'eventId'> => ({
    customer: { ...blankCustomer(vendor.vendorId, null, 0), name, customerReference: 'the same' },
    asker: { caller: { type: 'key', id: vendor.keyId } },
    answer: null,
    ...more,
  });
  const keyed = (name: string, key: string) => {
    const one = entry(name);
    const ref = { vendorId: vendor.vendorId, operation: 'save_customer', key, bodyHash: name };
    const response = { status: 200, body: JSON.stringify(one.customer.id), headers: { 'content-type': 'application/json' }, secret: false };
    return { ...one, answer: { ref, response } };
  };
  const names = (db: Database) =>
    db.query<{ name: string }>('select name from customer where vendor_id = $1 order by created, id', [vendor.vendorId]);

  it('each have one event, their caller and the time of the writing, in the order in which they came', async () => {
    await withTestDatabase(async (db) => {
      const intake = new CustomerIntake(db);
      const entries = Array.from({ length: 30 }, (_, n) =>
        entry(`n${n}`, n % 2 ? { asker: { caller: { type: 'system', id: null } } } : {}),
      );
      const before = Date.now();
      expect(await Promise.all(entries.map((one) => intake.make(one)))).toEqual(entries.map(() => true));
      const events = await db.query<{ at: number; written: number }>(
        `select object_id, object_sequence, actor, caller_type, caller_id, data, type, timestamp as at, created as written
         from event join customer on customer.id = event.object_id where event.vendor_id = $1 order by seq`,
        [vendor.vendorId],
      );
      expect(events).toEqual(
        entries.map(({ customer: { id }, asker: { caller } }) => ({
          object_id: id,
          object_sequence: 1,
          actor: 'caller',
          caller_type: caller.type,
          caller_id: caller.id,
          data: { id },
          type: 'v1.customer.created',
          at: expect.any(Number),
          written: expect.any(Number),
        })),
      );
      expect(events.every(({ at, written }) => at === written && at >= before - 1000)).toBe(true);
      expect(await names(db)).toEqual(entries.map(({ customer: { name } }) => ({ name })));
    });
  });

  it('lose none because of one whose data Postgres refuses; it alone fails', async () => {
    await withTestDatabase(async (db) => {
      const intake = new CustomerIntake(db);
      const strange = entry('strange');
      strange.customer.vendorId = newId('Vend');
      const some = [entry('a'), strange, entry('b\u0000'), entry('c')];
      const outcomes = await Promise.allSettled(some.map((one) => intake.make(one)));
      expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
      expect(await names(db)).toEqual([{ name: 'a' }, { name: 'c' }]);
    });
  });

  it('are made once for each key, by two processes with the same 100 keys in opposite orders, each twice', async () => {
    await withTestDatabase((one) =>
      withTestDatabase(async (other) => {
        const keys = Array.from({ length: 100 }, (_, n) => `k${n}`);
        const all = async (db: Database, order: string[]) => {
          const intake = new CustomerIntake(db);
          const entries = [...order, ...order].map((key) => keyed(key, key));
          const made = await Promise.all(entries.map((each) => intake.make(each)));
          return entries.filter((_, index) => made[index] === true);
        };
        const made = (await Promise.all([all(one, keys), all(other, keys.toReversed())])).flat();
        expect(made.map(({ customer: { name } }) => name).toSorted()).toEqual(keys.toSorted());
        const stored = await one.query<{ key: string; body: string }>(
          'select key, response_body as body from idempotency where vendor_id = $1 order by key',
          [vendor.vendorId],
        );
        const expected = made.map(({ answer: { ref, response } }) => ({ key: ref.key, body: response.body }));
        expect(stored).toEqual(expected.toSorted((a, b) => (a.key < b.key ? -1 : 1)));
        expect((await names(one)).length).toBe(100);
      }),
    );
  });
});
