import { planBody } from '../api/support.ts';
import { type AnyJson, type Api, api } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { eventCount } from '../support/runs.ts';
import { type SecondApi, secondApi } from '../support/second-api.ts';
import { newVendor, type TestVendor } from '../support/vendor.ts';
import { reportAll } from './report-all.ts';

/** In the long form, `--globals '{"EVENTS":10000}'`, ten thousand: each of one call at 0.01. */
const EVENTS = eventCount(600);
const money = (calls: number): string => (calls / 100).toFixed(2);
const share = (of: number): number => Math.round(EVENTS * of);
const STEPS = [0.25, 0.5, 0.9].map((of) => money(share(of)));

describe(`what watches money, beside ${EVENTS} events on 64 connections to two processes`, () => {
  let vendor: TestVendor;
  let second: SecondApi;
  let other: Api;
  let plan: string;
  beforeAll(async () => {
    vendor = await newVendor();
    second = await secondApi();
    other = api(vendor.apiKey, second.baseUrl);
    const body = planBody('by-the-call');
    body.pricings[0].features.calls = { amount: '0.01', strategy_details: { pricing_strategy: 'usage', unit_name: 'call' } };
    plan = await vendor.api.made('/v1/c/plan', body);
  });
  afterAll(() => second.stop());

  const signed = async (): Promise<string> => {
    const customer = await vendor.api.made('/v1/c/customer', { name: 'Ada' });
    await vendor.api.made('/v1/c/contract', { customer, plan, currency: 'usd', cycle: 'month' });
    return customer;
  };
  const set = (customer: string, what: 'alert' | 'limit' | 'top_up', body: AnyJson): Promise<string> =>
    vendor.api.made(`/v1/c/customer/${customer}/${what}`, body);
  const announced = async (customer: string): Promise<string[]> => {
    const { hits } = await vendor.api.read(`/v1/c/event?object=${customer}&type=v1.alert.reached&limit=100`);
    return hits.map(({ data }: AnyJson) => `${data.on} ${Number(data.level).toFixed(2)}`);
  };
  const used = async (customer: string): Promise<number> =>
    Number((await vendor.api.made<AnyJson>(`/v1/c/entitlement/${customer}/check`, { feature_slug: 'calls', units: '0' })).used);
  const report = (customer: string, answered?: () => Promise<void>): Promise<number> =>
    reportAll({ first: vendor.api, other }, customer, EVENTS, answered);

  it('a limit of two thirds of the money takes two thirds of the events, and refuses all others', async () => {
    const customer = await signed();
    const most = share(2 / 3);
    await set(customer, 'limit', { feature_slug: null, amount: money(most), window: 'period', action: 'refuse' });
    expect(await report(customer)).toBe(most);
    const { used: spent } = await vendor.api.made<AnyJson>(`/v1/c/entitlement/${customer}/check`, { feature_slug: 'calls', units: '0' });
    expect(spent).toBe(money(most));
  }, 600_000);

  it('three alerts on spend, three on the balance and a limit that tells are seven events', async () => {
    const customer = await signed();
    await vendor.api.made('/v1/c/credit_grant', {
      ...{ customer, currency: 'usd', kind: 'promotional', amount: money(EVENTS), applies_to: { features: ['calls'] } },
    });
    for (const step of STEPS) await set(customer, 'alert', { on: 'spend', at: [step] });
    await set(customer, 'alert', { on: 'balance', at: STEPS });
    await set(customer, 'limit', { feature_slug: 'calls', amount: money(share(0.7)), window: 'period', action: 'tell' });
    expect(await report(customer)).toBe(EVENTS);
    const balance = STEPS.toReversed().map((step) => `balance ${step}`);
    expect((await announced(customer)).sort()).toEqual(
      [...STEPS.map((step) => `spend ${step}`), `spend ${money(share(0.7))}`, ...balance].sort(),
    );
    expect(await used(customer)).toBe(EVENTS);
  }, 600_000);

  it('a top-up below a third of the credits buys once', async () => {
    const customer = await signed();
    await vendor.api.made('/v1/c/credit_grant', {
      ...{ customer, currency: 'usd', kind: 'promotional', amount: money(EVENTS), applies_to: { features: ['calls'] } },
    });
    await set(customer, 'top_up', {
      ...{ currency: 'usd', below: money(share(1 / 3)), amount: money(EVENTS), price: money(EVENTS), at_most_per_month: '100000.00' },
    });
    expect(await report(customer)).toBe(EVENTS);
    await eventually(async () => {
      const { hits } = await vendor.api.read(`/v1/c/credit_grant?customer=${customer}`);
      expect(hits.map(({ kind }: AnyJson) => kind).sort()).toEqual(['promotional', 'purchased']);
    });
  }, 600_000);

  it('a limit and an alert are exact also where one process is killed when half of the events are answered', async () => {
    const customer = await signed();
    const most = share(2 / 3);
    await set(customer, 'limit', { feature_slug: null, amount: money(most), window: 'period', action: 'refuse' });
    await set(customer, 'alert', { on: 'spend', at: [money(share(0.6))] });
    let answers = 0;
    await report(customer, async () => {
      answers += 1;
      if (answers === Math.round(EVENTS / 2)) await second.kill();
    });
    expect(await announced(customer)).toEqual([`spend ${money(share(0.6))}`]);
    const { used: spent } = await vendor.api.made<AnyJson>(`/v1/c/entitlement/${customer}/check`, { feature_slug: 'calls', units: '0' });
    expect(spent).toBe(money(most));
  }, 600_000);
});
