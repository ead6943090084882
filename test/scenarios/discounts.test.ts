import { discount, flat, metered, perUnit, plan, planOfFeatures, story } from '../support/story.ts';

describe('a discount', () => {
  story('of 10 % for 3 cycles runs out: 90.00, 90.00, 90.00, 100.00', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(plan('pro', '100'), { discount: discount('spring', 'percentage', '10', 3) }));
    const [line] = await acme.linesOf('2025-01-01');
    expect(line).toMatchObject({
      subtotal: '100.00',
      discount_amount: '10.00',
      total_excluding_tax: '90.00',
      total_including_tax: '90.00',
    });
    expect((await acme.contract.read()).discount).toMatchObject({ slug: 'spring', discount_type: 'percentage', amount: '10', duration: 3 });
    await on('2025-04-01', () => acme.expectsInvoices('90.00', '90.00', '90.00', '100.00'));
  });

  story('of 30.00 flat for 2 cycles is spread 20.00 and 10.00 over lines of 100 and 50', async ({ on, acme }) => {
    const pro = plan('pro', '100', { features: { support: { price: flat('50') } } });
    await on('2025-01-01', () => acme.signs(pro, { discount: discount('welcome', 'flat', '30', 2) }));
    await acme.expectsLines('2025-01-01', 'Pro 80.00', 'Support 40.00');
    await on('2025-03-01', () => acme.expectsInvoices('120.00', '120.00', '150.00'));
  });

  story('of 10.00 flat over three lines of 10.00 loses no cent: 6.66, 6.67, 6.67', async ({ on, acme }) => {
    const three = planOfFeatures('three', { a: { price: flat('10') }, b: { price: flat('10') }, c: { price: flat('10') } });
    await on('2025-01-01', () => acme.signs(three, { discount: discount('ten', 'flat', '10', 1) }));
    await acme.expectsLines('2025-01-01', '6.66', '6.67', '6.67');
    await acme.expectsInvoices('20.00');
  });

  story('of 30.00 on a plan of 20 never goes below zero: 0.00, paid at once', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(plan('mini', '20'), { discount: discount('welcome', 'flat', '30', 1) }));
    await acme.expectsInvoices('0.00');
    expect((await acme.invoices()).map(({ invoice }) => invoice.status)).toEqual(['paid']);
  });

  story('leaves usage, set-up and monthly extras alone: 50 % of 100 only', async ({ on, acme }) => {
    const pro = plan('pro', '100', {
      features: {
        calls: { price: metered('0.10', { flat_fee: '4' }) },
        setup: { price: flat('30'), trigger: 'first_cycle' },
        backup: { price: flat('8'), trigger: 'month' },
      },
    });
    await on('2025-01-01', () => acme.signs(pro, { discount: discount('half', 'percentage', '50', 12) }));
    await acme.expectsLines('2025-01-01', 'Pro 50.00', 'Setup 30.00', 'Backup 8.00');
    await on('2025-01-10', () => acme.uses('calls', '100'));
    await on('2025-02-01', () => acme.expectsLines('2025-02-01', 'Calls 14.00', 'Pro 50.00', 'Backup 8.00'));
  });

  story(
    'is credited as it was charged and goes on with the new plan: -45.00 of 90.00, +135.00 of 270.00, then 270.00, 300.00',
    async ({ on, acme }) => {
      await on('2025-06-01', () => acme.signs(plan('pro', '100'), { discount: discount('spring', 'percentage', '10', 2) }));
      await on('2025-06-16', () => acme.changesTo(plan('max', '300')));
      await acme.expectsLines('2025-06-16', 'Pro -45.00', 'Max 135.00');
      await on('2025-08-01', () => acme.expectsInvoices('90.00', '90.00', '270.00', '300.00'));
    },
  );

  story(
    'given with a change replaces the old one and starts at its own first cycle: 75.00 of 150.00, 150.00, 300.00',
    async ({ on, acme, vendor }) => {
      await on('2025-06-01', () => acme.signs(plan('pro', '100'), { discount: discount('spring', 'percentage', '10', 12) }));
      const discount_id = await vendor.discountId(discount('half', 'percentage', '50', 2));
      await on('2025-06-16', () => acme.changesTo(plan('max', '300'), { discount_id }));
      await acme.expectsLines('2025-06-16', 'Pro -45.00', 'Max 75.00');
      await on('2025-08-01', () => acme.expectsInvoices('90.00', '30.00', '150.00', '300.00'));
    },
  );

  story(
    'and tax show in the charge estimate: 3 seats at 10 with 10 % off and 20 % on top are 30.00 before and 32.40 in the end',
    async ({ on, vendor }) => {
      const buyer = vendor.customer('Wien', { addresses: { main: { line_1: 'Ring 1', city: 'Wien', zip: '1010', country: 'AT' } } });
      await vendor.setsTaxes({ rates: [{ country: 'AT', rate: '0.20' }], policy: 'tax_excluded' });
      const team = planOfFeatures('team', { seats: { price: perUnit('10', { unit_count: '3' }) } });
      await on('2025-01-01', () => buyer.signs(team, { discount: discount('ten', 'percentage', '10', 12) }));
      const [seats] = (await buyer.contract.read()).plan.features;
      expect(seats?.price?.total_charge_estimate).toEqual({ subtotal: '30.00', total: '32.40' });
      await buyer.expectsInvoices('32.40');
    },
  );

  story(
    'of 20.00 flat shows in the charge estimates as the invoice takes it off: 15.00 of the plan, 5.00 of the seats',
    async ({ on, acme }) => {
      const team = plan('team', '150', { features: { seats: { price: perUnit('10', { unit_count: '5' }) } } });
      await on('2025-01-01', () => acme.signs(team, { discount: discount('twenty', 'flat', '20', 12) }));
      const { price, features } = (await acme.contract.read()).plan;
      expect(price?.total_charge_estimate).toEqual({ subtotal: '150.00', total: '135.00' });
      expect(features[0]?.price?.total_charge_estimate).toEqual({ subtotal: '50.00', total: '45.00' });
      await acme.expectsLines('2025-01-01', 'Team 135.00', 'Seats 45.00');
    },
  );

  story('is pro-rated with its stub and counts it as a cycle: 45.00, 90.00, 100.00', async ({ on, acme }) => {
    const terms = { cycle_start_offset: 0, discount: discount('spring', 'percentage', '10', 2) };
    await on('2025-06-16', () => acme.signs(plan('pro', '100'), terms));
    await on('2025-08-01', () => acme.expectsInvoices('45.00', '90.00', '100.00'));
  });
});

describe('free cycles', () => {
  story('two of a contract make the plan 0.00 but not the 10 calls: 0.00, 1.00, 100.00', async ({ on, acme }) => {
    const pro = plan('pro', '100', { features: { calls: { price: metered('0.10') } } });
    await on('2025-01-01', () => acme.signs(pro, { free_cycles: 2 }));
    await acme.expectsLines('2025-01-01', 'Pro 0.00');
    await on('2025-01-10', () => acme.uses('calls', '10'));
    await on('2025-03-01', () => acme.expectsInvoices('0.00', '1.00', '100.00'));
    await acme.expectsLines('2025-02-01', 'Calls 1.00', 'Pro 0.00');
    expect((await acme.contract.read()).contract_summary.free_cycles).toBe(2);
  });

  story('one of a price frees that price alone: 20.00, then 50.00 with 3 seats at 10', async ({ on, acme }) => {
    const team = plan('team', '20', { features: { seats: { price: { ...perUnit('10'), free_cycles: 1 } } } });
    await on('2025-01-01', () => acme.signs(team, { unit_count_configuration: { seats: '3' } }));
    await on('2025-02-01', () => acme.expectsInvoices('20.00', '50.00'));
  });

  story(
    'used ones count along a change: free in January, 100 to 300 on 16 January costs nothing, 300.00 in February',
    async ({ on, acme }) => {
      await on('2025-01-01', () => acme.signs(plan('pro', '100'), { free_cycles: 1 }));
      await on('2025-01-16', () => acme.changesTo(plan('max', '300')));
      await acme.expectsInvoices('0.00', '0.00');
      await on('2025-02-01', () => acme.expectsInvoices('0.00', '0.00', '300.00'));
    },
  );
});
