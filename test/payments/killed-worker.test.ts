import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { checkLedger } from '../../db/ledger/check.ts';
import type { Api, Json } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { type OwnStack, ownStack } from '../support/own-stack.ts';
import { plan, planRequest } from '../support/story-catalogue.ts';
import { withDatabase } from '../support/vendor.ts';

const ROUNDS = 5;
const CUSTOMERS = 4;
const METHODS = ['sandbox_ok', 'sandbox_no_answer', 'sandbox_answers_twice'];

describe('a worker killed at any moment', () => {
  let stack: OwnStack;

  beforeAll(async () => {
    stack = await ownStack();
  }, 180_000);

  afterAll(() => stack.stop(), 60_000);

  it(`takes each of ${ROUNDS * CUSTOMERS} payments exactly once`, async () => {
    const { api } = await stack.newVendor();
    const planId: string = await api.made('/v1/c/plan', planRequest(plan('pro', '100')));
    for (let round = 0; round < ROUNDS; round += 1) {
      const customers = await Promise.all(
        Array.from({ length: CUSTOMERS }, (_, index) => customerWith(api, METHODS[index % METHODS.length] ?? '')),
      );
      await Promise.all(
        customers.map((customer) => api.made('/v1/c/contract', { customer, plan: planId, currency: 'usd', cycle: 'month' })),
      );
      // no waiting for something: the moment of the kill is what varies
      await pause(randomInt(400));
      await stack.kill9('worker');
      await stack.restart('worker');
      for (const customer of customers) await eventually(() => expectsPaidOnce(api, customer), { timeout: 60_000 });
    }
    const { charges, problems } = await withDatabase(
      async (db) => ({ charges: await db.query('select 1 from sandbox_charge'), problems: await checkLedger(db) }),
      stack.servers,
    );
    expect(charges).toHaveLength(ROUNDS * CUSTOMERS);
    expect(problems).toEqual([]);
  }, 300_000);
});

async function customerWith(api: Api, method: string): Promise<string> {
  const id: string = await api.made('/v1/c/customer', { name: method });
  await api.made(`/v1/c/customer/${id}/activate`, {});
  const session = await api.made<Json>(`/v1/c/customer/${id}/payment/session`, { provider: 'sandbox' });
  await api.made(`/v1/c/payment/session/${session.token}/confirm`, { payment_method: method });
  return id;
}

async function expectsPaidOnce(api: Api, customer: string): Promise<void> {
  const { hits } = await api.read(`/v1/c/invoice?customer=${customer}`);
  expect(hits.map(({ invoice }: Json) => invoice.status)).toEqual(['paid']);
  const { payments } = await api.read(`/v1/c/invoice/${hits[0].invoice.id}`);
  expect(payments.map(({ status, amount }: Json) => `${status} ${amount}`)).toEqual(['succeeded 100.00']);
}
