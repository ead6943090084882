import { addsMethod, expectsPayments, expectsState, invoiceOf } from '../payments/support.ts';
import type { AnyJson } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { plan, story } from '../support/story.ts';
import type { StoryCustomer } from '../support/story-customer.ts';

const pro = plan('pro', '100');
const DAYS = ['2025-01-01', '2025-01-02', '2025-01-04', '2025-01-06', '2025-01-08'];
const tries = (count: number): string[] => DAYS.slice(0, count).map((day) => `${day} failed declined 100.00`);

/** What the contract's timeline says is next, as "2025-01-15 trial_end". */
async function comingOf({ vendor, contract }: StoryCustomer): Promise<string[]> {
  const { next } = await vendor.api.read(`/v1/c/contract/${contract.id}/timeline`);
  return next.map(({ at, what }: AnyJson) => `${at.slice(0, 10)} ${what}`);
}

/** The last event of a type about an object. */
async function lastEvent({ vendor }: StoryCustomer, object: string, type: string): Promise<AnyJson> {
  return eventually(async () => {
    const { hits } = await vendor.api.read(`/v1/c/event?object=${object}&limit=100`);
    const last = hits.findLast((event: AnyJson) => event.type === type);
    expect(last).toBeDefined();
    return last;
  });
}

describe('the end of a trial', () => {
  const terms = { free_trial_days: 14, on_trial_end: 'cancel_without_method' } as const;

  story('cancels the contract of a customer without a card: nothing is charged, and the timeline said so', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(pro, terms));
    expect(await comingOf(acme)).toEqual(['2025-01-12 trial_ending', '2025-01-15 trial_cancellation', '2025-01-15 trial_end']);
    expect((await acme.vendor.api.read(`/v1/c/contract/${acme.contract.id}/upcoming_invoice`)).invoice).toBeNull();
    await on('2025-01-15');
    await acme.contract.expectsStatus('canceled');
    await acme.expectsInvoices();
    const { data } = await lastEvent(acme, acme.contract.id, 'v1.contract.cancellation.completed');
    expect(data).toMatchObject({ reason: 'trial_without_method' });
  });

  story('charges a card that was added on the last day', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(pro, terms));
    await on('2025-01-14 23:59', () => addsMethod(acme, 'sandbox_ok'));
    await on('2025-01-15');
    await acme.contract.expectsStatus('active');
    await expectsPayments(acme, '2025-01-15', '2025-01-15 succeeded 100.00');
  });

  story('cancels also what is scheduled for its end, and waits with the trial in a freeze', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(pro, terms));
    await on('2025-01-05', () => acme.changesTo(plan('basic', '40'), { activation: { type: 'date', date: '2025-01-15T00:00:00Z' } }));
    await on('2025-01-10', () => acme.freezes());
    await on('2025-01-20', () => acme.unfreezes());
    await on('2025-01-24');
    await acme.contract.expectsStatus('active', acme.contract.previous ?? acme.contract.id);
    await on('2025-02-01');
    await acme.expectsInvoices();
    expect((await acme.mayUse()).contract).toBeNull();
  });

  story('goes on without a card where nothing else is set', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(pro, { free_trial_days: 14 }));
    await on('2025-01-15');
    await acme.contract.expectsStatus('active');
    await acme.expectsInvoices('100.00');
  });
});

describe('the end of dunning', () => {
  story('freezes the customer after the first failure and four failed retries, and once', async ({ on, acme }) => {
    await on('2025-01-01', async () => {
      await addsMethod(acme, 'sandbox_declined');
      await acme.signs(pro, { on_dunning_end: 'freeze' });
      await expectsPayments(acme, '2025-01-01', ...tries(1));
    });
    expect(await comingOf(acme)).toEqual(['2025-01-02 payment_retry', '2025-01-08 dunning_end', '2025-02-01 boundary']);
    const { invoice } = await invoiceOf(acme, '2025-01-01');
    const failed = await lastEvent(acme, invoice.id, 'v1.payment.failed');
    expect(failed.data.dunning_end).toEqual({ at: '2025-01-08T00:00:00.000Z', action: 'freeze' });
    await on('2025-01-07');
    expect((await acme.read()).status).toBe('active');
    await on('2025-01-08');
    await expectsPayments(acme, '2025-01-01', ...tries(5));
    expect((await acme.read()).status).toBe('inactive');
    expect((await lastEvent(acme, await acme.id(), 'v1.customer.frozen')).data).toMatchObject({ reason: 'unpaid', invoice_id: invoice.id });
    await on('2025-01-20', () => acme.unfreezes());
    await on('2025-01-25');
    expect((await acme.read()).status).toBe('active');
    await acme.expectsUnpaid('100.00');
  });

  story('cancels the contract, gives nothing back, and leaves the invoice open', async ({ on, acme }) => {
    await on('2025-01-01', async () => {
      await addsMethod(acme, 'sandbox_declined');
      await acme.signs(pro, { on_dunning_end: 'cancel' });
    });
    await on('2025-01-08');
    await expectsPayments(acme, '2025-01-01', ...tries(5));
    await acme.contract.expectsStatus('canceled');
    const { data } = await lastEvent(acme, acme.contract.id, 'v1.contract.cancellation.completed');
    expect(data).toMatchObject({ reason: 'unpaid' });
    await on('2025-03-01');
    await acme.expectsInvoices('100.00');
    await acme.expectsUnpaid('100.00');
    await acme.expectsWallet('0.00');
  });

  story('ends nothing where the wallet has left 2.00, less than the 5.00 from which the vendor collects', async ({ on, acme, vendor }) => {
    const cancels = vendor.customer('Other', {});
    await on('2025-01-01', async () => {
      await vendor.api.made('/v1/c/preferences/payment', { payment_threshold: { usd: '5' } });
      for (const [customer, end] of [
        [acme, 'freeze'],
        [cancels, 'cancel'],
      ] as const) {
        await addsMethod(customer, 'sandbox_declined');
        await customer.signs(pro, { on_dunning_end: end });
        await expectsPayments(customer, '2025-01-01', ...tries(1));
      }
    });
    await on('2025-01-05', async () => {
      for (const customer of [acme, cancels]) await customer.grants('98');
    });
    await on('2025-01-20');
    for (const customer of [acme, cancels]) {
      await expectsState(customer, '2025-01-01', 'ready_for_payment failed 2.00');
      expect((await customer.read()).status).toBe('active');
      await customer.contract.expectsStatus('active');
      expect(await comingOf(customer)).toEqual(['2025-02-01 boundary']);
    }
  });

  story('comes on the day of the last retry though an expired card isn’t tried again', async ({ on, acme }) => {
    await on('2025-01-01', async () => {
      await addsMethod(acme, 'sandbox_expired_card');
      await acme.signs(pro, { on_dunning_end: 'cancel' });
    });
    await on('2025-01-07 23:59');
    await acme.contract.expectsStatus('active');
    await on('2025-01-08');
    await acme.contract.expectsStatus('canceled');
  });

  story('never comes for an invoice that was paid on the 6th day', async ({ on, acme }) => {
    await on('2025-01-01', async () => {
      await addsMethod(acme, 'sandbox_declined');
      await acme.signs(pro, { on_dunning_end: 'freeze' });
    });
    await on('2025-01-06', () => addsMethod(acme, 'sandbox_ok'));
    await expectsState(acme, '2025-01-01', 'paid succeeded 0.00');
    expect(await comingOf(acme)).toEqual(['2025-02-01 boundary']);
    await on('2025-01-20');
    expect((await acme.read()).status).toBe('active');
  });

  story('moves with a freeze: frozen 3 to 13 January, it comes on the 18th, after the last retry', async ({ on, acme }) => {
    await on('2025-01-01', async () => {
      await addsMethod(acme, 'sandbox_declined');
      await acme.signs(pro, { on_dunning_end: 'cancel' });
    });
    await on('2025-01-03', () => acme.freezes());
    await on('2025-01-13', () => acme.unfreezes());
    await on('2025-01-17');
    await acme.contract.expectsStatus('active');
    await on('2025-01-18');
    await acme.contract.expectsStatus('canceled');
  });

  story('contract before customer before vendor, copied at signing', async ({ on, vendor }) => {
    await vendor.api.made('/v1/c/preferences/payment', { on_trial_end: 'cancel_without_method', on_dunning_end: 'cancel' });
    const own = vendor.customer('Own', { configuration: { on_dunning_end: 'continue' } });
    const customers = vendor.customer('Customer', { configuration: { on_dunning_end: 'freeze' } });
    const vendors = vendor.customer('Vendor', {});
    await on('2025-01-01', async () => {
      await own.signs(pro, { on_trial_end: 'continue', on_dunning_end: 'freeze' });
      await customers.signs(pro);
      await vendors.signs(pro);
    });
    await vendor.api.made('/v1/c/preferences/payment', { on_trial_end: 'continue', on_dunning_end: 'continue' });
    const endsOf = async (customer: StoryCustomer) => {
      const { configuration } = (await customer.contract.read()).contract_summary;
      return [configuration.on_trial_end, configuration.on_dunning_end];
    };
    expect(await endsOf(own)).toEqual(['continue', 'freeze']);
    expect(await endsOf(customers)).toEqual(['cancel_without_method', 'freeze']);
    expect(await endsOf(vendors)).toEqual(['cancel_without_method', 'cancel']);
    expect((await own.read()).configuration).toMatchObject({ on_trial_end: null, on_dunning_end: 'continue' });
    const { on_trial_end, on_dunning_end } = await vendor.api.read('/v1/c/preferences/payment');
    expect([on_trial_end, on_dunning_end]).toEqual(['continue', 'continue']);
  });
});
