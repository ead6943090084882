import type { AnyJson } from '../support/api.ts';
import { withTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import type { Act } from './acts.ts';
import { CYCLES } from './catalogue.ts';
import { look, pick, pickContract, tried, type World } from './world.ts';

/** `sandbox_needs_action` waits for the customer, `sandbox_slow` for a day. */
const METHODS = ['sandbox_needs_action', 'sandbox_ok', 'sandbox_slow', 'sandbox_declined', 'sandbox_answers_twice'];

/** Another card, by which gates that are open are paid from now on. */
export const chooseMethod: Act = async (world, { a, b }) => {
  await takeUpPaid(world);
  await usesMethod(world, pick(world.customers, a) ?? '', b);
};

async function usesMethod(world: World, customer: string, b: number): Promise<void> {
  const request = { provider: 'sandbox', detach_previous_on_success: b % 2 === 0 };
  const session = await tried<AnyJson>(world, `/v1/c/customer/${customer}/payment/session`, request);
  if (session === null) return;
  const confirm = () => tried<AnyJson>(world, `/v1/c/payment/session/${session.token}/confirm`, { payment_method: pick(METHODS, b) });
  // one that the bank asks about is set up by the second confirmation
  if ((await confirm())?.status === 'pending') await confirm();
  const methods = await look(world, `/v1/c/customer/${customer}/payment/method`);
  const payment_method = (b % 3 === 0 ? pick<AnyJson>(methods, b) : methods.at(-1))?.id;
  if (payment_method !== undefined) await tried(world, `/v1/c/customer/${customer}/payment/method_selection`, { payment_method });
}

/** A signing or a change that is made once it is paid, half of them by another card than before. */
export const gate: Act = async (world, { a, b, c }) => {
  const payment_gate = { expires_in_hours: (b % 72) + 1 };
  const plan = pick(world.plans, b);
  const cycle = pick(CYCLES[plan?.slug ?? ''] ?? [], c);
  const from = c % 3 === 0 ? undefined : pickContract(world, a);
  const customer =
    from === undefined ? pick(world.customers, a) : (await look(world, `/v1/c/contract/${from}`)).contract_summary.customer_id;
  if (c % 2 === 0) await usesMethod(world, customer, a + b);
  const upgrade_configuration = { upgrade_strategy: 'new_plan', plan_id: plan?.id, cycle, activation: { type: 'immediate' } };
  const made =
    from === undefined
      ? await tried<string>(world, '/v1/c/contract', { customer, plan: plan?.id, currency: 'usd', cycle, payment_gate })
      : await tried<string>(world, `/v1/c/contract/${from}/upgrade`, { upgrade_configuration, downgrade_allowed: true, payment_gate });
  if (made !== null) world.journal.gates.push(made);
  await takeUpPaid(world);
};

/** Contracts whose payment has come, or that had nothing to pay, are there for the other acts. */
async function takeUpPaid(world: World): Promise<void> {
  for (const id of world.journal.gates.filter((one) => !world.contracts.includes(one))) {
    const { awaiting_payment, contract_summary } = await look(world, `/v1/c/contract/${id}`);
    if (awaiting_payment === null && contract_summary.status !== 'canceled') world.contracts.push(id);
  }
}

/** A customer confirms a charge at the bank or refuses it; the provider says so when it is asked. */
export const decideAtBank: Act = async ({ customers, servers }, { a, b }) => {
  const [status, reason] = b % 3 === 0 ? ['refused', 'authentication_failed'] : ['taken', null];
  const decide = () =>
    withTestDatabase(
      (db) =>
        db.query(
          `update sandbox_charge set status = $2, reason = $3 where key = (
             select s.key from sandbox_charge s join payment_attempt p on p.provider_key = s.key
             where p.customer_id = $1 and s.status = 'waiting' order by s.key limit 1)`,
          [pick(customers, a), status, reason],
        ),
      servers,
    );
  await eventually(decide, { every: 200 });
};

/** Takes back what waits for its payment. */
export const dropGated: Act = async (world, { a }) => {
  const id = pick(world.journal.gates.slice(-3), a);
  if (id !== undefined) await tried(world, `/v1/c/contract/${id}/cancel`, { when: { type: 'now' } });
};
