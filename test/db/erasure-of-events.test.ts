import { Customer } from '../../db/entities/customer.ts';
import { PaymentMethod } from '../../db/entities/payment-method.ts';
import { newId } from '../../db/id.ts';
import { eventsBySeq } from '../../db/sql/webhook/read-news.ts';
import { blankCustomer, insertCustomer } from '../../services/customer/save.ts';
import { beginErasure } from '../../services/erasure/begin.ts';
import { eraseSome } from '../../services/erasure/erase-some.ts';
import { detachHeard } from '../../services/payment/method.ts';
import { concludeSession, insertSession } from '../../services/payment/session.ts';
import { createVendor } from '../../services/vendor-account/create.ts';
import { loggedBodies } from '../../services/webhook/logged-bodies.ts';
import { makeBodies } from '../../snapshots/event-body.ts';
import { eventually } from '../support/eventually.ts';
import { type OwnDatabase, ownDatabase } from '../support/own-database.ts';

let own: OwnDatabase;
let vendorId: string;
beforeAll(async () => {
  own = await ownDatabase();
  ({ vendorId } = await createVendor(own.db, 'events'));
});
afterAll(() => own?.drop());

/** A customer with a card. */
async function withCard(): Promise<string> {
  const now = Date.now();
  const customer = { ...blankCustomer(vendorId, null, now), name: 'Ada', status: 'active' as const };
  const token = newId('PSess');
  const session = {
    ...{ token, vendorId, customerId: customer.id, clockId: null, created: now, provider: 'sandbox' as const, reference: token },
    ...{ customerReference: null, connectedAccountId: null, publishableKey: null, address: false, detachPrevious: false },
    ...{ planId: null, pricingId: null },
  };
  const method = {
    ...{ reference: 'pm_1', customerReference: null, type: 'card' as const, holderName: 'Ada Lovelace' },
    details: { brand: 'visa', last4: '4242', expMonth: 4, expYear: 2030 },
  };
  await own.db.transaction(async (tx) => {
    await insertCustomer(tx, customer, now);
    await insertSession(tx, session);
  });
  await own.db.transaction((tx) => concludeSession(tx, token, { status: 'succeeded', method }));
  return customer.id;
}

/** The log of the vendor as it is shown, and as webhooks send it. */
async function log(): Promise<string> {
  const seqs = await own.db.query<{ seq: string }>('select seq::text from event where vendor_id = $1', [vendorId]);
  const events = await eventsBySeq(
    own.db,
    vendorId,
    seqs.map(({ seq }) => seq),
  );
  return (await loggedBodies(own.db, makeBodies, vendorId, events)).join('\n');
}

it('events that are read while a provider still has to delete a card say nothing of it once the erasure has ended', async () => {
  const customer = await withCard();
  await own.db.transaction((tx) => beginErasure(tx, vendorId, customer));
  await eraseSome(own.db, customer);
  const before = await log();
  expect([before.includes('4242'), before.includes('Ada Lovelace')]).toEqual([true, true]);
  const { id } = await own.db.em().findOneOrFail(PaymentMethod, { customer });
  await detachHeard(own.db.em(), id);
  await own.db.query(`update agenda set due_at = now() where kind = 'erasure' and customer_id = $1`, [customer]);
  await eventually(async () => {
    await eraseSome(own.db, customer);
    expect((await own.db.em().findOneOrFail(Customer, { id: customer })).erasureEnded).not.toBeNull();
  });
  const after = await log();
  expect([after.includes('4242'), after.includes('Lovelace'), after.includes('v1.payment_method.detached')]).toEqual([false, false, true]);
});
