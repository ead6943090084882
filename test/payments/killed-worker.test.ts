import { checkLedger } from '../../db/sql/ledger/check.ts';
import type { AnyJson, Api } from '../support/api.ts';
import { withTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { type OwnStack, ownStack } from '../support/own-stack.ts';
import { rounds } from '../support/runs.ts';
import { plan, planToSave } from '../support/story-catalogue.ts';

const ROUNDS = rounds(5, 100);
const CUSTOMERS = 4;
/** What has happened to some customer of the round when the worker dies, one of them each round. */
const MOMENTS = [
  `select 1 from invoice i where i.customer_id = any($1) and not exists (select 1 from payment_attempt a where a.invoice_id = i.id)`,
  `select 1 from payment_attempt where customer_id = any($1) and status = 'processing' and called_at is null`,
  `select 1 from payment_attempt where customer_id = any($1) and status = 'processing' and called_at is not null`,
  `select 1 from sandbox_charge s join payment_attempt a on a.provider_key = s.key where a.customer_id = any($1) and a.status = 'processing'`,
  `select 1 from payment_attempt where customer_id = any($1) and status = 'succeeded'`,
];
const METHODS = ['sandbox_ok', 'sandbox_no_answer', 'sandbox_answers_twice'];

describe('a worker killed at any moment', () => {
  let stack: OwnStack;

  beforeAll(async () => {
    stack = await ownStack();
  });

  afterAll(() => stack.stop());

  it(
    `takes each of ${ROUNDS * CUSTOMERS} payments exactly once`,
    async () => {
      const { api } = await stack.newVendor();
      const everybody: string[] = [];
      const planId: string = await api.made('/v1/c/plan', planToSave(plan('pro', '100')));
      for (let round = 0; round < ROUNDS; round += 1) {
        const customers = await Promise.all(
          Array.from({ length: CUSTOMERS }, (_, index) => customerWith(api, METHODS[index % METHODS.length] ?? '')),
        );
        await Promise.all(
          customers.map((customer) => api.made('/v1/c/contract', { customer, plan: planId, currency: 'usd', cycle: 'month' })),
        );
        await reaches(stack, MOMENTS[round % MOMENTS.length] ?? '', customers);
        await stack.kill9('worker');
        await stack.restart('worker');
        everybody.push(...customers);
      }
      // what a dead worker was at is taken up again when it has been silent for long enough: the next rounds need not
      // wait for that
      for (const customer of everybody) await eventually(() => expectsPaidOnce(api, customer));
      const { charges, problems } = await withTestDatabase(
        async (db) => ({ charges: await db.query('select 1 from sandbox_charge'), problems: await checkLedger(db) }),
        stack.servers,
      );
      expect(charges).toHaveLength(ROUNDS * CUSTOMERS);
      expect(problems).toEqual([]);
    },
    ROUNDS * 120_000,
  );
});

/** Checks as often as it can; a moment that it misses is skipped, and the payments are checked in any case. */
async function reaches({ servers }: OwnStack, moment: string, customers: readonly string[]): Promise<void> {
  await withTestDatabase(async (db) => {
    for (const until = Date.now() + 3_000; Date.now() < until; ) if ((await db.query(moment, [customers])).length > 0) return;
  }, servers);
}

async function customerWith(api: Api, method: string): Promise<string> {
  const id: string = await api.made('/v1/c/customer', { name: method });
  await api.made(`/v1/c/customer/${id}/activate`, {});
  const session = await api.made<AnyJson>(`/v1/c/customer/${id}/payment/session`, { provider: 'sandbox' });
  await api.made(`/v1/c/payment/session/${session.token}/confirm`, { payment_method: method });
  return id;
}

async function expectsPaidOnce(api: Api, customer: string): Promise<void> {
  const { hits } = await api.read(`/v1/c/invoice?customer=${customer}`);
  expect(hits.map(({ invoice }: AnyJson) => invoice.status)).toEqual(['paid']);
  const { payments } = await api.read(`/v1/c/invoice/${hits[0].invoice.id}`);
  expect(payments.map(({ status, amount }: AnyJson) => `${status} ${amount}`)).toEqual(['succeeded 100.00']);
}
