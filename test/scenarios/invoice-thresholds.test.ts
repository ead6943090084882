import type { AnyJson } from '../support/api.ts';
import { metered, type PriceSpec, perUnit, plan, planOfFeatures, refused, story, tieredUsage } from '../support/story.ts';
import type { StoryCustomer } from '../support/story-customer.ts';

const calls = (price: PriceSpec, amount?: string, slug = 'pro') =>
  amount === undefined ? planOfFeatures(slug, { calls: { price } }) : plan(slug, amount, { features: { calls: { price } } });
const at = (invoice_threshold: string | null) => ({ invoice_threshold });
const reports = (acme: StoryCustomer, ...units: string[]) =>
  units.reduce<Promise<unknown>>((before, one) => before.then(() => acme.uses('calls', one)), Promise.resolve());

describe('an invoice threshold', () => {
  story('0.0002 a unit, 200.00, fee 31.00: 200.00 on day 5, 200.00 on day 15, 31.00 at the end', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(calls(metered('0.0002', { flat_fee: '31.00' })), at('200.00')));
    await on('2025-01-05', () => acme.uses('calls', '1000000'));
    await acme.expectsInvoices('2025-01-05 200.00');
    await on('2025-01-15', () => acme.uses('calls', '1000000'));
    await on('2025-02-01', () => acme.expectsInvoices('2025-01-05 200.00', '2025-01-15 200.00', '2025-02-01 31.00'));
  });

  story('254.00 used as 100 + 100 + 54, 100.00: 100.00, 100.00 and 54.00', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(calls(metered('1')), at('100.00')));
    await on('2025-01-05', () => reports(acme, '100', '100', '54'));
    await acme.expectsInvoices('100.00', '100.00');
    await on('2025-02-01', () => acme.expectsInvoices('100.00', '100.00', '54.00'));
  });

  story('one event worth ten thresholds makes one invoice, and the period’s end none', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(calls(metered('1')), at('100.00')));
    await on('2025-01-05', () => acme.uses('calls', '1000'));
    await on('2025-02-02', () => acme.expectsInvoices('2025-01-05 1000.00'));
  });

  story('graduated tiers and tax on top: parts of 33.33 add up to the one invoice, without and with tax', async ({ on, acme, vendor }) => {
    await vendor.setsTaxes({ policy: 'tax_excluded', rates: [{ tax_code: null, country: null, state: null, rate: '0.19' }] });
    const tiers = tieredUsage('graduated', [
      { up_to: '100', unit_price: '0.3333' },
      { up_to: null, unit_price: '0.1111', flat_fee: '5' },
    ]);
    await on('2025-01-01', () => acme.signs(calls(tiers), at('33.33')));
    await on('2025-01-05', () => acme.uses('calls', '100'));
    await on('2025-01-06', () => acme.uses('calls', '256'));
    await on('2025-01-07', () => acme.uses('calls', '1'));
    await on('2025-02-01');
    const lines = (await acme.invoices()).flatMap(({ invoice_items }) => invoice_items);
    expect(lines.map(({ total_excluding_tax, tax_amount, unit_count }) => [unit_count, total_excluding_tax, tax_amount])).toEqual([
      ['100', '33.33', '6.33'],
      ['256', '33.44', '6.36'],
      ['1', '0.11', '0.02'],
    ]);
  });

  story('an event that is taken back after it was invoiced goes to the wallet when the period closes', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(calls(metered('1')), at('100.00')));
    const event = await on('2025-01-05', () => acme.uses('calls', '120'));
    await on('2025-01-06', () => acme.pays());
    await acme.discards(event);
    await acme.uses('calls', '30');
    await on('2025-02-01', () => acme.expectsInvoices('2025-01-05 120.00', '2025-02-01 0.00'));
    await acme.expectsWallet('90.00');
  });

  story('an amendment that reaches it makes the invoice', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(calls(metered('1')), at('100.00')));
    const event = await on('2025-01-05', () => acme.uses('calls', '10'));
    await on('2025-01-06', () => acme.amends(event, '110'));
    await on('2025-02-02', () => acme.expectsInvoices('2025-01-06 110.00'));
  });

  story('a correction of the closed period counts from what all parts have charged', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(calls(metered('1'), '30'), at('100.00')));
    await on('2025-01-05', () => acme.uses('calls', '100'));
    await on('2025-01-06', () => acme.uses('calls', '20'));
    await on('2025-02-01', () => acme.expectsLines('2025-02-01', 'Calls 20.00', 'Pro 30.00'));
    await on('2025-02-02', () => acme.uses('calls', '5', '2025-01-20', { allow_correction: true }));
    await on('2025-03-01', () => acme.expectsLines('2025-03-01', 'Correction 5.00', 'Pro 30.00', 'Calls 0.00'));
  });

  story('a seat more in the middle of the month: the sum goes on, what was invoiced before it counts', async ({ on, acme }) => {
    const withSeats = plan('pro', '1', { features: { seats: { price: perUnit('5') }, calls: { price: metered('1') } } });
    await on('2025-06-01', () => acme.signs(withSeats, at('100.00')));
    await on('2025-06-10', () => acme.uses('calls', '110'));
    await on('2025-06-16', () => acme.changesUnits({ seats: '2' }));
    await on('2025-06-17', () => acme.uses('calls', '50'));
    await on('2025-06-20', () => acme.uses('calls', '50'));
    await acme.expectsLines('2025-06-10', 'Calls 110.00');
    await acme.expectsLines('2025-06-20', 'Calls 100.00');
    await acme.uses('calls', '7');
    await on('2025-07-01', () => acme.expectsLines('2025-07-01', 'Calls 7.00', 'Seats 10.00', 'Pro 1.00'));
    await on('2025-07-02', () => acme.uses('calls', '3', '2025-06-30', { allow_correction: true }));
    await on('2025-08-01', () => acme.expectsLines('2025-08-01', 'Correction 3.00', 'Seats 10.00', 'Pro 1.00', 'Calls 0.00'));
  });

  story('another plan in the middle of the month: the old part’s rest with the change, the new part from there', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(calls(metered('0.02'), '30'), at('10.00')));
    await on('2025-06-10', () => acme.uses('calls', '600'));
    await on('2025-06-12', () => acme.uses('calls', '400'));
    await acme.expectsLines('2025-06-10', 'Calls 12.00');
    const tiers = tieredUsage('graduated', [
      { up_to: '1500', unit_price: '0.01' },
      { up_to: null, unit_price: '0.005' },
    ]);
    await on('2025-06-16', () => acme.changesTo(calls(tiers, '60', 'max')));
    await acme.expectsLines('2025-06-16', 'Calls 8.00', '-15.00', '30.00');
    await on('2025-06-20', () => acme.uses('calls', '1000'));
    await on('2025-06-21', () => acme.uses('calls', '500'));
    await acme.expectsLines('2025-06-21', 'Calls 10.00');
    await on('2025-07-01', () => acme.expectsLines('2025-07-01', 'Calls 0.00', 'Max 60.00'));
  });

  story('a cancellation now charges what is left', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(calls(metered('1')), at('100.00')));
    await on('2025-06-10', () => acme.uses('calls', '130'));
    await on('2025-06-12', () => acme.uses('calls', '40'));
    await on('2025-06-16', () => acme.contract.cancels('now'));
    await acme.expectsInvoices('2025-06-10 130.00', '2025-06-16 40.00');
  });

  story('a free trial brings none; the first period does', async ({ on, acme }) => {
    const trial = planOfFeatures('pro', { calls: { price: metered('1') } }, { trialDays: 14 });
    await on('2025-06-01', () => acme.signs(trial, at('100.00')));
    await on('2025-06-10', () => acme.uses('calls', '500'));
    await on('2025-06-20', () => acme.uses('calls', '100'));
    await acme.expectsLines('2025-06-20', 'Calls 100.00');
  });

  story('a price that is free for its first cycle brings none in it', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(calls({ ...metered('1'), free_cycles: 1 }), at('100.00')));
    await on('2025-06-10', () => acme.uses('calls', '500'));
    await on('2025-07-10', () => acme.uses('calls', '100'));
    await acme.expectsLines('2025-06-10');
    await acme.expectsLines('2025-07-10', 'Calls 100.00');
  });

  story('usage closes a day late: what comes in that day counts, and the closing charges the rest', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(calls(metered('1')), { ...at('100.00'), usage_period_closing_policy: '1 day' }));
    await on('2025-06-30', () => acme.uses('calls', '60'));
    await on('2025-07-01T06:00:00Z', () => acme.uses('calls', '50', '2025-06-30T12:00:00Z'));
    await acme.expectsLines('2025-07-01T06:00:00Z', 'Calls 110.00');
    await acme.uses('calls', '5', '2025-06-30T12:00:00Z');
    await on('2025-07-02', () => acme.expectsLines('2025-07-02', 'Calls 5.00'));
  });

  story('minimum and fee wait for the end; a percentage off is off the plan alone', async ({ on, acme }) => {
    const half = { slug: 'half', discount_type: 'percentage', amount: '50', duration: 12 } as const;
    await on('2025-06-01', () =>
      acme.signs(calls(metered('1', { minimum_units: '150', flat_fee: '8' }), '30'), { ...at('100.00'), discount: half }),
    );
    await on('2025-06-10', () => acme.uses('calls', '100'));
    await acme.expectsLines('2025-06-10', 'Calls 100.00');
    await on('2025-07-01', () => acme.expectsLines('2025-07-01', 'Calls 58.00', 'Pro 15.00'));
  });

  story('a freeze lets nothing be reported, and what was open before goes on after it', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(calls(metered('1')), at('100.00')));
    await on('2025-06-10', () => acme.uses('calls', '60'));
    await on('2025-06-11', () => acme.freezes());
    await on('2025-06-21', () => acme.unfreezes());
    await acme.uses('calls', '60');
    await acme.expectsInvoices('2025-06-21 120.00');
    await on('2025-07-11', () => acme.expectsInvoices('2025-06-21 120.00'));
  });

  story('under trigger manual the items wait for the call', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(calls(metered('1')), { ...at('100.00'), invoice_trigger: 'manual' }));
    await on('2025-06-10', () => acme.uses('calls', '110'));
    await acme.expectsInvoices();
    await acme.contract.makesInvoice();
    await acme.expectsInvoices('110.00');
    await acme.uses('calls', '10');
    await on('2025-07-01', () => acme.contract.makesInvoice());
    await acme.expectsInvoices('110.00', '10.00');
  });

  story('credits pay each part by the date of its usage, and the period in parts as they would in one', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(calls(metered('1')), at('100.00')));
    const grant = { customer: await acme.id(), currency: 'usd', amount: '200', kind: 'promotional', expires_at: '2025-06-16T00:00:00Z' };
    await acme.vendor.api.post('/v1/c/credit_grant', grant);
    await on('2025-06-10', () => acme.uses('calls', '110'));
    await on('2025-06-15', () => acme.uses('calls', '60'));
    await on('2025-06-20', () => acme.uses('calls', '90'));
    const due = (await acme.invoices()).map(({ invoice, amount_due }) => [invoice.total, amount_due]);
    expect(due).toEqual([
      ['110.00', '0.00'],
      ['150.00', '90.00'],
    ]);
    await on('2025-07-01');
  });
});

describe('where a threshold holds', () => {
  story('the contract’s, else the customer’s, else the vendor’s; null on the contract turns it off', async ({ on, acme, vendor }) => {
    await vendor.sets('invoicing', { invoice_threshold: '500.00' });
    const configuration = async (terms: AnyJson, slug: string) => {
      const contract = await acme.signs(plan(slug, '1'), terms);
      const { invoice_threshold, invoice_threshold_from } = (await contract.read()).contract_summary.configuration;
      return [invoice_threshold, invoice_threshold_from];
    };
    await on('2025-01-01', async () => expect(await configuration({}, 'a')).toEqual(['500.00', 'vendor']));
    expect(await configuration(at('20.00'), 'b')).toEqual(['20.00', 'contract']);
    expect(await configuration(at(null), 'c')).toEqual([null, null]);
    await vendor.api.post('/v1/c/customer', { id: await acme.id(), configuration: { invoice_threshold: '70.00' } });
    expect(await configuration({}, 'd')).toEqual(['70.00', 'customer']);
    await vendor.sets('invoicing', { invoice_threshold: null });
    await vendor.api.post('/v1/c/customer', { id: await acme.id(), configuration: {} });
    expect(await configuration({}, 'e')).toEqual([null, null]);
  });

  story('volume tiers and all_usage_overcharge are refused, at signing and with a change', async ({ on, acme }) => {
    const volume = calls(tieredUsage('volume', [{ up_to: null, unit_price: '1' }]), '1', 'volume');
    const everything = calls(metered('1', { maximum_units: '10', over_usage_charge_strategy: 'all_usage_overcharge' }), '1', 'all');
    await on('2025-01-01', () => refused(400, acme.signs(volume, at('100.00')), 'invalid_request'));
    await refused(400, acme.signs(everything, at('100.00')), 'invalid_request');
    await refused(400, acme.signs(calls(metered('1')), at('0')), 'invalid_request');
    await refused(400, acme.signs(calls(metered('1')), at('1.005')), 'invalid_request');
    await acme.signs(calls(metered('1')), at('100.00'));
    await refused(400, acme.changesTo(volume), 'invalid_request');
  });
});
