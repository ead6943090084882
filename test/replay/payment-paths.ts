import { createCreditNote } from '../../db/credit-note/create.ts';
import { newId } from '../../db/id.ts';
import { concludeSession, insertSession } from '../../db/payment/session.ts';
import { deliverWishes } from '../../db/wish/deliver.ts';
import { eventually } from '../support/eventually.ts';
import { type Kit, TASK_QUEUE } from '../workflows/kit.ts';

type Path = (kit: Kit) => Promise<Record<string, string>>;

const details = { brand: 'sandbox', last4: '4242', expMonth: 12, expYear: 2099 };

/** A sandbox method as if its session had been confirmed; it replaces the one before. */
async function addMethod(kit: Kit, customerId: string, clockId: string | null, name: string): Promise<void> {
  const token = newId('PSess');
  const owner = { token, vendorId: kit.vendorId, customerId, clockId, created: Date.now(), provider: 'sandbox' as const, reference: token };
  const nothing = { planId: null, pricingId: null, customerReference: null, connectedAccountId: null, publishableKey: null };
  const method = { reference: `${name}.${token}`, customerReference: null, type: 'card' as const, holderName: null, details };
  const wishes = await kit.db.transaction(async (tx) => {
    await insertSession(tx, { ...owner, ...nothing, address: false, detachPrevious: true });
    return concludeSession(tx, token, { status: 'succeeded', method });
  });
  await deliverWishes(kit.db, kit.client, TASK_QUEUE, wishes);
}

const firstInvoice = (kit: Kit, customerId: string, status: string): Promise<string> =>
  eventually(async () => {
    const [row] = await kit.db.query<{ id: string }>(
      `select id from invoice where customer_id = $1 and deposit_transaction_status = $2 order by date limit 1`,
      [customerId, status],
    );
    if (row === undefined) throw new Error(`no invoice is ${status}`);
    return row.id;
  });

/** Each gives ids of payment workflows by the name of the file their history goes to. */
export const paymentPaths: Path[] = [
  async (kit) => {
    const clock = await kit.clock('2025-01-01T00:00:00.000Z');
    const customer = await kit.customer(clock);
    await addMethod(kit, customer, clock, 'sandbox_declined');
    await kit.ready(await kit.sign(customer, await kit.plan('10.00')));
    await kit.advance(clock, '2025-01-20');
    return { 'payment-retried-on-a-clock': `payment:${await firstInvoice(kit, customer, 'failed')}` };
  },
  async (kit) => {
    const customer = await kit.customer();
    await addMethod(kit, customer, null, 'sandbox_declined');
    await kit.ready(await kit.sign(customer, await kit.plan('10.00')));
    const invoice = await firstInvoice(kit, customer, 'failed');
    return { 'payment-waiting-for-its-retry': `payment:${invoice}` };
  },
  async (kit) => {
    const customer = await kit.customer();
    await addMethod(kit, customer, null, 'sandbox_declined');
    await kit.ready(await kit.sign(customer, await kit.plan('10.00')));
    await firstInvoice(kit, customer, 'failed');
    const [replaced] = await kit.db.query<{ id: string }>('select id from payment_method where customer_id = $1', [customer]);
    await addMethod(kit, customer, null, 'sandbox_no_answer');
    const invoice = await firstInvoice(kit, customer, 'succeeded');
    const [line] = await kit.db.query<{ id: string }>('select id from invoice_item where invoice_id = $1', [invoice]);
    const items = [{ lineId: line?.id ?? '' }];
    const note = await kit.db.transaction((tx) => createCreditNote(tx, kit.vendorId, invoice, { to: 'payment', items, notes: null }));
    await deliverWishes(kit.db, kit.client, TASK_QUEUE, note.wishes);
    const [refund] = await kit.db.query<{ id: string }>('select id from payment_refund where credit_note_id = $1', [note.id]);
    return {
      'payment-told-of-another-card-and-asked-about': `payment:${invoice}`,
      'method-detached': `detach:${replaced?.id}`,
      'payment-refunded': `refund:${refund?.id}`,
    };
  },
];
