import { metered, plan, planOfFeatures, refused, story } from '../support/story.ts';

const calls = planOfFeatures('calls', { calls: { price: metered('0.10') } });

describe('a usage period closes by its policy', () => {
  story('automatic: at the boundary itself, on one invoice with the next cycle; a late call is a 409', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(plan('pro', '29', { features: { calls: { price: metered('0.10') } } })));
    await on('2025-01-20', () => acme.uses('calls', '10'));
    await on('2025-02-01', () => acme.expectsInvoices('2025-01-01 29.00', '2025-02-01 30.00'));
    await acme.expectsLines('2025-02-01', 'Calls 1.00', 'Pro 29.00');
    await refused(409, acme.uses('calls', '5', '2025-01-31'), 'period_closed');
  });

  const delayed = [
    { policy: '15 minutes', inside: '2025-02-01 00:10', closes: '2025-02-01 00:15' },
    { policy: '1 hour', inside: '2025-02-01 00:55', closes: '2025-02-01 01:00' },
    { policy: '1 day', inside: '2025-02-01 23:00', closes: '2025-02-02' },
  ] as const;
  for (const { policy, inside, closes } of delayed) {
    story(`${policy}: 5 calls late at ${inside} still count in January, 1.50 at ${closes}, then 409`, async ({ on, acme }) => {
      await on('2025-01-01', () => acme.signs(calls, { usage_period_closing_policy: policy }));
      await on('2025-01-20', () => acme.uses('calls', '10'));
      await on(inside, () => acme.uses('calls', '5', '2025-01-31 23:59'));
      await acme.uses('calls', '7');
      await acme.expectsInvoices();
      await on(closes, () => acme.expectsInvoices(`${closes} 1.50`));
      await refused(409, acme.uses('calls', '1', '2025-01-31'), 'period_closed');
      await on('2025-03-05', async () => {
        const [, second] = await acme.invoices();
        expect(second?.invoice.total).toBe('0.70');
      });
    });
  }

  story('manual: January and February wait side by side, closed by hand for 1.50 and 0.20', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(calls, { usage_period_closing_policy: 'manual' }));
    await on('2025-01-20', () => acme.uses('calls', '10'));
    await on('2025-02-20', () => acme.uses('calls', '2'));
    await on('2025-03-10', () => acme.uses('calls', '5', '2025-01-31'));
    await acme.expectsInvoices();
    const periods = await acme.contract.usagePeriods();
    expect(periods.map(({ idx, status }) => [idx, status])).toEqual([
      [1, 'closing'],
      [2, 'closing'],
      [3, 'open'],
    ]);
    expect(periods[0]?.features).toEqual([expect.objectContaining({ feature_slug: 'calls', units_used: '15', amount: '1.50' })]);
    await acme.contract.closesUsage(1);
    await acme.expectsInvoices('2025-03-10 1.50');
    await refused(409, acme.uses('calls', '1', '2025-01-31'), 'period_closed');
    await on('2025-03-11', () => acme.contract.closesUsage(2));
    await acme.expectsInvoices('1.50', '0.20');
  });

  story(
    'closed by hand on 10 January, then frozen until 10 February: until 4 March nothing opens again, an event is a correction',
    async ({ on, acme }) => {
      await on('2025-01-01', () => acme.signs(plan('pro', '29', { features: { calls: { price: metered('0.10') } } })));
      await acme.uses('calls', '10');
      await on('2025-01-10', () => acme.contract.closesUsage(1));
      await on('2025-01-10', () => acme.freezes());
      await on('2025-02-10', () => acme.unfreezes());
      await on('2025-02-20', async () => {
        await refused(409, acme.uses('calls', '5'), 'period_closed');
        await acme.uses('calls', '5', undefined, { allow_correction: true });
      });
      const periods = await acme.contract.usagePeriods();
      expect(periods.map(({ idx, status, end }) => [idx, status, end])).toEqual([[1, 'closed', '2025-03-04T00:00:00.000Z']]);
      await on('2025-03-05', () => acme.expectsInvoices('2025-01-01 29.00', '2025-01-10 1.00', '2025-03-04 29.50'));
    },
  );

  story('closed early by hand within a delay of a day: 1.00 at 03:00 and nothing again at midnight', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(calls, { usage_period_closing_policy: '1 day' }));
    await on('2025-01-20', () => acme.uses('calls', '10'));
    await on('2025-02-01 03:00', () => acme.contract.closesUsage(1));
    await on('2025-02-03', () => acme.expectsInvoices('2025-02-01 03:00 1.00'));
  });

  story('hourly periods wait side by side under a delay of a day: 0.10 and 0.20 an hour apart', async ({ on, acme }) => {
    const hourly = planOfFeatures('calls', { calls: { price: metered('0.10') } }, { cycle: 'hour' });
    await on('2025-01-01 00:00', () => acme.signs(hourly, { usage_period_closing_policy: '1 day' }));
    await on('2025-01-01 00:30', () => acme.uses('calls', '1'));
    await on('2025-01-01 01:30', () => acme.uses('calls', '2'));
    await on('2025-01-01 05:00', () => acme.expectsInvoices());
    await on('2025-01-02 02:00', () => acme.expectsInvoices('2025-01-02 01:00 0.10', '2025-01-02 02:00 0.20'));
  });

  story(
    'a deferred change leaves the last period its day: 10 calls of January and 5 late ones cost 1.50 on 2 February, 4 of the new plan 0.80',
    async ({ on, acme }) => {
      const paid = (slug: string, amount: string, call: string) => plan(slug, amount, { features: { calls: { price: metered(call) } } });
      await on('2025-01-01', () => acme.signs(paid('pro', '100', '0.10'), { usage_period_closing_policy: '1 day' }));
      await on('2025-01-20', () => acme.uses('calls', '10'));
      await acme.changesTo(paid('basic', '40', '0.20'));
      await on('2025-02-01 12:00', () => acme.uses('calls', '5', '2025-01-31 23:00'));
      await acme.uses('calls', '4');
      await on('2025-03-02', () =>
        acme.expectsInvoices('2025-01-01 100.00', '2025-02-01 40.00', '2025-02-02 1.50', '2025-03-01 40.00', '2025-03-02 0.80'),
      );
    },
  );

  story(
    'an immediate change leaves what waits to its policy, manual: January 1.00, half of February 0.30 with a call reported later',
    async ({ on, acme }) => {
      const paid = (slug: string, amount: string, call: string) => plan(slug, amount, { features: { calls: { price: metered(call) } } });
      await on('2025-01-01', () => acme.signs(paid('pro', '28', '0.10'), { usage_period_closing_policy: 'manual' }));
      const { contract } = acme;
      await on('2025-01-20', () => acme.uses('calls', '10'));
      await on('2025-02-10', () => acme.uses('calls', '2'));
      await on('2025-02-15', async () => {
        const { remains_to_pay_current_contract: owed, upgrade_cost_breakdown } = await contract.estimatesChangeTo(
          paid('max', '56', '0.20'),
        );
        expect(owed.map(({ invoice }) => invoice.total)).toEqual(['1.20']);
        expect(upgrade_cost_breakdown).toMatchObject({ usage_old_contract: '1.20', total: '14.00' });
      });
      const old = acme.contract.id;
      await acme.changesTo(paid('max', '56', '0.20'));
      await acme.expectsLines('2025-02-15', 'Pro -14.00', 'Max 28.00');
      await acme.uses('calls', '1', '2025-02-14');
      await on('2025-02-16', () => acme.contract.closesUsage(2, old));
      await acme.expectsLines('2025-02-16', 'Calls 0.30');
      await refused(409, acme.uses('calls', '1', '2025-02-14'), 'period_closed');
      await on('2025-02-17', () => acme.contract.closesUsage(1, old));
      await acme.expectsLines('2025-02-17', 'Calls 1.00');
    },
  );

  story('a one-time contract closes its usage when it is closed by hand: 30 calls cost 3.00', async ({ on, acme }) => {
    const once = planOfFeatures('event', { calls: { price: metered('0.10') } }, { cycle: 'once' });
    await on('2025-01-01', () => acme.signs(once));
    await on('2025-03-20', () => acme.uses('calls', '30'));
    await on('2025-06-01', () => acme.expectsInvoices());
    await acme.contract.closesUsage(1);
    await acme.expectsInvoices('2025-06-01 3.00');
  });
});

describe('after the close', () => {
  const once = planOfFeatures('event', { calls: { price: metered('0.10') } }, { cycle: 'once' });

  story('of a one-time contract, of which no invoice is to come: 5 calls of later are 0.50 at once', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(once));
    await on('2025-03-20', () => acme.uses('calls', '30'));
    await on('2025-06-01', () => acme.contract.closesUsage(1));
    await on('2025-06-05', () => acme.uses('calls', '5', undefined, { allow_correction: true }));
    await acme.expectsInvoices('2025-06-01 3.00', '2025-06-05 0.50');
  });

  story('of a month before a change to a plan without prices: 0.50 at once, and 0.30 of them come back at once', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(calls));
    await on('2025-02-10', () => acme.changesTo(planOfFeatures('free', { sso: {} })));
    const late = await on('2025-02-12', () => acme.uses('calls', '5', '2025-01-31', { allow_correction: true }));
    await acme.expectsInvoices('2025-02-12 0.50');
    await on('2025-02-13', () => acme.amends(late, '2'));
    await acme.expectsLines('2025-02-13', 'Correction: Calls -0.30', 'wallet 0.30');
  });

  story('a late event allowed to correct makes a line of 0.50 on the next invoice', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(calls));
    await on('2025-01-20', () => acme.uses('calls', '10'));
    await on('2025-02-10', () => acme.uses('calls', '5', '2025-01-31', { allow_correction: true }));
    await on('2025-02-15', () => acme.uses('calls', '20'));
    await on('2025-03-01', () => acme.expectsInvoices('2025-02-01 1.00', '2025-03-01 2.50'));
    await acme.expectsLines('2025-03-01', 'Calls 0.50', 'Calls 2.00');
  });

  story('an amendment from 10 to 4 calls gives 0.60 back, a discarded event of 3 gives 0.30', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(calls));
    const [first, second] = [await acme.uses('calls', '10', '2025-01-01'), await acme.uses('calls', '3', '2025-01-01')];
    await on('2025-02-10', () => acme.expectsInvoices('2025-02-01 1.30'));
    await acme.amends(first, '4');
    await acme.discards(second);
    await on('2025-02-15', () => acme.uses('calls', '20'));
    await on('2025-03-01', () => acme.expectsInvoices('2025-02-01 1.30', '2025-03-01 1.10'));
  });

  story(
    'of a contract that was changed since: the difference of 0.50 is on the next invoice of the one it was changed into',
    async ({ on, acme }) => {
      const premium = planOfFeatures('premium', { calls: { price: metered('0.20') } });
      await on('2025-01-01', () => acme.signs(calls));
      await on('2025-01-20', () => acme.uses('calls', '10'));
      await on('2025-02-05', () => acme.uses('calls', '2'));
      await on('2025-02-10', () => acme.changesTo(premium));
      await on('2025-02-12', () => acme.uses('calls', '5', '2025-01-31', { allow_correction: true }));
      await on('2025-02-15', () => acme.uses('calls', '20'));
      await on('2025-02-28', () => acme.expectsInvoices('2025-02-01 1.00', '2025-02-10 0.20'));
      await on('2025-03-01', () => acme.expectsInvoices('2025-02-01 1.00', '2025-02-10 0.20', '2025-03-01 4.50'));
      await acme.expectsLines('2025-03-01', 'Correction: Calls 0.50', 'Calls 4.00');
    },
  );

  story('of a chain that has ended since: an invoice of 0.50 of its own, at once', async ({ on, acme }) => {
    const premium = planOfFeatures('premium', { calls: { price: metered('0.20') } });
    await on('2025-01-01', () => acme.signs(calls));
    await on('2025-01-20', () => acme.uses('calls', '10'));
    await on('2025-02-10', () => acme.changesTo(premium));
    await on('2025-02-12', () => acme.cancels('now'));
    await on('2025-02-13', () => acme.uses('calls', '5', '2025-01-31', { allow_correction: true }));
    await on('2025-02-14', () => acme.expectsInvoices('2025-02-01 1.00', '2025-02-13 0.50'));
  });

  story(
    'of a chain that has ended while its last period waits to be closed by hand: at once too, and it goes on waiting',
    async ({ on, acme }) => {
      await on('2025-01-01', () => acme.signs(calls, { usage_period_closing_policy: 'manual' }));
      await on('2025-01-20', () => acme.uses('calls', '10'));
      await on('2025-02-01', () => acme.contract.closesUsage(1));
      await on('2025-02-10', () => acme.uses('calls', '3'));
      await on('2025-02-12', () => acme.cancels('now'));
      await on('2025-02-13', () => acme.uses('calls', '5', '2025-01-31', { allow_correction: true }));
      await acme.expectsInvoices('2025-02-01 1.00', '2025-02-13 0.50');
      await on('2025-02-14', () => acme.contract.closesUsage(2));
      await acme.expectsInvoices('2025-02-01 1.00', '2025-02-13 0.50', '2025-02-14 0.30');
    },
  );

  story(
    'in packs of 100 at 0.01 a correction costs only when a new pack begins: 0.00 for the 100th, 1.00 for the 101st',
    async ({ on, acme }) => {
      const packs = planOfFeatures('packs', { calls: { price: metered('0.01', { batch_size: 100 }) } });
      await on('2025-01-01', () => acme.signs(packs));
      await on('2025-01-20', () => acme.uses('calls', '99'));
      await on('2025-02-10', () => acme.uses('calls', '1', '2025-01-31', { allow_correction: true }));
      await on('2025-03-01', () => acme.expectsInvoices('2025-02-01 1.00', '2025-03-01 0.00'));
      await on('2025-03-10', () => acme.uses('calls', '1', '2025-01-31', { allow_correction: true }));
      await on('2025-04-01', () => acme.expectsInvoices('2025-02-01 1.00', '2025-03-01 0.00', '2025-04-01 1.00'));
    },
  );
});
