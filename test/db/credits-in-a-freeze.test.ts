import type { ChargeOutcome } from '../../billing/payment/types.ts';
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

describe('bought credits whose payment is under way when their customer is frozen', () => {
  /** To five minutes: the machine may be slow. */
  const minutesAway = (instant: string): number => Math.round((Date.parse(instant) - Date.now()) / 300_000) * 5 + 0;

  /**
   * Bought with a card that is slow; then put back in time: bought 120 minutes ago, their life ended 40 minutes ago,
   * and the freeze began 60 minutes ago.
   *
   * @param over for how many minutes the freeze was to last, null: for ever
   */
  async function boughtAndFrozen(over: number | null) {
    const { api } = await newVendor();
    const customer: string = await api.made('/v1/c/customer', { name: 'Ada' });
    await api.made(`/v1/c/customer/${customer}/activate`);
    const session = { operation: 'add_method', provider: 'sandbox' };
    const { token } = await api.made<AnyJson>(`/v1/c/customer/${customer}/payment/session`, session);
    await api.made(`/v1/c/payment/session/${token}/confirm`, { payment_method: 'sandbox_slow' });
    const grant: string = await api.made('/v1/c/credit_grant', {
      ...{ customer, currency: 'usd', amount: '50', price: '45', kind: 'purchased', expires_at: '2999-01-01T00:00:00Z' },
    });
    const { invoice_id: invoiceId } = await api.read(`/v1/c/credit_grant/${grant}`);
    const attemptId = await withTestDatabase((db) =>
      eventually(async () => (await db.em().findOneOrFail(PaymentAttempt, { invoiceId, askAt: { $ne: null } })).id),
    );
    await api.made(`/v1/c/customer/${customer}/inactivate`, over === null ? {} : { resume_at: '2999-01-01T00:00:00Z' });
    await withTestDatabase((db) =>
      db.query(
        `with frozen as (update customer_pause set began = began - interval '60 minutes' where customer_id = $1 returning began),
           bought as (update credit_grant set effective_at = now() - interval '120 minutes', expires_at = now() - interval '40 minutes'
             where customer_id = $1),
           ends as (update agenda set due_at = began + $2 * interval '1 minute' from frozen
             where agenda.kind = 'freeze_end' and agenda.subject = $1)
         update customer set resume_at = began + $2 * interval '1 minute' from frozen where customer.id = $1`,
        [customer, over],
      ),
    );
    const ends = (outcome: ChargeOutcome) =>
      withTestDatabase((db) => db.transaction((tx) => recordOutcome(tx, attemptId, outcome, [1, 3, 5, 7]), { by: 'provider' }));
    const read = async () => {
      const { status, expires_at, effective_at } = await api.read(`/v1/c/credit_grant/${grant}`);
      const { amount_due } = await api.read(`/v1/c/invoice/${invoiceId}`);
      return { status, amount_due, from: minutesAway(effective_at), to: minutesAway(expires_at) };
    };
    return { ends, read, activates: () => api.made(`/v1/c/customer/${customer}/activate`) };
  }

  it('a failure ends none whose life the freeze has still to move: 20 minutes are left of it', async () => {
    const { ends, read, activates } = await boughtAndFrozen(null);
    await ends({ status: 'failed', reason: 'declined', retryable: true, reference: null });
    expect(await read()).toMatchObject({ status: 'awaiting_payment', amount_due: '45.00' });
    await activates();
    expect(await read()).toMatchObject({ status: 'awaiting_payment', amount_due: '45.00', to: 20 });
  });

  it.each([
    ['10 minutes, so that their life has ended by the payment, get its 80 minutes whole', 10, { from: 0, to: 80 }],
    ['50 minutes keep the 10 minutes that the freeze has left of their life', 50, { from: 0, to: 10 }],
  ])('paid after a freeze that was to last %s', async (_, over, expected) => {
    const { ends, read, activates } = await boughtAndFrozen(over);
    await ends({ status: 'succeeded', reference: 'late' });
    await activates();
    expect(await read()).toMatchObject({ status: 'active', amount_due: '0.00', ...expected });
  });
});
