import type { AnyJson } from '../support/api.ts';
import { withTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { plan, story } from '../support/story.ts';
import type { StoryCustomer } from '../support/story-customer.ts';
import { addsMethod, expectsPaymentEvents, expectsPayments, expectsSoundLedger, expectsState, invoiceOf } from './support.ts';

type OfAProvider = 'payment_method' | 'payment_attempt' | 'payment_session';

/** The card processor has no keys in these tests: what was set up with it when it had them stays. */
const losesItsKeys = (table: OfAProvider, customer: StoryCustomer) => movesTo('cardproc', table, customer);

async function movesTo(provider: 'cardproc' | 'sandbox', table: OfAProvider, customer: StoryCustomer): Promise<void> {
  const id = await customer.id();
  await withTestDatabase((db) => db.query(`update ${table} set provider = $2 where customer_id = $1`, [id, provider]));
}

describe('a provider whose keys were taken away', () => {
  story('fails each charge with a reason that says so, and the clock goes on', async ({ on, acme }) => {
    await on('2025-01-01', async () => {
      await addsMethod(acme, 'sandbox_ok');
      await losesItsKeys('payment_method', acme);
      await acme.signs(plan('pro', '100'));
      await expectsPayments(acme, '2025-01-01', '2025-01-01 failed provider_not_configured 100.00');
      await expectsState(acme, '2025-01-01', 'ready_for_payment failed 100.00');
    });
    await on('2025-01-20');
    await expectsPayments(
      acme,
      '2025-01-01',
      ...['01', '02', '04', '06', '08'].map((day) => `2025-01-${day} failed provider_not_configured 100.00`),
    );
    await expectsPaymentEvents(acme, '2025-01-01', [
      'invoice.created',
      ...Array(4).fill(['payment.started', 'payment.failed provider_not_configured']).flat(),
      'payment.started',
      'payment.failed provider_not_configured final',
    ]);
    await expectsSoundLedger(acme.vendor);
  });

  story('leaves open what it may have taken: it is asked once a day, never charged again, and the clock goes on', async ({ on, acme }) => {
    await on('2025-01-01', async () => {
      await addsMethod(acme, 'sandbox_slow');
      await acme.signs(plan('pro', '100'));
      await expectsState(acme, '2025-01-01', 'ready_for_payment processing 100.00');
      await eventually(async () => expect(await answersAwaited(acme)).toBe(1));
      await losesItsKeys('payment_attempt', acme);
    });
    await on('2025-01-10');
    await expectsPayments(acme, '2025-01-01', '2025-01-01 processing provider_not_configured 100.00');
    await expectsState(acme, '2025-01-01', 'ready_for_payment processing 100.00');
    expect(await answersAwaited(acme)).toBe(1);
    await movesTo('sandbox', 'payment_attempt', acme);
    await on('2025-01-12');
    await expectsPayments(acme, '2025-01-01', '2025-01-01 succeeded 100.00');
    await expectsSoundLedger(acme.vendor);
  });

  story('lets a session expire, and the clock goes on', async ({ on, acme }) => {
    const { api } = acme.vendor;
    const session = await on('2025-01-01', async () => {
      const made = await api.made<AnyJson>(`/v1/c/customer/${await acme.id()}/payment/session`, { provider: 'sandbox' });
      await losesItsKeys('payment_session', acme);
      return made;
    });
    await on('2025-01-03');
    expect((await api.read(`/v1/c/payment/session/${session.token}`)).status).toBe('expired');
  });
});

async function answersAwaited(customer: StoryCustomer): Promise<number> {
  const { invoice } = await invoiceOf(customer, '2025-01-01');
  const rows = await withTestDatabase((db) =>
    db.query(`select 1 from agenda where kind = 'payment_answer' and subject = $1`, [invoice.id]),
  );
  return rows.length;
}
