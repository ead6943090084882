import { PaymentAttempt } from '../../db/entities/payment.ts';
import { recordOutcome } from '../../services/payment/record.ts';
import { flatPrice } from '../api/support.ts';
import type { AnyJson } from '../support/api.ts';
import { withTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { newVendor } from '../support/vendor.ts';

describe('a top-up of a frozen customer whose payment fails in the end', () => {
  it('gives back what the wallet has paid, 20.00, which pays the open invoice of 15.00 after the freeze', async () => {
    const { api } = await newVendor();
    const customer: string = await api.made('/v1/c/customer', { name: 'Ada', configuration: { automatic_payment: false } });
    await api.made(`/v1/c/customer/${customer}/activate`);
    const { token } = await api.made<AnyJson>(`/v1/c/customer/${customer}/payment/session`, {
      operation: 'add_method',
      provider: 'sandbox',
    });
    await api.made(`/v1/c/payment/session/${token}/confirm`, { payment_method: 'sandbox_slow' });
    await api.made(`/v1/c/customer/${customer}/wallet/transaction`, { currency: 'usd', amount: '20', description: 'a present' });
    await api.made(`/v1/c/customer/${customer}/top_up`, {
      currency: 'usd',
      below: '10',
      amount: '50',
      price: '45',
      at_most_per_month: '90',
    });
    const invoiceId = await eventually(async () => {
      const [{ invoice_id: bought } = {} as AnyJson] = (await api.read(`/v1/c/credit_grant?customer=${customer}`)).hits;
      const { payments } = await api.read(`/v1/c/invoice/${bought}`);
      const waiting = payments.find(({ status }: AnyJson) => status === 'processing');
      expect(waiting?.amount).toBe('25.00');
      return bought as string;
    });
    // a charge that has not been made yet would be dropped with the freeze
    await withTestDatabase((db) =>
      eventually(async () => expect(await db.em().count(PaymentAttempt, { invoiceId, askAt: { $ne: null } })).toBe(1)),
    );
    const pricings = [{ currency: 'usd', cycle: 'month', price: flatPrice('15.00'), features: {} }];
    const plan = await api.made('/v1/c/plan', { slug: 'basic', internal_name: 'Basic', strategy: 'plan', features: [], pricings });
    const contract = await api.made('/v1/c/contract', { customer, plan, currency: 'usd', cycle: 'month' });
    await api.made(`/v1/c/customer/${customer}/inactivate`, {});
    const declined = { status: 'failed', reason: 'declined', retryable: true, reference: null } as const;
    await withTestDatabase(async (db) => {
      const { id } = await db.em().findOneOrFail(PaymentAttempt, { invoiceId, status: 'processing' });
      await db.transaction((tx) => recordOutcome(tx, id, declined, []), { by: 'timer' });
    });
    const standing = async () => {
      const [{ amount_due }] = (await api.read(`/v1/c/invoice?contract=${contract}`)).hits;
      const { balances } = await api.read(`/v1/c/customer/${customer}/wallet`);
      return [amount_due, balances.map(({ balance }: AnyJson) => balance)];
    };
    expect(await standing()).toEqual(['15.00', ['20.00']]);
    await api.made(`/v1/c/customer/${customer}/activate`);
    expect(await standing()).toEqual(['0.00', ['5.00']]);
  });
});
