import { createCreditNote } from '../../services/credit-note/create.ts';
import { grant } from '../workflows/other-concerns.ts';
import { addMethod, attemptOf, payer, withMethod } from '../workflows/payer.ts';
import type { Path } from './path.ts';

export const paymentPaths: Path[] = [
  async ({ kit }) => {
    const { customer } = await payer(kit, 'sandbox_ok');
    return { 'payment-taken': `payment:${(await attemptOf(kit, customer, 'succeeded')).id}` };
  },
  async ({ kit }) => {
    const clock = await kit.clock('2025-01-01T00:00:00.000Z');
    const { customer, contract } = await payer(kit, 'sandbox_declined', clock);
    await attemptOf(kit, customer, 'failed');
    await kit.advance(clock, '2025-01-20');
    const { id } = await attemptOf(kit, customer, 'failed');
    return { 'payment-declined': `payment:${id}`, 'clock-with-payments': clock, 'contract-with-retries-on-a-clock': contract };
  },
  async ({ kit }) => {
    const { customer } = await payer(kit, 'sandbox_slow');
    return { 'payment-that-takes-days': `payment:${(await attemptOf(kit, customer, 'processing')).id}` };
  },
  async ({ kit }) => {
    const { customer } = await payer(kit, 'sandbox_declined');
    await attemptOf(kit, customer, 'failed');
    const [replaced] = await kit.db.query<{ id: string }>('select id from payment_method where customer_id = $1', [customer]);
    await addMethod(kit, customer, null, 'sandbox_no_answer');
    const attempt = await attemptOf(kit, customer, 'succeeded');
    const [line] = await kit.db.query<{ id: string }>('select id from invoice_item where invoice_id = $1', [attempt.invoice]);
    const request = { to: 'payment' as const, items: [{ lineId: line?.id ?? '' }], notes: null };
    const note = await kit.db.transaction((tx) => createCreditNote(tx, kit.vendorId, attempt.invoice, request));
    const [refund] = await kit.db.query<{ id: string }>('select id from payment_refund where credit_note_id = $1', [note]);
    return {
      'payment-asked-about': `payment:${attempt.id}`,
      'method-detached': `detach:${replaced?.id}`,
      'payment-refunded': `refund:${refund?.id}`,
    };
  },
  async ({ kit }) => {
    const customerId = await withMethod(kit, 'sandbox_ok');
    await grant(kit, customerId, { kind: 'purchased', price: '15' });
    return { 'credits-paid': `payment:${(await attemptOf(kit, customerId, 'succeeded')).id}` };
  },
];
