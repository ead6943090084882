import { addsMethod, expectsPayments, expectsSoundLedger, expectsState } from '../payments/support.ts';
import { metered, planOfFeatures, refused, story } from '../support/story.ts';
import type { StoryCustomer } from '../support/story-customer.ts';

// Early invoices that are collected, fail to be, or are given back.

const calls = planOfFeatures('pro', { calls: { price: metered('1') } });
const at = (invoice_threshold: string) => ({ invoice_threshold });
const automatic = { ...at('100.00'), automatic_payment: true };

/** Gives an amount of the early invoice made at an instant back to the wallet. */
async function givesBack(acme: StoryCustomer, date: string, amount: string): Promise<void> {
  const [hit] = await acme.invoicesOf(date);
  const items = [{ invoice_item_id: hit?.invoice_items[0]?.id ?? '', amount }];
  await acme.vendor.client.createCreditNote(hit?.invoice.id ?? '', { items, to: 'wallet' });
}

describe('early invoices and dunning', () => {
  story('two that are declined are retried each on its own days, and the month closes beside them', async ({ on, acme, vendor }) => {
    await vendor.api.made('/v1/c/preferences/payment', { retry_days: [3, 5] });
    await on('2025-06-01', async () => {
      await addsMethod(acme, 'sandbox_declined');
      await acme.signs(calls, automatic);
    });
    await on('2025-06-10', () => acme.uses('calls', '110'));
    await on('2025-06-12', () => acme.uses('calls', '120'));
    await on('2025-06-20', () => acme.uses('calls', '9'));
    await on('2025-07-02');
    const tries = (amount: string, ...days: string[]) => days.map((day) => `2025-06-${day} failed declined ${amount}`);
    await expectsPayments(acme, '2025-06-10', ...tries('110.00', '10', '13', '15'));
    await expectsPayments(acme, '2025-06-12', ...tries('120.00', '12', '15', '17'));
    await expectsPayments(acme, '2025-07-01', '2025-07-01 failed declined 9.00');
    await acme.expectsUnpaid('239.00');
    await expectsSoundLedger(vendor);
  });

  story('the end of dunning cancels the contract: the 30 units of then are charged, 140.00 in all', async ({ on, acme, vendor }) => {
    await vendor.api.made('/v1/c/preferences/payment', { retry_days: [2, 4] });
    await on('2025-06-01', async () => {
      await addsMethod(acme, 'sandbox_declined');
      await acme.signs(calls, { ...automatic, on_dunning_end: 'cancel' });
    });
    await on('2025-06-10', () => acme.uses('calls', '110'));
    await on('2025-06-12', () => acme.uses('calls', '30'));
    // what was foreseen comes sooner, since nobody pays
    await vendor.clock.advanceTo('2025-06-20T00:00:00Z');
    await acme.contract.expectsStatus('canceled');
    await acme.expectsInvoices('2025-06-10 110.00', '2025-06-14 30.00');
    await expectsSoundLedger(vendor);
  });

  story('the end of dunning freezes the customer: no usage and no part, until 110.00 is paid', async ({ on, acme, vendor }) => {
    await vendor.api.made('/v1/c/preferences/payment', { retry_days: [2, 4] });
    await on('2025-06-01', async () => {
      await addsMethod(acme, 'sandbox_declined');
      await acme.signs(calls, { ...automatic, on_dunning_end: 'freeze' });
    });
    await on('2025-06-10', () => acme.uses('calls', '110'));
    await on('2025-06-12', () => acme.uses('calls', '95'));
    await on('2025-06-20', () => refused(409, acme.uses('calls', '10'), 'customer_frozen'));
    await acme.expectsInvoices('2025-06-10 110.00');
    await acme.unfreezes();
    await addsMethod(acme, 'sandbox_ok');
    await acme.uses('calls', '10');
    await on('2025-06-21');
    await acme.expectsInvoices('2025-06-10 110.00', '2025-06-20 105.00');
    await expectsState(acme, '2025-06-20', 'paid succeeded 0.00');
    await expectsSoundLedger(vendor);
  });
});

describe('an early invoice and credit notes', () => {
  story(
    'all 110.00 of the first part given back: the next part has its own 120.00, the month’s end its 4.00',
    async ({ on, acme, vendor }) => {
      await on('2025-06-01', () => acme.signs(calls, at('100.00')));
      await on('2025-06-10', () => acme.uses('calls', '110'));
      await acme.pays();
      await givesBack(acme, '2025-06-10', '110.00');
      await acme.expectsWallet('110.00');
      await on('2025-06-12', () => acme.uses('calls', '120'));
      await acme.expectsWallet('0.00');
      await acme.uses('calls', '4');
      await on('2025-07-01');
      await acme.expectsInvoices('2025-06-10 110.00', '2025-06-12 120.00', '2025-07-01 4.00');
      await acme.expectsUnpaid('14.00');
      await expectsSoundLedger(vendor);
    },
  );

  story(
    'on an unpaid part lowers what is owed: 110.00 less 60.00, and the parts after it stay as they are',
    async ({ on, acme, vendor }) => {
      await on('2025-06-01', () => acme.signs(calls, at('100.00')));
      await on('2025-06-10', () => acme.uses('calls', '110'));
      await givesBack(acme, '2025-06-10', '60.00');
      await acme.expectsUnpaid('50.00');
      await on('2025-06-12', () => acme.uses('calls', '120'));
      await acme.expectsUnpaid('170.00');
      await on('2025-07-01');
      await acme.expectsInvoices('110.00', '120.00');
      await expectsSoundLedger(vendor);
    },
  );

  story('on each of two parts, and the usage taken back after them: no more than their rest comes back', async ({ on, acme, vendor }) => {
    await on('2025-06-01', () => acme.signs(calls, at('100.00')));
    const events = [await on('2025-06-10', () => acme.uses('calls', '110')), await on('2025-06-12', () => acme.uses('calls', '120'))];
    await acme.pays();
    await givesBack(acme, '2025-06-10', '10.00');
    await givesBack(acme, '2025-06-12', '20.00');
    await acme.expectsWallet('30.00');
    for (const event of events) await acme.discards(event);
    await on('2025-07-01');
    await acme.expectsInvoices('110.00', '120.00', '0.00');
    await acme.expectsWallet('230.00');
    await expectsSoundLedger(vendor);
  });
});

describe('early invoices of 100.00 with 19 % in it and of 60.00 with 19 % on top', () => {
  const days = [
    ['before the month closes', '2025-06-20', '2025-07-01'],
    ['after it has closed', '2025-07-05', '2025-08-01'],
  ] as const;
  for (const [when, day, charged] of days)
    story(`come back as they were charged, 171.40, where all is taken back ${when}`, async ({ on, acme, vendor }) => {
      const rates = [{ rate: '0.19' }];
      await vendor.setsTaxes({ rates, policy: 'tax_included' });
      await on('2025-06-01', () => acme.signs(calls, at('50.00')));
      const first = await on('2025-06-10', () => acme.uses('calls', '100'));
      await vendor.setsTaxes({ rates, policy: 'tax_excluded' });
      const second = await on('2025-06-12', () => acme.uses('calls', '60'));
      await acme.expectsInvoices('100.00', '71.40');
      await acme.pays();
      await on(day, async () => {
        for (const event of [first, second]) await acme.discards(event);
      });
      await on(charged);
      await acme.expectsInvoices('100.00', '71.40', '0.00');
      await acme.expectsWallet('171.40');
      await expectsSoundLedger(vendor);
    });
});
