import type { AnyJson } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { limitedVendor } from './limited-calls.ts';
import { feedback, planBody, signedContract, withScope } from './support.ts';

describe('an alert on usage', () => {
  const { api, calls, vendor } = limitedVendor();

  const set = (customer: string, at: (string | number)[], more: AnyJson = {}): Promise<string> =>
    api.made(`/v1/c/customer/${customer}/alert`, { on: 'usage', feature_slug: 'calls', at, ...more });
  const announced = async (customer: string): Promise<AnyJson[]> =>
    (await api.read(`/v1/c/event?object=${customer}&type=v1.alert.reached&limit=100`)).hits;
  const steps = async (customer: string): Promise<string[]> => (await announced(customer)).map(({ data }) => data.step);

  it('tells once of each step that is reached, the lowest first, with what was counted and where', async () => {
    const { customerId, contractId } = await signedContract(vendor);
    const id = await set(customerId, ['20', 5, '10.0']);
    await calls.report(customerId, '4.5');
    expect(await steps(customerId)).toEqual([]);
    await calls.report(customerId, '0.5');
    expect(await steps(customerId)).toEqual(['5']);
    await calls.report(customerId, '30');
    await calls.report(customerId, '30');
    expect(await steps(customerId)).toEqual(['5', '10', '20']);
    const [, second] = await announced(customerId);
    expect(second).toMatchObject({ object: customerId, data: { alert_id: id, limit_id: null, on: 'usage', feature_slug: 'calls' } });
    expect(second?.data).toMatchObject({ step: '10', level: '10', value: '35', currency: null, window: 'period' });
    expect(second?.data).toMatchObject({ contract_id: contractId, usage_period: 1, object: { id: customerId } });
  });

  it('is listed, deleted, and kept apart from other features, customers and vendors', async () => {
    const { customerId } = await signedContract(vendor);
    const other = await signedContract(vendor);
    const id = await set(customerId, ['5']);
    expect((await api.read(`/v1/c/customer/${customerId}/alert`)).hits).toMatchObject([
      { id, on: 'usage', feature_slug: 'calls', at: ['5'] },
    ]);
    await calls.report(customerId, '9', { feature_slug: 'seats' });
    await calls.report(other.customerId, '9');
    await api.made(`/v1/c/customer/${customerId}/alert/${id}/delete`);
    await calls.report(customerId, '9');
    expect([await steps(customerId), await steps(other.customerId)]).toEqual([[], []]);
    const again = await api.post(`/v1/c/customer/${customerId}/alert/${id}/delete`);
    expect(again).toMatchObject({ status: 404, body: { code: 'alert_not_found' } });
    expect((await api.read(`/v1/c/customer/${customerId}/alert`)).hits).toEqual([]);
  });

  it('of 80% means the limit, the lowest of a usage period, and without one the maximum_units of the price', async () => {
    const { customerId } = await signedContract(vendor);
    await calls.limit(customerId, { units: '1000' });
    await calls.limit(customerId, { units: '10', action: 'tell' });
    await calls.limit(customerId, { units: '2', window: 'day', action: 'tell' });
    await set(customerId, ['80.00%']);
    await calls.report(customerId, '7.9');
    await calls.report(customerId, '0.1');
    expect((await announced(customerId)).map(({ data }) => [data.step, data.level])).toEqual([
      ['2', '2'],
      ['80%', '8'],
    ]);

    const body = planBody('with-maximum');
    Object.assign(body.pricings[0].features.calls.strategy_details, { maximum_units: '50', over_usage_price: '0.02' });
    const customer = await api.made('/v1/c/customer', { name: 'M' });
    const plan = await api.made('/v1/c/plan', body);
    await api.made('/v1/c/contract', { customer, plan, currency: 'usd', cycle: 'month' });
    await set(customer, ['80%']);
    await calls.report(customer, '41');
    expect(await announced(customer)).toMatchObject([{ data: { step: '80%', level: '40', value: '41' } }]);
  });

  it('of a percentage of nothing is a 400, and so are units of all features, 0 and nothing at all', async () => {
    const { customerId } = await signedContract(vendor);
    const path = `/v1/c/customer/${customerId}/alert`;
    const whole = { on: 'usage', feature_slug: 'calls', at: ['80%'] };
    const refused = async (body: AnyJson): Promise<AnyJson> => {
      const response = await api.post(path, body);
      expect(response.status).toBe(400);
      return feedback(response);
    };
    expect(await refused(whole)).toHaveProperty('at', expect.stringContaining('maximum_units'));
    expect(await refused({ ...whole, on: 'spend' })).toHaveProperty('at', expect.stringContaining('a limit of the same money'));
    expect(await refused({ on: 'usage', at: ['5'] })).toHaveProperty('feature_slug');
    expect(await refused({ ...whole, on: 'balance', at: ['5'] })).toHaveProperty('feature_slug');
    expect(await refused({ on: 'balance', at: ['80%'] })).toHaveProperty('at');
    for (const at of [[], ['0'], [0], ['0%'], ['-5'], ['many'], ['1001%'], '5', Array.from({ length: 21 }, (_, n) => n + 1)]) {
      expect(await refused({ ...whole, at })).not.toEqual({});
    }
    const reader = withScope(vendor, 'read');
    expect(await (await reader).post(path, { ...whole, at: ['5'] })).toMatchObject({ status: 403 });
  });

  it('that is reached when it is set tells at once', async () => {
    const { customerId } = await signedContract(vendor);
    await calls.report(customerId, '7');
    await set(customerId, ['5', '8']);
    expect(await steps(customerId)).toEqual(['5']);
    await calls.report(customerId, '1');
    expect(await steps(customerId)).toEqual(['5', '8']);
  });

  it('that is reached when it is set in a free trial tells at once, and so does a limit that is passed', async () => {
    const customerId: string = await api.made('/v1/c/customer', { name: 'Acme' });
    const plan = await api.made('/v1/c/plan', planBody('calls-on-trial'));
    await api.made('/v1/c/contract', { customer: customerId, plan, currency: 'usd', cycle: 'month', free_trial_days: 14 });
    await calls.report(customerId, '7');
    await set(customerId, ['5', '8']);
    await calls.limit(customerId, { units: '6', action: 'tell' });
    expect(await steps(customerId)).toEqual(['5', '6']);
  });

  it('tells no second time where usage falls and rises again, by amendments, a discarded event and a marker', async () => {
    const { customerId } = await signedContract(vendor);
    await set(customerId, ['5']);
    const { body: event } = await calls.report(customerId, '6');
    await api.made(`/v1/c/usage/${event}/amend`, { units: '1' });
    await api.made(`/v1/c/usage/${event}/amend`, { units: '9' });
    await api.made(`/v1/c/usage/${event}/discard`);
    await calls.report(customerId, '3', { is_absolute: true });
    await calls.report(customerId, '4');
    expect(await steps(customerId)).toEqual(['5']);
  });

  it('tells of what an amendment, a marker and a confirmed reservation reach', async () => {
    const { customerId } = await signedContract(vendor);
    await set(customerId, ['5', '10', '15']);
    const { body: event } = await calls.report(customerId, '1');
    await api.made(`/v1/c/usage/${event}/amend`, { units: '5' });
    expect(await steps(customerId)).toEqual(['5']);
    await calls.report(customerId, '10', { is_absolute: true });
    expect(await steps(customerId)).toEqual(['5', '10']);
    const { reservation } = await calls.check(customerId, '6', { reserve_seconds: 60 });
    expect(await steps(customerId)).toEqual(['5', '10']);
    await calls.confirm(reservation);
    expect(await steps(customerId)).toEqual(['5', '10', '15']);
  });

  it('tells once in each usage period: again after the rollover, not after a change, and late usage where it counts', async () => {
    const { clock, customerId, contractId } = await calls.onClock('2025-06-01T00:00:00Z');
    await set(customerId, ['5']);
    await calls.report(customerId, '4');
    await clock.advanceTo('2025-07-01T00:00:00Z');
    await calls.report(customerId, '5');
    await clock.advanceTo('2025-07-10T00:00:00Z');
    const plan = await api.made('/v1/c/plan', planBody(`alerted-${customerId.slice(-6)}`, '99'));
    await api.made(`/v1/c/contract/${contractId}/upgrade`, {
      upgrade_configuration: { upgrade_strategy: 'new_plan', plan_id: plan },
    });
    await calls.report(customerId, '5');
    await api.made(`/v1/c/customer/${customerId}/inactivate`, {});
    await clock.advanceTo('2025-07-20T00:00:00Z');
    await api.made(`/v1/c/customer/${customerId}/activate`, {});
    await calls.report(customerId, '5');
    await calls.report(customerId, '1', { timestamp: '2025-07-09T00:00:00Z' });
    expect((await announced(customerId)).map(({ timestamp }) => timestamp)).toEqual(['2025-07-01T00:00:00.000Z']);
    const late = { timestamp: '2025-06-30T00:00:00Z', allow_correction: true };
    await calls.report(customerId, '1', late);
    await calls.report(customerId, '1', late);
    expect((await announced(customerId)).map(({ data }) => [data.usage_period, data.value])).toEqual([
      [2, '5'],
      [1, '5'],
    ]);
  });

  it('on spend tells of what open usage comes to, of one feature or of all contracts of the currency together', async () => {
    const { customerId, contractId } = await signedContract(vendor);
    await calls.limit(customerId, { feature_slug: null, amount: '10', action: 'tell' });
    const one = await set(customerId, ['2.95', '6'], { on: 'spend' });
    const all = await set(customerId, ['80%'], { on: 'spend', feature_slug: null });
    // 0.0295 a call
    await calls.report(customerId, '100');
    expect(await announced(customerId)).toMatchObject([
      { data: { alert_id: one, on: 'spend', step: '2.95', value: '2.95', currency: 'usd', contract_id: contractId } },
    ]);
    await calls.report(customerId, '200');
    expect((await announced(customerId)).slice(1)).toMatchObject([
      { data: { alert_id: one, step: '6', value: '8.85' } },
      { data: { alert_id: all, step: '80%', level: '8', value: '8.85', feature_slug: null } },
    ]);
    await calls.report(customerId, '100');
    expect((await announced(customerId)).slice(3)).toMatchObject([{ data: { alert_id: null, step: '10', value: '11.80' } }]);
    await calls.report(customerId, '100');
    expect(await announced(customerId)).toHaveLength(4);
  });

  /** A second contract of a customer, whose usage is of mails at 0.0295 each. */
  async function signMails(customer: string, more: AnyJson = {}): Promise<void> {
    const body = JSON.stringify(planBody(`mails-${customer.slice(-6)}`))
      .replaceAll('calls', 'mails')
      .replaceAll('seats', 'desks');
    const plan = await api.made('/v1/c/plan', JSON.parse(body));
    await api.made('/v1/c/contract', { customer, plan, currency: 'usd', cycle: 'month', ...more });
  }
  const mails = (customer: string, units: string, more: AnyJson = {}) => calls.report(customer, units, { ...more, feature_slug: 'mails' });

  it('on spend of two contracts tells once of a sum that both have reached when it is set', async () => {
    const { customerId } = await signedContract(vendor);
    await signMails(customerId);
    await calls.report(customerId, '100');
    await mails(customerId, '100');
    await set(customerId, ['5'], { on: 'spend', feature_slug: null });
    expect(await announced(customerId)).toMatchObject([{ data: { step: '5', value: '5.90' } }]);
    await mails(customerId, '100');
    expect(await announced(customerId)).toHaveLength(1);
  });

  it('on spend of two contracts tells again when one has a new period, whichever of them is used', async () => {
    const { clock, customerId } = await calls.onClock('2025-06-01T00:00:00Z');
    await clock.advanceTo('2025-06-15T00:00:00Z');
    await signMails(customerId);
    await set(customerId, ['5'], { on: 'spend', feature_slug: null });
    await calls.report(customerId, '100');
    await mails(customerId, '100');
    expect(await announced(customerId)).toMatchObject([{ data: { step: '5', value: '5.90' } }]);
    await clock.advanceTo('2025-07-01T00:00:00Z');
    await mails(customerId, '100');
    await calls.report(customerId, '100');
    expect((await announced(customerId)).slice(1)).toMatchObject([{ timestamp: '2025-07-01T00:00:00.000Z', data: { value: '5.90' } }]);
    await clock.advanceTo('2025-07-15T00:00:00Z');
    await calls.report(customerId, '100', { timestamp: '2025-07-14T00:00:00Z' });
    expect((await announced(customerId)).slice(2)).toMatchObject([{ data: { usage_period: 2, value: '5.90' } }]);
    await mails(customerId, '100');
    expect(await announced(customerId)).toHaveLength(3);
  });

  it('on spend of two contracts takes late usage of the month before for that month, and still announces this month', async () => {
    const { clock, customerId } = await calls.onClock('2025-06-01T00:00:00Z');
    await signMails(customerId, { usage_period_closing_policy: '1 day' });
    await set(customerId, ['5'], { on: 'spend', feature_slug: null });
    await calls.report(customerId, '100');
    await mails(customerId, '100');
    await clock.advanceTo('2025-07-01T00:00:00Z');
    await calls.report(customerId, '100');
    await mails(customerId, '100', { timestamp: '2025-06-30T00:00:00Z' });
    expect(await announced(customerId)).toHaveLength(1);
    await calls.report(customerId, '100');
    expect((await announced(customerId)).slice(1)).toMatchObject([{ data: { usage_period: 2, value: '5.90' } }]);
  });

  const grant = (customer: string, amount: string, more: AnyJson = {}): Promise<string> =>
    api.made('/v1/c/credit_grant', { customer, currency: 'usd', kind: 'promotional', amount, ...more });

  it('on balance tells of what credits fall to by usage, and by a void, and again after the next grant', async () => {
    const { customerId } = await signedContract(vendor);
    const id = await set(customerId, ['8', 0, '5'], { on: 'balance', feature_slug: null });
    const calls100 = () => calls.report(customerId, '100');
    await calls100();
    const first = await grant(customerId, '10.00', { applies_to: { features: ['calls'] } });
    expect(await announced(customerId)).toEqual([]);
    // 2.95 of 10 each, since the grant
    await calls100();
    await calls100();
    expect(await announced(customerId)).toMatchObject([
      { data: { alert_id: id, on: 'balance', step: '8', level: '8', value: '7.05', currency: 'usd', window: null, feature_slug: null } },
      { data: { alert_id: id, step: '5', value: '4.10' } },
    ]);
    await api.made(`/v1/c/credit_grant/${first}/void`);
    await eventually(async () => expect(await steps(customerId)).toEqual(['8', '5', '0']));
    await grant(customerId, '10.00', { applies_to: { features: ['calls'] } });
    expect(await steps(customerId)).toEqual(['8', '5', '0']);
    await calls100();
    expect((await announced(customerId)).slice(3)).toMatchObject([{ data: { step: '8', value: '7.05' } }]);
  });

  it('on balance tells of nothing before a first grant has begun, and of a level above the first one with its first use', async () => {
    const { customerId } = await signedContract(vendor);
    const set8 = () => set(customerId, ['8', '0'], { on: 'balance', feature_slug: null });
    const early = await set8();
    await calls.report(customerId, '100');
    const ahead = new Date(Date.now() + 86_400_000).toISOString();
    await grant(customerId, '100.00', { effective_at: ahead });
    await calls.report(customerId, '100');
    const late = await set8();
    expect(await announced(customerId)).toEqual([]);
    await grant(customerId, '5.00', { applies_to: { features: ['calls'] } });
    expect(await announced(customerId)).toEqual([]);
    await calls.report(customerId, '100');
    const found = (await announced(customerId)).map(({ data }) => [data.alert_id, data.step, data.value]);
    expect(found.toSorted()).toEqual([early, late].toSorted().map((id) => [id, '8', '2.05']));
  });

  it('on balance tells of what an invoice takes, when it is billed', async () => {
    const { clock, customerId } = await calls.onClock('2025-06-01T00:00:00Z');
    await grant(customerId, '200.00');
    await set(customerId, ['130', '50'], { on: 'balance', feature_slug: null });
    expect(await announced(customerId)).toMatchObject([{ data: { step: '130', value: '121.00' } }]);
    await clock.advanceTo('2025-07-02T00:00:00Z');
    expect((await announced(customerId)).slice(1)).toMatchObject([
      { timestamp: '2025-07-01T00:00:00.000Z', data: { step: '50', value: '42.00' } },
    ]);
  });

  it('on balance tells of a void on a test clock that stands still, at its instant', async () => {
    const { clock, customerId } = await calls.onClock('2025-06-01T00:00:00Z');
    const credits = await grant(customerId, '200.00');
    await set(customerId, ['50'], { on: 'balance', feature_slug: null });
    await api.made(`/v1/c/credit_grant/${credits}/void`);
    const expected = [{ timestamp: '2025-06-01T00:00:00.000Z', data: { step: '50', value: '0.00' } }];
    await eventually(async () => expect(await announced(customerId)).toMatchObject(expected));
    await clock.advanceTo('2025-06-02T00:00:00Z');
    expect(await announced(customerId)).toHaveLength(1);
  });

  it('is in the audit log, set and deleted', async () => {
    const { customerId } = await signedContract(vendor);
    const id = await set(customerId, ['5']);
    await api.made(`/v1/c/customer/${customerId}/alert/${id}/delete`);
    const entries = async (object: string): Promise<AnyJson[]> => (await api.read(`/v1/c/audit?object=${object}`)).hits;
    expect((await entries(customerId)).map(({ action }) => action)).toContain('set_usage_alert');
    expect(await entries(id)).toMatchObject([{ action: 'delete_usage_alert', before: { on: 'usage', at: ['5'] }, after: null }]);
  });
});

describe('a limit that tells', () => {
  const { api, calls, vendor } = limitedVendor();
  const announced = async (customer: string): Promise<AnyJson[]> =>
    (await api.read(`/v1/c/event?object=${customer}&type=v1.alert.reached&limit=100`)).hits;

  it('of 10 lets 12 pass and tells of it once, beyond 10 and not at it, and never refuses a check', async () => {
    const { customerId } = await signedContract(vendor);
    const id = await calls.limit(customerId, { units: '10', action: 'tell' });
    expect(await calls.report(customerId, '10')).toMatchObject({ status: 200 });
    expect(await announced(customerId)).toEqual([]);
    expect(await calls.check(customerId, '50')).toMatchObject({ allowed: true, limit: null, used: '10' });
    expect(await calls.report(customerId, '2')).toMatchObject({ status: 200 });
    expect(await calls.report(customerId, '2')).toMatchObject({ status: 200 });
    expect(await announced(customerId)).toMatchObject([
      { object: customerId, data: { alert_id: null, limit_id: id, step: '10', level: '10', value: '12', window: 'period' } },
    ]);
    expect((await api.read(`/v1/c/customer/${customerId}/limit`)).hits).toMatchObject([{ id, action: 'tell' }]);
  });

  it('of a day and an hour tells once in each of them, by the timestamp', async () => {
    const { clock, customerId } = await calls.onClock('2025-06-01T00:00:00Z');
    await clock.advanceTo('2025-06-02T10:00:00Z');
    await calls.limit(customerId, { units: '5', window: 'day', action: 'tell' });
    await calls.limit(customerId, { units: '3', window: 'hour', action: 'tell' });
    const windows = async () => (await announced(customerId)).map(({ data }) => `${data.window} ${data.window_start}`);
    await calls.report(customerId, '4');
    await calls.report(customerId, '4');
    const first = ['hour 2025-06-02T10:00:00.000Z', 'day 2025-06-02T00:00:00.000Z'];
    expect(await windows()).toEqual(first);
    await clock.advanceTo('2025-06-02T11:00:00Z');
    await calls.report(customerId, '4');
    await clock.advanceTo('2025-06-03T00:00:00Z');
    await calls.report(customerId, '3');
    await calls.report(customerId, '1', { timestamp: '2025-06-02T10:30:00Z' });
    expect(await windows()).toEqual([...first, 'hour 2025-06-02T11:00:00.000Z']);
    await calls.report(customerId, '6', { timestamp: '2025-06-01T23:59:59Z' });
    expect((await windows()).slice(3).sort()).toEqual(['day 2025-06-01T00:00:00.000Z', 'hour 2025-06-01T23:00:00.000Z']);
  });

  it('beside one that refuses tells of what was taken, not of what was refused', async () => {
    const { customerId } = await signedContract(vendor);
    await calls.limit(customerId, { units: '10' });
    await calls.limit(customerId, { units: '5', action: 'tell' });
    expect(await calls.report(customerId, '11')).toMatchObject({ status: 409 });
    expect(await announced(customerId)).toEqual([]);
    expect(await calls.report(customerId, '6')).toMatchObject({ status: 200 });
    expect(await announced(customerId)).toHaveLength(1);
  });
});
