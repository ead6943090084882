import { limitedCalls } from '../api/limited-calls.ts';
import { signedContract } from '../api/support.ts';
import { type AnyJson, type Api, api } from '../support/api.ts';
import { eventCount } from '../support/runs.ts';
import { type SecondApi, secondApi } from '../support/second-api.ts';
import { newVendor, type TestVendor } from '../support/vendor.ts';
import { reportAll } from './report-all.ts';

/** In the long form, `--globals '{"EVENTS":10000}'`, ten thousand. */
const EVENTS = eventCount(600);
const STEPS = [0.25, 0.5, 0.9].map((share) => String(Math.round(EVENTS * share)));

describe(`three alerts, crossed by ${EVENTS} events on 64 connections to two processes`, () => {
  let vendor: TestVendor;
  let second: SecondApi;
  let other: Api;
  beforeAll(async () => {
    vendor = await newVendor();
    second = await secondApi();
    other = api(vendor.apiKey, second.baseUrl);
  });
  afterAll(() => second.stop());

  const alerted = async (): Promise<string> => {
    const { customerId } = await signedContract(vendor);
    for (const step of STEPS) {
      await vendor.api.made(`/v1/c/customer/${customerId}/alert`, { on: 'usage', feature_slug: 'calls', at: [step] });
    }
    return customerId;
  };
  const announced = async (customer: string): Promise<string[]> => {
    const { hits } = await vendor.api.read(`/v1/c/event?object=${customer}&type=v1.alert.reached&limit=100`);
    return hits.map(({ data }: AnyJson) => data.step);
  };
  const used = async (customer: string): Promise<string> => {
    const { check } = limitedCalls(vendor);
    return (await check(customer, '0')).used;
  };
  const report = (customer: string, answered?: () => Promise<void>): Promise<number> =>
    reportAll({ first: vendor.api, other }, customer, EVENTS, answered);

  it('are three events, and every unit is counted', async () => {
    const customer = await alerted();
    expect(await report(customer)).toBe(EVENTS);
    expect(await announced(customer)).toEqual(STEPS);
    expect(await used(customer)).toBe(String(EVENTS));
  }, 600_000);

  it('are three events also where one process is killed when half of them are answered', async () => {
    const customer = await alerted();
    let answers = 0;
    const taken = await report(customer, async () => {
      answers += 1;
      if (answers === Math.round(EVENTS / 2)) await second.kill();
    });
    expect(taken).toBe(EVENTS);
    expect(await announced(customer)).toEqual(STEPS);
    expect(await used(customer)).toBe(String(EVENTS));
  }, 600_000);
});
