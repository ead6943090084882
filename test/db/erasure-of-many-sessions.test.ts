import { Agenda } from '../../db/entities/agenda.ts';
import { Customer } from '../../db/entities/customer.ts';
import { PaymentSession } from '../../db/entities/payment.ts';
import { PaymentMethod } from '../../db/entities/payment-method.ts';
import { newId } from '../../db/id.ts';
import { blankCustomer, insertCustomer } from '../../services/customer/save.ts';
import { beginErasure } from '../../services/erasure/begin.ts';
import { eraseSome } from '../../services/erasure/erase-some.ts';
import { expireSessions } from '../../services/payment/expire-sessions.ts';
import type { Payments } from '../../services/payment/open-payments.ts';
import { concludeSession, insertSession } from '../../services/payment/session.ts';
import { countedVendor } from '../support/counted-vendor.ts';
import { eventually } from '../support/eventually.ts';

const SESSIONS = 1_200;

const own = countedVendor('sessions');

/** A customer with so many open payment sessions, each with its row of the agenda. */
async function withSessions(sessions: number): Promise<string> {
  const now = Date.now();
  const customer = { ...blankCustomer(own.vendorId, null, now), name: 'Acme', status: 'active' as const };
  const token = newId('PSess');
  await own.db.transaction(async (tx) => {
    await insertCustomer(tx, customer, now);
    const setup = {
      provider: 'sandbox' as const,
      reference: token,
      customerReference: null,
      connectedAccountId: null,
      publishableKey: null,
    };
    const owner = { token, vendorId: own.vendorId, customerId: customer.id, clockId: null, created: now };
    await insertSession(tx, { ...owner, ...setup, address: false, detachPrevious: false, planId: null, pricingId: null });
  });
  await own.db.query(
    `insert into payment_session select (jsonb_populate_record(s, jsonb_build_object('id', s.id || '_' || n, 'reference', s.id || '_' || n))).*
       from payment_session s, generate_series(2, $2::int) n where s.customer_id = $1`,
    [customer.id, sessions],
  );
  await own.db.query(
    `insert into agenda (vendor_id, customer_id, workflow_id, held, kind, subject, due_at, detail)
       select a.vendor_id, a.customer_id, a.workflow_id, a.held, a.kind, a.subject || '_' || n, a.due_at, a.detail
       from agenda a, generate_series(2, $2::int) n where a.customer_id = $1 and a.kind = 'session_expiry'`,
    [customer.id, sessions],
  );
  return customer.id;
}

const erase = (customerId: string) => own.db.transaction((tx) => beginErasure(tx, own.vendorId, customerId));
const openOf = (customerId: string) => own.db.em().find(PaymentSession, { customerId, status: 'pending' });

it(`a customer with ${SESSIONS} open payment sessions is erased by as many statements as one with two, and no form leads anywhere`, async () => {
  const few = await withSessions(2);
  const many = await withSessions(SESSIONS);
  expect(await openOf(many)).toHaveLength(SESSIONS);
  const ofFew = await own.during(() => erase(few));
  const ofMany = await own.during(() => erase(many));
  expect(ofMany.statements).toBe(ofFew.statements);
  expect(ofMany.rows - ofFew.rows).toBe(498);
  expect(await openOf(few)).toEqual([]);

  const [open] = await openOf(many);
  if (open === undefined) throw new Error('no session is open');
  const method = {
    ...{ reference: 'pm_1', customerReference: null, type: 'card' as const, holderName: null },
    details: { brand: 'visa', last4: '4242', expMonth: null, expYear: null },
  };
  await own.db.transaction((tx) => concludeSession(tx, open.token, { status: 'succeeded', method }));
  expect(await own.db.em().findOneOrFail(PaymentSession, { token: open.token })).toMatchObject({
    status: 'failed',
    reason: 'customer_erased',
  });
  expect(await own.db.em().count(PaymentMethod, { customer: many })).toBe(0);

  await eventually(async () => {
    await eraseSome(own.db, many);
    expect((await own.db.em().findOneOrFail(Customer, { id: many })).erasureEnded).not.toBeNull();
  });
  expect(await openOf(many)).toEqual([]);
  const failed = { customerId: many, status: 'failed', reason: 'customer_erased', ended: { $ne: null } } as const;
  expect(await own.db.em().count(PaymentSession, failed)).toBe(SESSIONS);
  expect(await own.db.em().count(Agenda, { customerId: many })).toBe(0);
});

it('of 25 sessions whose time has passed, the earliest 20 end by one call, and the others by the next', async () => {
  const customerId = await withSessions(25);
  const long = `now() - interval '30 hours' + coalesce(nullif(split_part(subject, '_', 3), '')::int, 1) * interval '1 minute'`;
  await own.db.query(`update agenda set due_at = ${long} where customer_id = $1`, [customerId]);
  await own.db.query(`update payment_session set expires = now() - interval '30 hours' where customer_id = $1`, [customerId]);
  const payments = { providers: { has: () => false } } as unknown as Payments;
  await expireSessions({ db: own.db, payments }, customerId);
  const left = await openOf(customerId);
  expect(left.map(({ token }) => token.split('_')[2]).toSorted()).toEqual(['21', '22', '23', '24', '25']);
  await expireSessions({ db: own.db, payments }, customerId);
  expect(await openOf(customerId)).toEqual([]);
});
