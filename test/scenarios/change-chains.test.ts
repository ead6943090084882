import type { AnyJson } from '../support/api.ts';
import { metered, perUnit, plan, planOfFeatures, refused, story } from '../support/story.ts';

const at = (slug: string, amount: string) => plan(slug, amount);
const idsOf = (hit?: { invoice_items: { id: string }[] }): string[] => (hit?.invoice_items ?? []).map(({ id }) => id).sort();

describe('several changes in one period', () => {
  story('599.95 down to 9.95 on 7 May puts 475.81 into the wallet, 29.95 on 8 May draws 15.49 from it', async ({ on, acme }) => {
    await on('2012-05-01', () => acme.signs(at('monthly', '599.95')));
    await acme.pays();
    await on('2012-05-07');
    const estimate = await acme.contract.estimatesChangeTo(at('tiny', '9.95'), { downgrade_allowed: true });
    expect(estimate.upgrade_cost_breakdown.total).toBe('-475.81');
    expect(estimate.is_downgrade).toBe(true);
    await acme.changesTo(at('tiny', '9.95'), { downgrade_allowed: true });
    await acme.expectsLines('2012-05-07', 'Monthly -483.83', 'Tiny 8.02', 'wallet 475.81');
    await acme.expectsWallet('475.81');
    await on('2012-05-08', () => acme.changesTo(at('small', '29.95')));
    await acme.expectsLines('2012-05-08', 'Tiny -7.70', 'Small 23.19');
    await acme.expectsWallet('460.32');
    await on('2012-06-01', () => acme.expectsWallet('430.37'));
    await acme.expectsInvoices('2012-05-01 599.95', '2012-05-07 0.00', '2012-05-08 15.49', '2012-06-01 29.95');
    await acme.expectsUnpaid('0.00');
  });

  story('100 to 300 and back at one instant nets to zero: +100.00, then 100.00 of credit', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(at('basic', '100')));
    await acme.pays();
    await on('2025-06-16', () => acme.changesTo(at('max', '300')));
    await acme.pays();
    await acme.changesTo(at('basic', '100'), { downgrade_allowed: true });
    await acme.expectsLines('2025-06-16', 'Basic -50.00', 'Max 150.00', 'Max -150.00', 'Basic 50.00', 'wallet 100.00');
    await acme.expectsWallet('100.00');
  });

  story(
    'a credit for something never paid settles the open invoice: 600 down to 300 leaves 450.00 to pay and nothing in the wallet',
    async ({ on, acme }) => {
      await on('2025-06-01', () => acme.signs(at('max', '600')));
      await on('2025-06-16', () => acme.changesTo(at('basic', '300'), { downgrade_allowed: true }));
      await acme.expectsLines('2025-06-16', 'Max -300.00', 'Basic 150.00', 'wallet 150.00');
      await acme.expectsWallet('0.00');
      await acme.expectsUnpaid('450.00');
    },
  );

  story('three upgrades in a month, 30 to 60 to 90 to 120 on 11, 16 and 21 June, credit what was charged', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(at('a', '30')));
    await on('2025-06-11', () => acme.changesTo(at('b', '60'))); // 20 of 30 days
    await acme.expectsLines('2025-06-11', '-20.00', '40.00');
    await on('2025-06-16', () => acme.changesTo(at('c', '90'))); // 15 of the 20 days the 40.00 stood for
    await acme.expectsLines('2025-06-16', '-30.00', '45.00');
    await on('2025-06-21', () => acme.changesTo(at('d', '120'))); // 10 of 15 days
    await acme.expectsLines('2025-06-21', '-30.00', '40.00');
    await on('2025-07-01', () => acme.expectsInvoices('30.00', '20.00', '15.00', '10.00', '120.00'));
  });
});

describe('an estimate token', () => {
  const hourly = (slug: string, amount: string) => plan(slug, amount, { cycle: 'hour' });

  story('fixes the instant: 60 to 120 an hour, estimated at half past, costs 30.00 five minutes later too', async ({ on, acme }) => {
    await on('2025-06-01 00:00', () => acme.signs(hourly('basic', '60')));
    await on('2025-06-01 00:30');
    const { estimate_token, upgrade_cost_breakdown } = await acme.contract.estimatesChangeTo(hourly('max', '120'));
    expect(upgrade_cost_breakdown.total).toBe('30.00');
    await on('2025-06-01 00:35', () => acme.changesTo(hourly('max', '120'), { estimate_token }));
    await acme.expectsInvoices('60.00', '30.00');
    const [, { invoice_items } = { invoice_items: [] }] = await acme.invoices();
    expect(invoice_items.map((item: AnyJson) => item.total_including_tax).sort()).toEqual(['-30.00', '60.00']);
  });

  story('gives the ids of the estimate to the invoice and its lines', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(at('basic', '100')));
    await on('2025-06-16');
    const estimate = await acme.contract.estimatesChangeTo(at('max', '300'));
    await acme.changesTo(at('max', '300'), { estimate_token: estimate.estimate_token });
    const [promised] = estimate.price_on_new_contract;
    const [written] = await acme.invoicesOf('2025-06-16');
    expect(written?.invoice.id).toBe(promised?.invoice.id);
    expect(idsOf(written)).toEqual(idsOf(promised));
  });

  story('holds for ten minutes, not for eleven: 409 estimate_outdated', async ({ on, acme }) => {
    await on('2025-06-01 00:00', () => acme.signs(hourly('basic', '60')));
    const { estimate_token } = await acme.contract.estimatesChangeTo(hourly('max', '120'));
    await on('2025-06-01 00:11', () => refused(409, acme.changesTo(hourly('max', '120'), { estimate_token }), 'estimate_outdated'));
    await acme.expectsInvoices('60.00');
  });

  const calls = (slug: string, price: string) => planOfFeatures(slug, { calls: { price: metered(price) } });
  const changed = { downgrade_allowed: true };

  for (const [when, at] of [
    ['at its very instant', undefined],
    ['the day before', '2025-06-15'],
  ] as const) {
    story(`ends with usage reported since for ${when}: 409 estimate_outdated`, async ({ on, acme }) => {
      await on('2025-06-01', () => acme.signs(calls('basic', '0.10')));
      await on('2025-06-16');
      const { estimate_token } = await acme.contract.estimatesChangeTo(calls('max', '0.20'), changed);
      await acme.uses('calls', '5', at);
      await refused(409, acme.changesTo(calls('max', '0.20'), { ...changed, estimate_token }), 'estimate_outdated');
    });
  }

  story('ends with an earlier event discarded since: 409 estimate_outdated', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(calls('basic', '0.10')));
    const event = await on('2025-06-16', () => acme.uses('calls', '5', '2025-06-10'));
    const { estimate_token } = await acme.contract.estimatesChangeTo(calls('max', '0.20'), changed);
    await acme.discards(event);
    await refused(409, acme.changesTo(calls('max', '0.20'), { ...changed, estimate_token }), 'estimate_outdated');
  });

  story('holds with 300 calls reported since for later instants: 3 are 0.30 on the old, 300 are 60.00 on the new', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(calls('basic', '0.10')));
    await on('2025-06-16 00:00', () => acme.uses('calls', '3', '2025-06-10'));
    const estimate = await acme.contract.estimatesChangeTo(calls('max', '0.20'), changed);
    expect(estimate.upgrade_cost_breakdown.total).toBe('0.30');
    await acme.uses('calls', '40', '2025-06-16 00:30');
    await on('2025-06-16 00:05', async () => {
      await acme.uses('calls', '250', '2025-06-16 00:00:01');
      await acme.uses('calls', '10');
      await acme.changesTo(calls('max', '0.20'), { ...changed, estimate_token: estimate.estimate_token });
    });
    await acme.expectsLines('2025-06-16', 'Calls 0.30');
    await on('2025-07-01', () => acme.expectsLines('2025-07-01', 'Calls 60.00'));
  });

  story('holds with a marker of 7 set since for a later instant: 3 are 0.30 on the old, 4 are 0.80 on the new', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(calls('basic', '0.10')));
    await on('2025-06-16 00:00', () => acme.uses('calls', '3', '2025-06-10'));
    const { estimate_token } = await acme.contract.estimatesChangeTo(calls('max', '0.20'), changed);
    await acme.uses('calls', '7', '2025-06-16 00:30', { is_absolute: true });
    await acme.changesTo(calls('max', '0.20'), { ...changed, estimate_token });
    await acme.expectsLines('2025-06-16', 'Calls 0.30');
    await on('2025-07-01', () => acme.expectsLines('2025-07-01', 'Calls 0.80'));
  });

  story('for two more seats holds with calls since, whose period goes on: 15 calls are 1.50 on 1 July', async ({ on, acme }) => {
    const team = planOfFeatures('team', { seats: { price: perUnit('10', { unit_count: '1' }) }, calls: { price: metered('0.10') } });
    await on('2025-06-01', () => acme.signs(team));
    await on('2025-06-16 00:00', () => acme.uses('calls', '10', '2025-06-10'));
    const { estimate_token } = await acme.contract.estimatesUnits({ seats: '3' });
    await acme.uses('calls', '5', '2025-06-16 00:30');
    await acme.changesUnits({ seats: '3' }, { estimate_token });
    await acme.expectsLines('2025-06-16', 'Seats -5.00', 'Seats 15.00');
    await on('2025-07-01', () => acme.expectsLines('2025-07-01', 'Calls 1.50', 'Seats 30.00'));
  });

  story('holds with 7 calls reported since for the period after: 1.40 on 1 August', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(calls('basic', '0.10')));
    await on('2025-06-30 23:50');
    const { estimate_token } = await acme.contract.estimatesChangeTo(calls('max', '0.20'), changed);
    await acme.uses('calls', '7', '2025-07-01 00:10');
    await acme.changesTo(calls('max', '0.20'), { ...changed, estimate_token });
    await on('2025-08-01', () => acme.expectsLines('2025-08-01', 'Calls 1.40'));
  });

  story('ends with usage of a later instant that the new plan has no price for', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(calls('basic', '0.10')));
    await on('2025-06-16 00:00');
    const { estimate_token } = await acme.contract.estimatesChangeTo(at('max', '300'), changed);
    await acme.uses('calls', '5', '2025-06-16 00:30');
    await refused(409, acme.changesTo(at('max', '300'), { ...changed, estimate_token }), 'estimate_outdated');
  });
});

describe('usage at an immediate change', () => {
  story('30 calls before and 20 after 16 June are each billed once: 3.00 at the change, 4.00 on 1 July', async ({ on, acme }) => {
    const calls = (slug: string, amount: string, price: string) => plan(slug, amount, { features: { calls: { price: metered(price) } } });
    await on('2025-06-01', () => acme.signs(calls('basic', '100', '0.10')));
    await on('2025-06-10', () => acme.uses('calls', '30'));
    await on('2025-06-16');
    const estimate = await acme.contract.estimatesChangeTo(calls('max', '300', '0.20'));
    expect(estimate.upgrade_cost_breakdown).toMatchObject({ usage_old_contract: '3.00', total: '103.00' });
    expect(estimate.remains_to_pay_current_contract.map((hit: AnyJson) => hit.invoice.total)).toEqual(['3.00']);
    await acme.changesTo(calls('max', '300', '0.20'));
    await acme.expectsLines('2025-06-16', 'Calls 3.00', 'Basic -50.00', 'Max 150.00');
    await on('2025-06-20', () => acme.uses('calls', '20'));
    await refused(409, acme.uses('calls', '1', '2025-06-15'), 'period_closed');
    await on('2025-07-01', () => acme.expectsLines('2025-07-01', 'Calls 4.00', 'Max 300.00'));
  });

  story('the new plan pro-rates its minimum too: 100 calls at 0.10 and 6.00 from 16 June are 8.00 on 1 July', async ({ on, acme }) => {
    const least = metered('0.10', { minimum_units: '100', flat_fee: '6.00' });
    await on('2025-06-01', () => acme.signs(plan('basic', '100')));
    await on('2025-06-16', () => acme.changesTo(plan('max', '300', { features: { calls: { price: least } } })));
    await on('2025-07-01', () => acme.expectsLines('2025-07-01', 'Calls 8.00', 'Max 300.00'));
    await on('2025-08-01', () => acme.expectsLines('2025-08-01', 'Calls 16.00', 'Max 300.00'));
  });

  story(
    'a stub pro-rates the minimum and the fee, not the packs: 5 calls in packs of 10 at 0.10 of at least 100 are 8.00',
    async ({ on, acme }) => {
      const least = metered('0.10', { minimum_units: '100', flat_fee: '6.00', batch_size: 10 });
      await on('2025-06-16', () => acme.signs(planOfFeatures('calls', { calls: { price: least } }), { cycle_start_offset: 0 }));
      await on('2025-06-20', () => acme.uses('calls', '5'));
      await on('2025-07-01', () => acme.expectsInvoices('8.00'));
    },
  );

  story('a minimum of 100 calls at 0.10 and a fee of 6.00 are halved at half of the month: 5.00 and 3.00', async ({ on, acme }) => {
    const least = metered('0.10', { minimum_units: '100', flat_fee: '6.00' });
    const basic = plan('basic', '100', { features: { calls: { price: least } } });
    await on('2025-06-01', () => acme.signs(basic));
    await on('2025-06-10', () => acme.uses('calls', '20'));
    await on('2025-06-16', () => acme.changesTo(plan('max', '300')));
    await acme.expectsLines('2025-06-16', 'Calls 8.00', 'Basic -50.00', 'Max 150.00');
  });
});
