import type { AnyJson } from '../support/api.ts';
import type { Act } from './acts.ts';
import { CYCLES } from './catalogue.ts';
import { iso, look, pick, pickContract, tried, type World } from './world.ts';

const DAY = 86_400_000;

/** Ways to sign; most contracts are plain. */
const TERMS: readonly ((world: World) => AnyJson)[] = [
  () => ({}),
  () => ({}),
  () => ({ usage_period_closing_policy: 'manual' }),
  () => ({ usage_period_closing_policy: '1 hour' }),
  () => ({ usage_period_closing_policy: '1 day' }),
  () => ({ free_trial_days: 5 }),
  (world) => ({ activation: iso(world.now() + 3 * DAY) }),
  () => ({ is_pending: true }),
  (world) => ({ expiration: iso(world.now() + 40 * DAY) }),
  () => ({ cycle_start_offset: 0 }),
  (world) => ({ discount_id: world.discounts[0] }),
  (world) => ({ discount_id: world.discounts[1], free_cycles: 1 }),
  () => ({ invoice_trigger: 'manual' }),
  () => ({ due_date_policy: 'end_of_period' }),
  () => ({ net_days: 20 }),
  () => ({ invoice_threshold: '1.50' }),
  () => ({ invoice_threshold: '0.40', usage_period_closing_policy: '1 day' }),
  () => ({ automatic_payment: false }),
  (world) => ({ activation: iso(world.now() - 2 * DAY) }),
];

export const sign: Act = async (world, { a, b, c }) => {
  const plan = pick(world.plans, b);
  if (plan === undefined) return;
  const terms = pick(TERMS, c)?.(world);
  const cycle = pick(CYCLES[plan.slug] ?? [], c);
  const id = await tried<string>(world, '/v1/c/contract', {
    customer: pick(world.customers, a),
    plan: plan.id,
    currency: 'usd',
    cycle,
    ...terms,
  });
  if (id !== null) world.contracts.push(id);
};

function requestOf(world: World, b: number, c: number): AnyJson {
  const activation = [
    null,
    { type: 'immediate' },
    { type: 'next_cycle' },
    { type: 'date', date: iso(world.now() + ((c % 7) + 1) * 5 * DAY + (c % 3)) },
  ][c % 4];
  if (b % 3 === 0) {
    const units = { seats: String((b % 12) + 1) };
    const upgrade_configuration = { upgrade_strategy: 'change_unit_count', unit_count_configuration: units, activation };
    return { upgrade_configuration, downgrade_allowed: c % 5 === 0 };
  }
  const plan = pick(world.plans.slice(0, 5), b);
  const cycle = pick(CYCLES[plan?.slug ?? ''] ?? [], c);
  const discount = c % 11 === 0 ? { discount_id: world.discounts[0] } : {};
  const upgrade_configuration = { upgrade_strategy: 'new_plan', plan_id: plan?.id, cycle, activation, ...discount };
  return { upgrade_configuration, downgrade_allowed: c % 3 === 0 };
}

export const change: Act = async (world, { a, b, c }) => {
  const from = pickContract(world, a);
  if (from === undefined) return;
  const to = await tried<string>(world, `/v1/c/contract/${from}/upgrade`, requestOf(world, b, c));
  if (to !== null) changed(world, from, to);
};

function changed(world: World, from: string, to: string): void {
  if (world.contracts.includes(to)) throw new Error(`the change of ${from} answered ${to}, a contract there was before`);
  world.contracts.push(to);
  world.journal.changes.push({ from, to });
}

/** The estimate's ids become the real ones; an immediate change's invoices are written as they were shown. */
export const changeAsEstimated: Act = async (world, { a, b, c }) => {
  const from = pickContract(world, a);
  if (from === undefined) return;
  const request = requestOf(world, b, c);
  const estimate = await tried<AnyJson>(world, `/v1/c/contract/${from}/upgrade_estimate`, request);
  if (estimate === null) return;
  const to = await tried<string>(world, `/v1/c/contract/${from}/upgrade`, { ...request, estimate_token: estimate.estimate_token });
  if (to === null) return;
  changed(world, from, to);
  const { contract_summary } = await look(world, `/v1/c/contract/${from}`);
  const { invoice_trigger, usage_period_closing_policy } = contract_summary.configuration;
  if (contract_summary.status !== 'moved' || invoice_trigger !== 'immediate') return;
  // usage that closes later is shown with the estimate, and invoiced when it closes
  const current = usage_period_closing_policy === 'automatic' ? estimate.remains_to_pay_current_contract : [];
  for (const shown of [...estimate.price_on_new_contract, ...current] as AnyJson[]) {
    const written = await look(world, `/v1/c/invoice/${shown.invoice.id}`);
    const figures = ({ invoice, invoice_items }: AnyJson) => [
      invoice.total,
      ...invoice_items.map((item: AnyJson) => `${item.name} ${item.unit_count} ${item.subtotal} ${item.total_including_tax}`).sort(),
    ];
    const [expected, real] = [figures(shown), figures(written)].map((lines) => JSON.stringify(lines));
    if (expected !== real) throw new Error(`the change of ${from} was estimated at ${expected} and billed ${real}`);
  }
};

export const undo: Act = async (world, { a }) => {
  const id = pickContract(world, a);
  if (id !== undefined) await tried(world, `/v1/c/contract/${id}/change_undo`);
};

export const cancel: Act = async (world, { a, b, c }) => {
  const id = pickContract(world, a);
  if (id === undefined) return;
  const when = [{ type: 'end_of_cycle' }, { type: 'date', date: iso(world.now() + ((c % 40) + 1) * DAY) }, { type: 'now' }][b % 3];
  await tried(world, `/v1/c/contract/${id}/cancel`, { when, credit: c % 2 === 0 });
};

export const cancelUndo: Act = async (world, { a }) => {
  const id = pickContract(world, a);
  if (id !== undefined) await tried(world, `/v1/c/contract/${id}/cancel_undo`);
};

export const activate: Act = async (world, { a, b }) => {
  const id = pickContract(world, a);
  if (id !== undefined) await tried(world, `/v1/c/contract/${id}/activate`, b % 2 === 0 ? {} : { activation: iso(world.now() + 2 * DAY) });
};

export const charge: Act = async (world, { a, b }) => {
  const id = pickContract(world, a);
  if (id === undefined) return;
  const line = await tried<string>(world, `/v1/c/contract/${id}/charge`, {
    feature_slug: 'report',
    ...(b % 2 === 0 ? {} : { units: '1' }),
  });
  if (line !== null) world.journal.charges.push(line);
};
