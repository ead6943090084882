import type { ChargeOutcome } from '../../billing/payment/types.ts';
import type { Tx } from '../../db/transaction.ts';
import { recordOutcome } from '../../services/payment/record.ts';
import type { AnyJson, TestResponse } from '../support/api.ts';
import { withTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import type { PlanSpec } from '../support/story.ts';
import type { StoryCustomer } from '../support/story-customer.ts';

interface GateWords {
  hours?: number;
  key?: string;
  token?: string;
}

const headersOf = ({ key }: GateWords): Record<string, string> => (key === undefined ? {} : { 'idempotency-key': key });
const gateOf = ({ hours = 24, token }: GateWords) => ({
  payment_gate: { expires_in_hours: hours },
  ...(token === undefined ? {} : { estimate_token: token }),
});

/** Asks for a change that is made once it is paid. */
export async function changesBehindGate(customer: StoryCustomer, plan: PlanSpec, words: GateWords = {}): Promise<TestResponse> {
  const upgrade_configuration = { upgrade_strategy: 'new_plan', plan_id: await customer.vendor.planId(plan) };
  const body = { upgrade_configuration, ...gateOf(words) };
  return customer.vendor.api.post(`/v1/c/contract/${customer.contract.id}/upgrade`, body, headersOf(words));
}

/** What the same change would wait for. */
export async function estimatesBehindGate(customer: StoryCustomer, plan: PlanSpec): Promise<AnyJson> {
  const upgrade_configuration = { upgrade_strategy: 'new_plan', plan_id: await customer.vendor.planId(plan) };
  const path = `/v1/c/contract/${customer.contract.id}/upgrade_estimate`;
  return customer.vendor.api.made(path, { upgrade_configuration, ...gateOf({}) });
}

/** Asks for a contract that is signed once it is paid. */
export async function signsBehindGate(customer: StoryCustomer, plan: PlanSpec, words: GateWords = {}): Promise<TestResponse> {
  const { currency, cycle } = plan.pricings[0];
  const body = { customer: await customer.id(), plan: await customer.vendor.planId(plan), currency, cycle, ...gateOf(words) };
  return customer.vendor.api.post('/v1/c/contract', body, headersOf(words));
}

/** A contract by its id, as "scheduled" or "scheduled, awaits 100.00 until 2025-06-17T00:00:00.000Z". */
export async function statusOf({ vendor }: StoryCustomer, id: string): Promise<string> {
  const { contract_summary, awaiting_payment } = await vendor.api.read(`/v1/c/contract/${id}`);
  expect(contract_summary.awaiting_payment).toEqual(awaiting_payment);
  const awaits = awaiting_payment === null ? '' : `, awaits ${awaiting_payment.to_pay} until ${awaiting_payment.expires}`;
  return `${contract_summary.status}${awaits}`;
}

/** The contracts that lists show of a customer, by status. */
export async function listed(customer: StoryCustomer): Promise<string[]> {
  const { hits, total_hits } = await customer.vendor.api.read(`/v1/c/contract?customer=${await customer.id()}`);
  const { contracts } = await customer.vendor.api.read(`/v1/c/customer/${await customer.id()}`);
  expect(contracts.map(({ id }: AnyJson) => id)).toEqual(hits.map(({ id }: AnyJson) => id));
  expect(total_hits ?? hits.length).toBe(hits.length);
  return hits.map(({ status }: AnyJson) => status);
}

/** Balance and held money, as "50.00, 20.00 held". */
export async function walletOf(customer: StoryCustomer): Promise<string> {
  const { balances } = await customer.vendor.api.read(`/v1/c/customer/${await customer.id()}/wallet`);
  const [wallet] = balances;
  return wallet === undefined ? '0.00, 0.00 held' : `${wallet.balance}, ${wallet.held} held`;
}

/** What the sandbox has taken of a customer, in the order of its attempts. */
export async function taken(customer: StoryCustomer): Promise<string[]> {
  const id = await customer.id();
  return withTestDatabase(async (db) => {
    const rows = await db.query<{ amount: string }>(
      `select s.amount::text as amount from sandbox_charge s join payment_attempt a on a.provider_key = s.key
       where a.customer_id = $1 and s.status not in ('refused', 'waiting') order by a.created, a.id`,
      [id],
    );
    return rows.map(({ amount }) => amount);
  });
}

/** Types of the events about an object, in order. */
export async function eventsOf({ vendor }: StoryCustomer, object: string): Promise<string[]> {
  const { hits } = await vendor.api.read(`/v1/c/event?object=${object}&limit=100`);
  return hits.map(({ type }: AnyJson) => type.replace('v1.', ''));
}

/** The attempts to pay a gate, in the order in which they were opened. */
export const chargesOf = (gateId: string) =>
  withTestDatabase((db) =>
    db.query<{ id: string; method: string; status: string; waits: boolean }>(
      'select id, method_id as method, status, ask_at is not null as waits from payment_attempt where gate_id = $1 order by id',
      [gateId],
    ),
  );

/** The first attempt to pay a gate, once its provider has said that it takes time. */
export const waitingCharge = (gateId: string) =>
  eventually(async () => {
    const [first] = await chargesOf(gateId);
    if (first === undefined || !first.waits) throw new Error(`the gate ${gateId} has no attempt that waits: ${JSON.stringify(first)}`);
    return first;
  });

/** The same in words, as "failed" or "processing, waits". */
export const attemptsOf = async (gateId: string): Promise<string[]> =>
  (await chargesOf(gateId)).map(({ status, waits }) => (waits ? `${status}, waits` : status));

/** The bank has taken the money, whatever the processor knew of it before. */
export const paysAllTheSame = (attemptId: string): Promise<void> =>
  withTestDatabase((db) => db.transaction((tx) => paysWithin(tx, attemptId)));

/**
 * The same in a transaction that has begun.
 *
 * @throws where the sandbox was not asked yet: wait for the charge first
 */
export async function paysWithin(tx: Tx, attemptId: string): Promise<void> {
  const [charge] = await tx.query<{ reference: string }>(
    `update sandbox_charge set status = 'taken', reason = null
      where key = (select provider_key from payment_attempt where id = $1) returning reference`,
    [attemptId],
  );
  if (charge === undefined) throw new Error(`the sandbox knows no charge for ${attemptId}`);
  const outcome: ChargeOutcome = { status: 'succeeded', reference: charge.reference };
  await recordOutcome(tx, attemptId, outcome, []);
}
