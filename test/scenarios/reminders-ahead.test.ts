import { insertMethod, requestDetach } from '../../services/payment/method.ts';
import { withTestDatabase } from '../support/database.ts';
import { metered, plan, planOfFeatures, story } from '../support/story.ts';
import type { StoryCustomer } from '../support/story-customer.ts';

const pro = plan('pro', '100');

/** Reminders of invoices to come, as "2025-01-29 of 2025-02-01". */
async function remindersOf({ contract, vendor }: StoryCustomer, id = contract.id): Promise<string[]> {
  const { hits } = await vendor.api.read(`/v1/c/event?object=${id}&type=v1.invoice.upcoming`);
  return hits.map(
    ({ timestamp, data }: { timestamp: string; data: { at: string } }) => `${timestamp.slice(0, 10)} of ${data.at.slice(0, 10)}`,
  );
}

describe('the reminder of an invoice to come', () => {
  story('is sent three days before each: on 29 January and 26 February', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(pro));
    await on('2025-01-28');
    expect(await remindersOf(acme)).toEqual([]);
    await on('2025-01-29');
    expect(await remindersOf(acme)).toEqual(['2025-01-29 of 2025-02-01']);
    expect(await acme.contract.next()).toEqual(['2025-02-01 boundary']);
    await on('2025-03-02');
    expect(await remindersOf(acme)).toEqual(['2025-01-29 of 2025-02-01', '2025-02-26 of 2025-03-01']);
  });

  story('frozen 10 to 20 January: it moves with the invoice to 8 February; frozen on the 9th, it comes again', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(pro));
    await on('2025-01-10', () => acme.freezes());
    await on('2025-01-20', () => acme.unfreezes());
    await on('2025-02-09', () => acme.freezes());
    expect(await remindersOf(acme)).toEqual(['2025-02-08 of 2025-02-11']);
    await on('2025-02-19', () => acme.unfreezes());
    await on('2025-02-21');
    expect(await remindersOf(acme)).toEqual(['2025-02-08 of 2025-02-11', '2025-02-19 of 2025-02-21']);
  });

  story('a cancellation takes it away, and taking that back brings it again', async ({ on, acme, vendor }) => {
    await on('2025-01-01', () => acme.signs(pro));
    const other = vendor.customer('Other');
    await other.signs(pro);
    await on('2025-01-10', () => Promise.all([acme.cancels('end_of_cycle'), other.cancels('end_of_cycle')]));
    await on('2025-01-20', () => other.contract.undoesTheCancellation());
    await on('2025-02-01');
    expect([await remindersOf(acme), await remindersOf(other)]).toEqual([[], ['2025-01-29 of 2025-02-01']]);
  });

  story('of a downgrade that waits it comes once, and then from the new contract', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(pro));
    const old = acme.contract.id;
    await on('2025-01-10', () => acme.changesTo(plan('basic', '40')));
    await on('2025-02-01');
    acme.contract.follows();
    await on('2025-03-01');
    expect([await remindersOf(acme, old), await remindersOf(acme)]).toEqual([['2025-01-29 of 2025-02-01'], ['2025-02-26 of 2025-03-01']]);
  });

  story('an upgrade on 30 January sends it again from the new contract, with the next step of the clock', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(pro));
    const old = acme.contract.id;
    await on('2025-01-30', () => acme.changesTo(plan('max', '300')));
    await on('2025-01-31');
    expect([await remindersOf(acme, old), await remindersOf(acme)]).toEqual([['2025-01-29 of 2025-02-01'], ['2025-01-30 of 2025-02-01']]);
  });

  story('usage alone: of the closing a day after the month, and of the last one after a cancellation', async ({ on, acme }) => {
    const calls = planOfFeatures('calls', { calls: { price: metered('1') } });
    await on('2025-01-01', () => acme.signs(calls, { usage_period_closing_policy: '1 day' }));
    await on('2025-02-10', () => acme.cancels('end_of_cycle'));
    await on('2025-04-01');
    expect(await remindersOf(acme)).toEqual(['2025-01-30 of 2025-02-02', '2025-02-27 of 2025-03-02']);
  });

  story('usage that closes with the cycle that begins has no reminder of its own; a later closing has', async ({ on, acme, vendor }) => {
    const both = plan('both', '100', { features: { calls: { price: metered('1') } } });
    const later = vendor.customer('Later');
    await on('2025-01-01', () => Promise.all([acme.signs(both), later.signs(both, { usage_period_closing_policy: '1 hour' })]));
    await on('2025-02-02');
    expect(await remindersOf(acme)).toEqual(['2025-01-29 of 2025-02-01']);
    expect(await remindersOf(later)).toEqual(['2025-01-29 of 2025-02-01', '2025-01-29 of 2025-02-01']);
  });

  story(
    'of the first invoice of a contract that begins later, not of one in two days, nor of one with a trial',
    async ({ on, acme, vendor }) => {
      const [soon, trying] = [vendor.customer('Soon'), vendor.customer('Trying')];
      await on('2025-01-01', () =>
        Promise.all([
          acme.signs(pro, { activation: '2025-01-20T00:00:00Z' }),
          soon.signs(pro, { activation: '2025-01-03T00:00:00Z' }),
          trying.signs(pro, { activation: '2025-01-20T00:00:00Z', free_trial_days: 7 }),
        ]),
      );
      await on('2025-01-21');
      expect([await remindersOf(acme), await remindersOf(soon), await remindersOf(trying)]).toEqual([['2025-01-17 of 2025-01-20'], [], []]);
    },
  );

  story('a change that waits for the end of a trial has none: the end of the trial has a reminder of its own', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(pro, { free_trial_days: 14 }));
    await on('2025-01-02', () => acme.contract.changesTo(plan('max', '300'), { activation: { type: 'next_cycle' } }));
    await on('2025-01-14');
    expect(await remindersOf(acme)).toEqual([]);
    expect(await acme.contract.eventsOf('v1.trial.ending')).toHaveLength(1);
  });

  story('weekly contracts send it; daily ones, and those whose invoices are made by hand, do not', async ({ on, acme, vendor }) => {
    await on('2025-01-01', () => acme.signs(plan('weekly', '10', { cycle: 'week' })));
    const [daily, byHand] = [vendor.customer('Daily'), vendor.customer('By hand')];
    await daily.signs(plan('daily', '1', { cycle: 'day' }));
    await byHand.signs(pro, { invoice_trigger: 'manual' });
    await on('2025-02-01');
    const weeks = ['2025-01-05 of 2025-01-08', '2025-01-12 of 2025-01-15', '2025-01-19 of 2025-01-22', '2025-01-26 of 2025-01-29'];
    expect([await remindersOf(acme), await remindersOf(daily), await remindersOf(byHand)]).toEqual([weeks, [], []]);
  });
});

describe('the reminder of a card that will expire', () => {
  /** A card that can be used up to the end of a month of 2025. */
  const addsCard = async (acme: StoryCustomer, expMonth: number, at: string): Promise<string> => {
    const { vendorId, clock } = acme.vendor;
    const owner = { vendorId, customerId: await acme.id(), clockId: clock.id, provider: 'cardproc' as const };
    const details = { brand: 'visa', last4: '4242', expMonth, expYear: 2025 };
    const method = { reference: `card-${Math.random()}`, customerReference: null, type: 'card' as const, details, holderName: null };
    const id = await withTestDatabase((db) => db.transaction((tx) => insertMethod(tx, owner, method, Date.parse(at))));
    return String(id);
  };

  story('is sent on the first of its last month, not of a detached card, nor of one set up in that month', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(pro));
    const kept = await addsCard(acme, 3, '2025-01-01');
    const detached = await addsCard(acme, 3, '2025-01-01');
    const late = await addsCard(acme, 1, '2025-01-01');
    await withTestDatabase(async (db) => {
      const customerId = await acme.id();
      await db.transaction((tx) => requestDetach(tx, acme.vendor.vendorId, customerId, detached));
    });
    await on('2025-03-02');
    const { hits } = await acme.vendor.api.read('/v1/c/event?type=v1.payment_method.expiring');
    expect(hits).toMatchObject([
      { object: kept, timestamp: '2025-03-01T00:00:00.000Z', sequence: 2, data: { customer_id: await acme.id(), object: { id: kept } } },
    ]);
    expect([detached, late]).not.toContain(hits[0].object);
  });
});
