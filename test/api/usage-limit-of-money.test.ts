import { limitedVendor, REACHED } from './limited-calls.ts';
import { meteredPrice, planBody } from './support.ts';

// 2.95 for each hundred calls: 6.00 pay for 200 of them.
describe('a limit of money', () => {
  const { api, calls } = limitedVendor();
  const taken = { status: 200 };

  it('begins again with the billing cycle inside an hour, whose own limit of 150 goes on', async () => {
    const { clock, customerId } = await calls.onClock('2025-06-01T12:30:00Z');
    await calls.limit(customerId, { amount: '6.00' });
    await calls.limit(customerId, { units: '150', window: 'hour' });
    await clock.advanceTo('2025-07-01T12:10:00Z');
    expect(await calls.report(customerId, '150')).toMatchObject(taken);
    expect(await calls.report(customerId, '50')).toMatchObject(REACHED);
    await clock.advanceTo('2025-07-01T12:30:00Z');
    expect(await calls.report(customerId, '1')).toMatchObject(REACHED);
    await clock.advanceTo('2025-07-01T13:00:00Z');
    expect(await calls.report(customerId, '150')).toMatchObject(taken);
    expect(await calls.report(customerId, '1')).toMatchObject(REACHED);
    await clock.advanceTo('2025-07-01T14:00:00Z');
    expect(await calls.report(customerId, '51')).toMatchObject(REACHED);
    expect(await calls.report(customerId, '50')).toMatchObject(taken);
    expect(await calls.report(customerId, '0.5')).toMatchObject(REACHED);
  });

  it('goes on to the end that a freeze of ten days puts off, and begins again there', async () => {
    const { clock, customerId } = await calls.onClock('2025-06-01T00:00:00Z');
    await calls.limit(customerId, { feature_slug: null, amount: '6.00' });
    await clock.advanceTo('2025-06-10T00:00:00Z');
    expect(await calls.report(customerId, '100')).toMatchObject(taken);
    await api.made(`/v1/c/customer/${customerId}/inactivate`, {});
    await clock.advanceTo('2025-06-20T00:00:00Z');
    await api.made(`/v1/c/customer/${customerId}/activate`, {});
    await clock.advanceTo('2025-07-10T23:59:59Z');
    expect(await calls.report(customerId, '101')).toMatchObject(REACHED);
    expect(await calls.report(customerId, '100')).toMatchObject(taken);
    expect(await calls.report(customerId, '1')).toMatchObject(REACHED);
    await clock.advanceTo('2025-07-11T00:00:00Z');
    expect(await calls.report(customerId, '200')).toMatchObject(taken);
    expect(await calls.report(customerId, '1')).toMatchObject(REACHED);
  });

  it('is that of the period in which late usage was made, as long as it is open', async () => {
    const policy = { configuration: { usage_period_closing_policy: '1 day' } };
    const { clock, customerId, contractId } = await calls.onClock('2025-06-01T00:00:00Z', policy);
    await calls.limit(customerId, { amount: '6.00' });
    await clock.advanceTo('2025-06-10T00:00:00Z');
    expect(await calls.report(customerId, '100')).toMatchObject(taken);
    await clock.advanceTo('2025-07-01T06:00:00Z');
    expect(await calls.report(customerId, '200')).toMatchObject(taken);
    expect(await calls.report(customerId, '1')).toMatchObject(REACHED);
    const late = { timestamp: '2025-06-30T23:00:00Z' };
    expect(await calls.report(customerId, '101', late)).toMatchObject(REACHED);
    expect(await calls.report(customerId, '100', late)).toMatchObject(taken);
    expect(await calls.report(customerId, '1', late)).toMatchObject(REACHED);
    expect(await calls.report(customerId, '1')).toMatchObject(REACHED);
    await clock.advanceTo('2025-07-02T00:00:00Z');
    const { hits } = await api.read(`/v1/c/invoice?contract=${contractId}`);
    const lines = hits.flatMap(({ invoice_items }: { invoice_items: { name: string; subtotal: string }[] }) => invoice_items);
    expect(lines.filter(({ name }: { name: string }) => name === 'Calls').map(({ subtotal }: { subtotal: string }) => subtotal)).toEqual([
      '5.90',
    ]);
  });

  it('of everything adds up two contracts of a customer, and that of a feature counts its own alone', async () => {
    const { customerId } = await calls.onClock('2025-06-01T00:00:00Z');
    const body = planBody(`texts-${customerId.slice(-6)}`, '5', { features: [{ slug: 'texts', name: 'Texts' }] });
    body.pricings[0].features = { texts: meteredPrice('0.01') };
    const plan = await api.made('/v1/c/plan', body);
    await api.made('/v1/c/contract', { customer: customerId, plan, currency: 'usd', cycle: 'month' });
    const texts = { feature_slug: 'texts' };
    await calls.limit(customerId, { feature_slug: null, amount: '9.00' });
    await calls.limit(customerId, { amount: '6.00' });
    expect(await calls.report(customerId, '200')).toMatchObject(taken);
    expect(await calls.report(customerId, '1')).toMatchObject(REACHED);
    // 5.90 and 3.00 are 8.90
    expect(await calls.report(customerId, '301', texts)).toMatchObject(REACHED);
    expect(await calls.report(customerId, '300', texts)).toMatchObject(taken);
    expect(await calls.report(customerId, '1', texts)).toMatchObject(REACHED);
  });

  it('below what is used already refuses whatever is reported, though it raises no price, and so does a check', async () => {
    const { clock, customerId } = await calls.onClock('2025-06-01T00:00:00Z');
    const first = [{ customer_id: customerId, feature_slug: 'calls', units: '150', idempotency_key: `first-${customerId}` }];
    expect(await api.made('/v1/c/usage/bulk', first)).toEqual([]);
    await calls.limit(customerId, { amount: '5.00' });
    expect(await calls.report(customerId, '1')).toMatchObject(REACHED);
    expect(await calls.check(customerId, '1')).toMatchObject({ allowed: false, reason: 'limit_reached', used: '5.90' });
    expect(await api.made('/v1/c/usage/bulk', first)).toEqual([]);
    await clock.advanceTo('2025-06-02T00:00:00Z');
    expect(await calls.report(customerId, '120', { is_absolute: true })).toMatchObject(taken);
  });

  it('finds a meter in one contract: a second one with it is refused to the customer', async () => {
    const { customerId } = await calls.onClock('2025-06-01T00:00:00Z');
    const plan = await api.made('/v1/c/plan', planBody(`again-${customerId.slice(-6)}`));
    const second = { customer: customerId, plan, currency: 'usd', cycle: 'month' };
    expect(await api.post('/v1/c/contract', second)).toMatchObject({ status: 409, body: { code: 'usage_feature_taken' } });
  });
});
