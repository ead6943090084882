import { clockOf } from '../support/clock.ts';
import { limitedVendor, REACHED } from './limited-calls.ts';
import { flatPrice, planBody, signedContract } from './support.ts';

describe('a limit, whatever happened before', () => {
  const { api, calls, vendor } = limitedVendor();
  const taken = { status: 200 };

  it('of a day counts what came between its deletion and its being set again', async () => {
    const { customerId } = await signedContract(vendor);
    const id = await calls.limit(customerId, { units: '10', window: 'day' });
    expect(await calls.report(customerId, '6')).toMatchObject(taken);
    await api.made(`/v1/c/customer/${customerId}/limit/${id}/delete`, {});
    expect(await calls.report(customerId, '4')).toMatchObject(taken);
    await calls.limit(customerId, { units: '10', window: 'day' });
    expect(await calls.check(customerId, '0')).toMatchObject({ used: '10' });
    expect(await calls.report(customerId, '1')).toMatchObject(REACHED);
  });

  it('of money counts late usage that is dated before a change of seats', async () => {
    const { clock, customerId, contractId } = await calls.onClock('2025-06-01T00:00:00Z');
    await calls.limit(customerId, { amount: '6.00' });
    await clock.advanceTo('2025-06-10T00:00:00Z');
    expect(await calls.report(customerId, '200')).toMatchObject(taken);
    await clock.advanceTo('2025-06-16T00:00:00Z');
    await api.made(`/v1/c/contract/${contractId}/upgrade`, {
      upgrade_configuration: { upgrade_strategy: 'change_unit_count', unit_count_configuration: { seats: '6' } },
    });
    expect(await calls.report(customerId, '1')).toMatchObject(REACHED);
    expect(await calls.report(customerId, '1000', { timestamp: '2025-06-15T00:00:00Z' })).toMatchObject(REACHED);
  });

  it('of a usage period is not passed by late usage of a part before a change, behind which a marker began at zero', async () => {
    const { clock, customerId, contractId } = await calls.onClock('2025-06-01T00:00:00Z');
    await calls.limit(customerId, { units: '120' });
    await api.made(`/v1/c/customer/${customerId}/alert`, { on: 'usage', feature_slug: 'calls', at: ['110'] });
    await clock.advanceTo('2025-06-10T00:00:00Z');
    expect(await calls.report(customerId, '100')).toMatchObject(taken);
    await clock.advanceTo('2025-06-16T00:00:00Z');
    await api.made(`/v1/c/contract/${contractId}/upgrade`, {
      upgrade_configuration: { upgrade_strategy: 'change_unit_count', unit_count_configuration: { seats: '6' } },
    });
    await clock.advanceTo('2025-06-17T00:00:00Z');
    expect(await calls.report(customerId, '0', { is_absolute: true })).toMatchObject(taken);
    expect(await calls.report(customerId, '30', { timestamp: '2025-06-15T00:00:00Z' })).toMatchObject(taken);
    expect(await calls.check(customerId, '0')).toMatchObject({ used: '0' });
    expect((await api.read(`/v1/c/event?object=${customerId}&type=v1.alert.reached`)).total).toBe(0);
    expect(await calls.report(customerId, '121')).toMatchObject(REACHED);
  });

  it('of a day counts again what a marker hid that a change has taken along', async () => {
    const { clock, customerId, contractId } = await calls.onClock('2025-06-01T00:00:00Z');
    await clock.advanceTo('2025-06-10T12:00:00Z');
    await calls.limit(customerId, { units: '10', window: 'day' });
    await calls.report(customerId, '4');
    await calls.report(customerId, '1', { is_absolute: true, timestamp: '2025-06-10T12:40:00Z' });
    expect(await calls.check(customerId, '0')).toMatchObject({ used: '1' });
    await clock.advanceTo('2025-06-10T12:20:00Z');
    await api.made(`/v1/c/contract/${contractId}/upgrade`, {
      upgrade_configuration: { upgrade_strategy: 'new_plan', plan_id: await api.made('/v1/c/plan', planBody('moved-marker', '99')) },
    });
    expect(await calls.check(customerId, '0')).toMatchObject({ used: '5' });
    expect(await calls.report(customerId, '6', { timestamp: '2025-06-10T12:50:00Z' })).toMatchObject(REACHED);
    expect(await calls.report(customerId, '5', { timestamp: '2025-06-10T12:50:00Z' })).toMatchObject(taken);
  });

  it('of a day counts what is decided alone like what comes in groups: amended, confirmed and late events', async () => {
    const { clock, customerId } = await calls.onClock('2025-06-01T00:00:00Z');
    await clock.advanceTo('2025-06-10T12:00:00Z');
    await calls.limit(customerId, { units: '20', window: 'day' });
    const { body: first } = await calls.report(customerId, '4');
    const { reservation } = await calls.check(customerId, '3', { reserve_seconds: 60 });
    await calls.confirm(reservation, { units: '2' });
    await api.made(`/v1/c/usage/${first}/amend`, { units: '7' });
    const { body: late } = await calls.report(customerId, '5', { timestamp: '2025-06-09T12:00:00Z', allow_correction: true });
    expect(await calls.check(customerId, '0')).toMatchObject({ used: '9', reserved: '0' });
    await api.made(`/v1/c/usage/${late}/discard`);
    await api.made(`/v1/c/usage/${first}/discard`);
    expect(await calls.check(customerId, '0')).toMatchObject({ used: '2' });
    expect(await calls.report(customerId, '18')).toMatchObject(taken);
    expect(await calls.report(customerId, '1')).toMatchObject(REACHED);
  });

  it('is checked in the contract that counts, not in a newer one that has the feature at a flat price', async () => {
    const { customerId } = await signedContract(vendor);
    const body = planBody('with-flat-calls', '5', { features: [{ slug: 'calls', name: 'Calls' }] });
    body.pricings[0].features = { calls: flatPrice('7') };
    const plan = await api.made('/v1/c/plan', body);
    await api.made('/v1/c/contract', { customer: customerId, plan, currency: 'usd', cycle: 'month' });
    await calls.limit(customerId, { units: '10' });
    expect(await calls.report(customerId, '10')).toMatchObject(taken);
    expect(await calls.check(customerId, '1')).toMatchObject({ allowed: false, used: '10' });
  });

  it('counts what was reserved in a trial after the change that ends it', async () => {
    const clock = await clockOf(vendor, '2025-06-01T00:00:00Z');
    const of = (slug: string, amount: string) => api.made('/v1/c/plan', planBody(slug, amount, { free_trial_days: 14 }));
    const customerId = await api.made('/v1/c/customer', { name: 'T', test_clock: clock.id });
    const contractId = await api.made('/v1/c/contract', {
      customer: customerId,
      plan: await of('trial-small', '29'),
      currency: 'usd',
      cycle: 'month',
    });
    await calls.limit(customerId, { units: '10' });
    await clock.advanceTo('2025-06-03T00:00:00Z');
    const { reservation } = await calls.check(customerId, '8', { reserve_seconds: 80_000 });
    await clock.advanceTo('2025-06-03T01:00:00Z');
    await api.made(`/v1/c/contract/${contractId}/upgrade`, {
      upgrade_configuration: { upgrade_strategy: 'new_plan', plan_id: await of('trial-large', '99') },
    });
    expect(await calls.check(customerId, '0')).toMatchObject({ used: '0', reserved: '8' });
    expect(await calls.report(customerId, '10')).toMatchObject(REACHED);
    expect(await calls.confirm(reservation)).toMatchObject(taken);
  });
});
