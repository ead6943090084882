import { checkLedger } from '../../db/sql/ledger/check.ts';
import type { AnyJson, Api } from '../support/api.ts';
import { withTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { type OwnStack, ownStack } from '../support/own-stack.ts';
import { rounds } from '../support/runs.ts';
import { plan, planToSave } from '../support/story-catalogue.ts';

const ROUNDS = rounds(3, 100);
const METHODS = ['sandbox_ok', 'sandbox_no_answer', 'sandbox_answers_twice', 'sandbox_declined'];
/** What has happened to some customer of the round when the worker dies, one of them each round. */
const MOMENTS = [
  `select 1 from payment_gate where customer_id = any($1) and status = 'waiting'`,
  `select 1 from payment_attempt where customer_id = any($1) and gate_id is not null and status = 'processing' and called_at is not null`,
  `select 1 from sandbox_charge s join payment_attempt a on a.provider_key = s.key
   where a.customer_id = any($1) and a.gate_id is not null and a.status = 'processing'`,
  `select 1 from payment_gate where customer_id = any($1) and status = 'succeeded'`,
];
/**
 * Temporal gives a task again that its worker has died with after pauses that grow to ten minutes, and a task may meet
 * many deaths in a row.
 */
const LONGEST_PAUSE_MS = 15 * 60_000;
/** In each of so many rounds Postgres dies too, in the middle of the gate. */
const OUTAGE_EACH = 3;

interface Buyer {
  customer: string;
  from: string;
  method: string;
}

describe('a worker killed between the charge of a payment gate and the change', () => {
  let stack: OwnStack;

  beforeAll(async () => {
    stack = await ownStack();
  });

  afterAll(() => stack.stop());

  it(
    `leaves money and plan in agreement in each of ${ROUNDS} rounds, ${Math.ceil(ROUNDS / OUTAGE_EACH)} of them with a Postgres outage`,
    async () => {
      const { api } = await stack.newVendor();
      const small: string = await api.made('/v1/c/plan', planToSave(plan('small', '30')));
      const large: string = await api.made('/v1/c/plan', planToSave(plan('large', '180')));
      const everybody: Buyer[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const buyers = await Promise.all(METHODS.map((method) => buyerWith(api, small, method)));
        const asked = buyers.map((buyer) => upgrades(api, buyer, large));
        await reaches(stack, MOMENTS[round % MOMENTS.length] ?? '', buyers);
        if (round % OUTAGE_EACH === 0) await stack.kill9('postgres');
        await stack.kill9('worker');
        if (round % OUTAGE_EACH === 0) await stack.restart('postgres');
        await stack.restart('worker');
        for (const [index, answer] of (await Promise.all(asked)).entries())
          await expectsAnswer(api, stack, buyers[index] as Buyer, large, answer);
        everybody.push(...buyers);
      }
      for (const buyer of everybody) await eventually(() => expectsAgreement(api, stack, buyer), { timeout: LONGEST_PAUSE_MS, every: 250 });
      expect(await withTestDatabase((db) => checkLedger(db), stack.servers)).toEqual([]);
    },
    ROUNDS * 120_000 + LONGEST_PAUSE_MS,
  );
});

async function buyerWith(api: Api, plan: string, method: string): Promise<Buyer> {
  const customer: string = await api.made('/v1/c/customer', { name: method });
  await api.made(`/v1/c/customer/${customer}/activate`, {});
  const from: string = await api.made('/v1/c/contract', { customer, plan, currency: 'usd', cycle: 'month', automatic_payment: false });
  const session = await api.made<AnyJson>(`/v1/c/customer/${customer}/payment/session`, { provider: 'sandbox' });
  await api.made(`/v1/c/payment/session/${session.token}/confirm`, { payment_method: method });
  return { customer, from, method };
}

type Answer = { status: number; code: string | undefined };

async function upgrades(api: Api, { from, customer }: Buyer, plan_id: string): Promise<Answer> {
  const body = { upgrade_configuration: { upgrade_strategy: 'new_plan', plan_id }, payment_gate: { expires_in_hours: 24 } };
  const { status, body: answered } = await api.post(`/v1/c/contract/${from}/upgrade`, body, { 'idempotency-key': customer });
  return { status, code: answered?.code };
}

/** A 5xx says that nothing is known to be committed: then a repeat under the same key gets the answer. */
async function expectsAnswer(api: Api, { servers }: OwnStack, buyer: Buyer, plan: string, { status, code }: Answer): Promise<void> {
  expect([200, 402, 503]).toContain(status);
  if (status !== 503) return;
  const gates = await withTestDatabase((db) => db.query('select 1 from payment_gate where customer_id = $1', [buyer.customer]), servers);
  if (code !== 'outcome_unknown') expect(gates).toEqual([]);
  await eventually(async () => expect([200, 402]).toContain((await upgrades(api, buyer, plan)).status), { every: 500 });
}

/** Checks as often as it can; a moment that it misses is skipped, and what follows is checked in any case. */
async function reaches({ servers }: OwnStack, moment: string, buyers: readonly Buyer[]): Promise<void> {
  const customers = buyers.map(({ customer }) => customer);
  await withTestDatabase(async (db) => {
    for (const until = Date.now() + 3_000; Date.now() < until; ) if ((await db.query(moment, [customers])).length > 0) return;
  }, servers);
}

/** The larger plan exactly where the sandbox has taken its price, once; else the smaller one and nothing owed. */
async function expectsAgreement(api: Api, { servers }: OwnStack, { customer, from, method }: Buyer): Promise<void> {
  const { taken, open } = await withTestDatabase(async (db) => {
    const charges = await db.query<{ amount: string }>(
      `select s.amount::text as amount from sandbox_charge s join payment_attempt a on a.provider_key = s.key
       where a.customer_id = $1 and a.gate_id is not null and s.status = 'taken'`,
      [customer],
    );
    const gates = await db.query(`select 1 from payment_gate where customer_id = $1 and status = 'waiting'`, [customer]);
    return { taken: charges.map(({ amount }) => amount), open: gates.length };
  }, servers);
  const { hits } = await api.read(`/v1/c/contract?customer=${customer}`);
  const invoices: AnyJson[] = (await api.read(`/v1/c/invoice?customer=${customer}`)).hits;
  const status: string = (await api.read(`/v1/c/contract/${from}`)).contract_summary.status;
  expect(open).toBe(0);
  if (taken.length === 0) {
    expect([status, hits.length, invoices.length]).toEqual(['active', 1, 1]);
    return;
  }
  expect(method).not.toBe('sandbox_declined');
  expect([status, hits.length, taken.length]).toEqual(['moved', 2, 1]);
  const change = invoices.find(({ invoice }) => invoice.contract_id !== from);
  expect([change?.invoice.status, change?.invoice.total]).toEqual(['paid', taken[0]]);
}
