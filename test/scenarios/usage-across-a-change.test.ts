import { metered, type PriceSpec, perUnit, plan, refused, story, tieredUsage } from '../support/story.ts';

const seats = { price: perUnit('5') };
const withCalls = (calls: PriceSpec) => plan('pro', '30', { features: { seats, calls: { price: calls } } });
const free = metered('0', { maximum_units: '1000', over_usage_price: '0.02' });
const graduated = tieredUsage('graduated', [
  { up_to: '1000', unit_price: '0.10' },
  { up_to: null, unit_price: '0.01' },
]);
const packs = metered('0.01', { batch_size: 1000 });

describe('a seat added on 16 June leaves the counter of calls alone', () => {
  const cases = [
    { title: '1,000 free, then 0.02: 1,000 before and 1,000 after', calls: free, units: '1000', expected: '20.00' },
    { title: '0.10 to 1,000, then 0.01: 1,000 before and 1,000 after', calls: graduated, units: '1000', expected: '110.00' },
    { title: '0.01 in packs of 1,000: 100 before and 100 after', calls: packs, units: '100', expected: '10.00' },
  ];
  for (const { title, calls, units, expected } of cases) {
    story(`${title} cost ${expected} on 1 July, nothing at the change`, async ({ on, acme }) => {
      await on('2025-06-01', () => acme.signs(withCalls(calls)));
      await on('2025-06-10', () => acme.uses('calls', units));
      await on('2025-06-16', () => acme.changesUnits({ seats: '2' }));
      await acme.expectsLines('2025-06-16', 'Seats -2.50', 'Seats 5.00');
      await acme.expectsUsed('calls', units);
      await on('2025-06-20', () => acme.uses('calls', units));
      await acme.expectsUsed('calls', String(2 * Number(units)));
      await on('2025-07-01', () => acme.expectsLines('2025-07-01', `Calls ${expected}`, 'Pro 30.00', 'Seats 10.00'));
    });
  }

  story('the access entitlement and the list of usage periods tell 1,500 of the billing period', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(withCalls(free)));
    await on('2025-06-10', () => acme.uses('calls', '1000'));
    await on('2025-06-16', () => acme.changesUnits({ seats: '2' }));
    await on('2025-06-20', () => acme.uses('calls', '500'));
    const details = (await acme.mayUse()).plan?.features.find(({ slug }) => slug === 'calls')?.entitlement_details;
    expect(details).toMatchObject({ used_unit_count: '1500' });
    const [period] = await acme.contract.usagePeriods();
    const calls = { feature_slug: 'calls', units_used: '1500', units_charged: '1000', over_usage_unit_charged: '500', amount: '10.00' };
    expect(period).toMatchObject({ idx: 1, start: '2025-06-01T00:00:00.000Z', status: 'open', features: [calls] });
  });
});

describe('the part before a change closes by the contract’s policy', () => {
  story('1 day: 1,000 calls of 15 June reported after a seat was added on the 16th are accepted and cost 1000.00', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(withCalls(metered('1')), { usage_period_closing_policy: '1 day' }));
    await on('2025-06-16', () => acme.changesUnits({ seats: '2' }));
    await on('2025-06-16 12:00', () => acme.uses('calls', '1000', '2025-06-15'));
    await acme.expectsUsed('calls', '1000');
    await on('2025-07-02', () => acme.expectsLines('2025-07-02', 'Calls 1000.00'));
  });

  const dearer = plan('max', '60', { features: { calls: { price: metered('2') } } });
  const pro = plan('pro', '30', { features: { calls: { price: metered('1') } } });

  story(
    '1 day, another price: 7 calls of 15 June reported on the 16th cost 7.00 on the 17th, another reported then is refused',
    async ({ on, acme }) => {
      await on('2025-06-01', () => acme.signs(pro, { usage_period_closing_policy: '1 day' }));
      await on('2025-06-16', () => acme.changesTo(dearer));
      await on('2025-06-16 23:00', () => acme.uses('calls', '7', '2025-06-15'));
      await on('2025-06-17', () => acme.expectsLines('2025-06-17', 'Calls 7.00'));
      await refused(409, acme.uses('calls', '1', '2025-06-15'), 'period_closed');
      await on('2025-06-20', () => acme.uses('calls', '3'));
      await on('2025-07-02', () => acme.expectsLines('2025-07-02', 'Calls 6.00'));
    },
  );

  story('the list of usage periods tells that the old part ended on 16 June and closes on the 17th', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(pro, { usage_period_closing_policy: '1 day' }));
    const old = acme.contract.id;
    await on('2025-06-16', () => acme.changesTo(dearer));
    const [[ended], [runs]] = await Promise.all([acme.contract.usagePeriods(old), acme.contract.usagePeriods()]);
    const start = '2025-06-01T00:00:00.000Z';
    expect(ended).toMatchObject({ start, end: '2025-06-16T00:00:00.000Z', closes_at: '2025-06-17T00:00:00.000Z', status: 'closing' });
    expect(runs).toMatchObject({ start, end: '2025-07-01T00:00:00.000Z', closes_at: '2025-07-02T00:00:00.000Z', status: 'open' });
  });

  story('automatic, another price: 5 calls cost 5.00 at the change, one of the day before is refused', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(pro));
    await on('2025-06-10', () => acme.uses('calls', '5'));
    await on('2025-06-16', () => acme.changesTo(dearer));
    await acme.expectsLines('2025-06-16', 'Calls 5.00', 'Pro -15.00', 'Max 30.00');
    await refused(409, acme.uses('calls', '1', '2025-06-15'), 'period_closed');
  });
});

describe('another price goes on from the count', () => {
  const falling = tieredUsage('graduated', [
    { up_to: '1500', unit_price: '0.01' },
    { up_to: null, unit_price: '0.005' },
  ]);

  story('0.02, then 0.01 to 1,500 and 0.005: 1,000 before and 1,000 after cost 20.00 and 7.50', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(plan('pro', '30', { features: { calls: { price: metered('0.02') } } })));
    await on('2025-06-10', () => acme.uses('calls', '1000'));
    await on('2025-06-16', () => acme.changesTo(plan('max', '60', { features: { calls: { price: falling } } })));
    await acme.expectsLines('2025-06-16', 'Calls 20.00', 'Pro -15.00', 'Max 30.00');
    await acme.expectsUsed('calls', '1000');
    await on('2025-06-20', () => acme.uses('calls', '1000'));
    await acme.expectsUsed('calls', '2000');
    await on('2025-07-01', () => acme.expectsLines('2025-07-01', 'Calls 7.50', 'Max 60.00'));
  });

  story('a change of cycle begins a new billing period: the counter is at zero', async ({ on, acme }) => {
    const monthly = plan('pro', '30', { features: { calls: { price: free } } });
    const yearly = plan('year', '365', { cycle: 'year', features: { calls: { price: free } } });
    await on('2025-06-01', () => acme.signs(monthly));
    await on('2025-06-10', () => acme.uses('calls', '1500'));
    await on('2025-06-16', () => acme.changesTo(yearly, { cycle: 'year' }));
    await acme.expectsLines('2025-06-16', 'Calls 10.00', 'Pro -15.00', 'Year 365.00');
    await on('2025-06-20', () => acme.uses('calls', '10'));
    await acme.expectsUsed('calls', '10');
  });
});
