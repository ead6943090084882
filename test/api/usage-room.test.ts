import type { AnyJson } from '../support/api.ts';
import { withTestDatabase } from '../support/database.ts';
import { limitedVendor, REACHED } from './limited-calls.ts';
import { meteredPrice, planBody, signedContract } from './support.ts';

// 2.95 for each hundred calls: what leaves room is priced once, and what changes the price or the sum ends it.
describe('usage below a limit of money', () => {
  const { api, calls, vendor } = limitedVendor();
  const taken = { status: 200 };
  /** Names what is kept of a customer: another name where its usage was priced. */
  const kept = (customer: string): Promise<string> =>
    withTestDatabase(async (db) => {
      const [row] = await db.query<{ name: string }>('select xmin::text as name from usage_room where customer_id = $1', [customer]);
      return row?.name ?? 'nothing';
    });

  it('is only counted until the limit is near, and what would pass it is refused', async () => {
    const { customerId } = await signedContract(vendor);
    await calls.limit(customerId, { amount: '29.50' });
    expect(await calls.report(customerId, '1')).toMatchObject(taken);
    const before = await kept(customerId);
    for (let n = 0; n < 8; n += 1) expect(await calls.report(customerId, '50')).toMatchObject(taken);
    expect(await kept(customerId)).toBe(before);
    expect(await calls.report(customerId, '600')).toMatchObject(REACHED);
    expect(await calls.report(customerId, '599')).toMatchObject(taken);
    expect(await calls.report(customerId, '1')).toMatchObject(REACHED);
  });

  it('leaves what is reserved to its reservation', async () => {
    const { customerId } = await signedContract(vendor);
    await calls.limit(customerId, { amount: '29.50' });
    expect(await calls.report(customerId, '1')).toMatchObject(taken);
    const { reservation } = await calls.check(customerId, '500', { reserve_seconds: 3_000 });
    expect(await calls.report(customerId, '500')).toMatchObject(REACHED);
    expect(await calls.report(customerId, '499')).toMatchObject(taken);
    expect(await calls.confirm(reservation)).toMatchObject(taken);
    expect(await calls.report(customerId, '1')).toMatchObject(REACHED);
  });

  it('has the prices of a change, and begins again with them', async () => {
    const { customerId, contractId } = await signedContract(vendor);
    await calls.limit(customerId, { feature_slug: null, amount: '29.50' });
    expect(await calls.report(customerId, '100')).toMatchObject(taken);
    const body = planBody('calls-at-ten-times', '99');
    body.pricings[0].features.calls.amount = '0.295';
    const upgrade_configuration = { upgrade_strategy: 'new_plan', plan_id: await api.made('/v1/c/plan', body) };
    await api.made(`/v1/c/contract/${contractId}/upgrade`, { upgrade_configuration });
    expect(await calls.report(customerId, '101')).toMatchObject(REACHED);
    expect(await calls.report(customerId, '100')).toMatchObject(taken);
  });

  it('has the room back that an amendment gives, and none beyond it', async () => {
    const { customerId } = await signedContract(vendor);
    await calls.limit(customerId, { amount: '29.50' });
    const { body: first } = await calls.report(customerId, '900');
    expect(await calls.report(customerId, '200')).toMatchObject(REACHED);
    await api.made(`/v1/c/usage/${first}/amend`, { units: '100' });
    for (let n = 0; n < 9; n += 1) expect(await calls.report(customerId, '100')).toMatchObject(taken);
    expect(await calls.report(customerId, '1')).toMatchObject(REACHED);
  });

  it('is priced again once a lower limit is set', async () => {
    const { customerId } = await signedContract(vendor);
    await calls.limit(customerId, { amount: '29.50' });
    expect(await calls.report(customerId, '100')).toMatchObject(taken);
    await calls.limit(customerId, { amount: '5.90' });
    expect(await calls.report(customerId, '101')).toMatchObject(REACHED);
    expect(await calls.report(customerId, '100')).toMatchObject(taken);
  });

  it('is refused beyond it also where a million million units cost 1.00', async () => {
    const body = planBody('calls-at-next-to-nothing');
    body.pricings[0].features.calls = { amount: '0.000000000001', strategy_details: { pricing_strategy: 'usage', unit_name: 'byte' } };
    const customerId: string = await api.made('/v1/c/customer', { name: 'Acme' });
    const plan = await api.made('/v1/c/plan', body);
    await api.made('/v1/c/contract', { customer: customerId, plan, currency: 'usd', cycle: 'month' });
    await calls.limit(customerId, { amount: '2000.00' });
    expect(await calls.report(customerId, '1')).toMatchObject(taken);
    expect(await calls.report(customerId, '3000000000000000')).toMatchObject(REACHED);
    expect(await calls.report(customerId, '1900000000000000')).toMatchObject(taken);
  });

  it('beside an alert on the balance, announces with the event that takes the credits to it', async () => {
    const { customerId } = await signedContract(vendor);
    const grant: AnyJson = { currency: 'usd', kind: 'promotional', amount: '29.50', applies_to: { features: ['calls'] } };
    await api.made('/v1/c/credit_grant', { customer: customerId, ...grant });
    await api.made(`/v1/c/customer/${customerId}/alert`, { on: 'balance', at: ['5.90'] });
    const announced = async (): Promise<number> =>
      (await api.read(`/v1/c/event?object=${customerId}&type=v1.alert.reached&limit=100`)).hits.length;
    expect(await calls.report(customerId, '1')).toMatchObject(taken);
    const before = await kept(customerId);
    for (let n = 0; n < 4; n += 1) expect(await calls.report(customerId, '100')).toMatchObject(taken);
    expect(await kept(customerId)).toBe(before);
    expect(await calls.report(customerId, '299')).toMatchObject(taken);
    expect(await announced()).toBe(0);
    expect(await calls.report(customerId, '1')).toMatchObject(taken);
    expect(await announced()).toBe(1);
    expect(await calls.report(customerId, '100')).toMatchObject(taken);
    expect(await announced()).toBe(1);
  });
});

describe('usage below an invoice threshold', () => {
  const { api, calls } = limitedVendor();
  const taken = { status: 200 };
  /** Up to which count it is only counted: another one where it was priced. */
  const roomOf = (customer: string): Promise<string | undefined> =>
    withTestDatabase(async (db) => {
      const [row] = await db.query<{ room: string }>(
        `select u.room_to::text as room from usage_counter u join contract c on c.id = u.contract_id
         where c.customer_id = $1 and c.status = 'active' and u.feature_slug = 'calls'`,
        [customer],
      );
      return row?.room;
    });

  it('is only counted also where a change has left out another metered feature', async () => {
    const both = planBody('calls-and-data');
    both.features.push({ slug: 'data', name: 'Data' });
    both.pricings[0].features.data = meteredPrice('0.01');
    const customerId: string = await api.made('/v1/c/customer', { name: 'Acme' });
    const sold = { customer: customerId, plan: await api.made('/v1/c/plan', both), currency: 'usd', cycle: 'month' };
    const contract = await api.made('/v1/c/contract', { ...sold, invoice_threshold: '100.00' });
    for (const feature_slug of ['calls', 'data']) expect(await calls.report(customerId, '1', { feature_slug })).toMatchObject(taken);
    const plan_id = await api.made('/v1/c/plan', planBody('calls-without-data', '99'));
    await api.made(`/v1/c/contract/${contract}/upgrade`, { upgrade_configuration: { upgrade_strategy: 'new_plan', plan_id } });
    expect(await calls.report(customerId, '1')).toMatchObject(taken);
    const room = await roomOf(customerId);
    expect(room).toBeDefined();
    expect(await calls.report(customerId, '1')).toMatchObject(taken);
    expect(await roomOf(customerId)).toBe(room);
  });
});
