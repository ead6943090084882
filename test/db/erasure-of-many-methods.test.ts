import { Agenda } from '../../db/entities/agenda.ts';
import { Customer } from '../../db/entities/customer.ts';
import { PaymentMethod } from '../../db/entities/payment-method.ts';
import { newId } from '../../db/id.ts';
import type { Tx } from '../../db/transaction.ts';
import { blankCustomer, insertCustomer } from '../../services/customer/save.ts';
import { beginErasure } from '../../services/erasure/begin.ts';
import { eraseSome } from '../../services/erasure/erase-some.ts';
import { detachSome, insertMethod, selectDefault } from '../../services/payment/method.ts';
import { createVendor } from '../../services/vendor-account/create.ts';
import { eventually } from '../support/eventually.ts';
import { type OwnDatabase, ownDatabase } from '../support/own-database.ts';

const METHODS = 130;

let own: OwnDatabase;
let vendorId: string;
let customerId: string;
beforeAll(async () => {
  own = await ownDatabase();
  ({ vendorId } = await createVendor(own.db, 'methods'));
  const now = Date.now();
  const customer = { ...blankCustomer(vendorId, null, now), name: 'Acme', status: 'active' as const };
  customerId = customer.id;
  await own.db.transaction(async (tx) => {
    await insertCustomer(tx, customer, now);
    const ids: (string | null)[] = [];
    for (let n = 0; n < METHODS; n += 1) {
      const reference = newId('Item');
      const details = { brand: 'visa', last4: '4242', expMonth: null, expYear: null };
      const method = { reference, customerReference: null, type: 'card' as const, holderName: null, details };
      ids.push(await insertMethod(tx, { vendorId, customerId, clockId: null, provider: 'sandbox' }, method, now));
    }
    await selectDefault(tx, vendorId, customerId, ids.at(-1) ?? '');
  });
});
afterAll(() => own?.drop());

const left = () => own.db.em().count(PaymentMethod, { customer: customerId, status: { $ne: 'detached' } });
/** How often the log says of each method that it was detached, and how often its provider is asked to. */
const timesOf = async (): Promise<number[][]> => {
  const logged = await own.db.query<{ n: number }>(
    `select count(*)::int as n from event where vendor_id = $1 and type = 'v1.payment_method.detached' group by object_id`,
    [vendorId],
  );
  const asked = await own.db.query<{ n: number }>(`select wanted::int as n from outbox where kind = 'detach'`, []);
  return [logged, asked].map((rows) => rows.map(({ n }) => n));
};

it(`of ${METHODS} methods an erasure detaches the default and 50 others at once, and its steps the rest, each once`, async () => {
  await own.db.transaction((tx) => beginErasure(tx, vendorId, customerId));
  expect(await left()).toBe(METHODS - 51);
  const customer = await own.db.em().findOneOrFail(Customer, { id: customerId });
  expect(customer.defaultPayment).toBe('none');

  // a step that breaks off is made again
  const broken = new Error('the process is killed');
  const step = async (tx: Tx): Promise<never> => {
    await detachSome(tx, vendorId, customerId);
    throw broken;
  };
  await expect(own.db.transaction(step)).rejects.toBe(broken);
  expect(await left()).toBe(METHODS - 51);
  await eventually(async () => {
    await eraseSome(own.db, customerId);
    expect(await left()).toBe(0);
  });
  const once = Array.from({ length: METHODS }, () => 1);
  expect(await timesOf()).toEqual([once, once]);

  // as long as a provider has a method to delete, what names it there stays
  expect(await own.db.em().count(Agenda, { kind: 'erasure', subject: customerId })).toBe(1);
  await own.db.em().nativeUpdate(PaymentMethod, { customer: customerId }, { detachPending: false });
  await own.db.query(`update agenda set due_at = now() where customer_id = $1`, [customerId]);
  await eventually(async () => {
    await eraseSome(own.db, customerId);
    expect((await own.db.em().findOneOrFail(Customer, { id: customerId })).erasureEnded).not.toBeNull();
  });
});
