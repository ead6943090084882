import type { Instant } from '../../billing/calendar/instant.ts';
import { planFreeze, planUnfreeze } from '../../billing/contract/freeze.ts';
import type { Life, Mint, Outcome } from '../../billing/contract/types.ts';
import type { Queryable } from '../connect.ts';
import { loadLives } from '../contract/load.ts';
import { parkContract } from '../contract/park.ts';
import { writeEffects } from '../contract/write.ts';
import { publish } from '../event/publish.ts';
import { mayPass, reasonOf } from '../fault.ts';
import { newId } from '../id.ts';
import { planCustomer } from '../payment/plan.ts';
import { insertRows, stamp } from '../rows.ts';
import { inSavepoint } from '../savepoint.ts';
import { settleWallets, turnsOfCustomer } from '../wallet/settle.ts';
import { recordWishes } from '../wish/record.ts';
import { type HeldCustomer, holdCustomer } from './hold.ts';

interface CustomerAct {
  notes: string | null;
  keyId: string | null;
}

interface CustomerChanged {
  /** false: it was so already, nothing was written */
  changed: boolean;
  /** to be delivered after the commit */
  wishes: string[];
}

/**
 * Freezes a customer: what is due up to now happens first, then all its contracts stand still. One that can't is parked with the reason.
 * Freezing twice changes nothing.
 *
 * @throws Refusal `customer_not_found`, `clock_advancing`
 */
export async function freezeCustomer(tx: Queryable, vendorId: string, customerId: string, act: CustomerAct): Promise<CustomerChanged> {
  const customer = await holdCustomer(tx, vendorId, customerId, { lock: 'update', frozen: 'allow' });
  if (customer.status === 'inactive') return { changed: false, wishes: [] };
  const contracts = await applyToContracts(tx, customer, planFreeze);
  await tx.query(`update customer set status = 'inactive', frozen_at = $2 where id = $1`, [customerId, stamp(customer.now)]);
  await insertRows(tx, 'customer_pause', [{ customer_id: customerId, began: stamp(customer.now), ended: null }]);
  await note(tx, customer, 'frozen', act);
  return { changed: true, wishes: [...contracts, ...(await planCustomer(tx, customerId))] };
}

/**
 * Activates a customer: completes a registration, or ends a freeze, which moves everything to come by the frozen time. What waited to be
 * collected is collected from now on. Activating an active customer changes nothing.
 *
 * @throws Refusal `customer_not_found`, `clock_advancing`
 */
export async function activateCustomer(tx: Queryable, vendorId: string, customerId: string, act: CustomerAct): Promise<CustomerChanged> {
  const customer = await holdCustomer(tx, vendorId, customerId, { lock: 'update', frozen: 'allow' });
  if (customer.status === 'active') return { changed: false, wishes: [] };
  const wishes = customer.status === 'inactive' ? await thaw(tx, customer) : [];
  await tx.query(`update customer set status = 'active', frozen_at = null where id = $1`, [customerId]);
  await note(tx, customer, 'activated', act);
  await settleWallets(tx, await turnsOfCustomer(tx, vendorId, customerId, customer.now));
  return { changed: true, wishes: [...wishes, ...(await planCustomer(tx, customerId))] };
}

async function thaw(tx: Queryable, customer: HeldCustomer): Promise<string[]> {
  const wishes = await applyToContracts(tx, customer, planUnfreeze);
  await tx.query('update customer_pause set ended = $2 where customer_id = $1 and ended is null', [customer.id, stamp(customer.now)]);
  // frozen for no time at all: as if it had not been
  await tx.query('delete from customer_pause where customer_id = $1 and ended <= began', [customer.id]);
  return wishes;
}

type Rule = (life: Life, now: Instant, mint: Mint) => Outcome;

/** Applies a rule to every contract that lives or still has usage to close. Parked ones make up for it when they are resumed. */
async function applyToContracts(tx: Queryable, { id, now }: HeldCustomer, rule: Rule): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `select id from contract c where customer_id = $1 and not is_successor and parked_reason is null
       and (status in ('not_ready', 'pending', 'scheduled', 'active')
         or exists (select 1 from usage_period p where p.contract_id = c.id and p.status <> 'closed'))
     order by id`,
    [id],
  );
  const ids = rows.map((row) => row.id);
  const started = await applyOrPark(tx, ids, now, rule);
  const woken = await recordWishes(
    tx,
    ids.map((workflowId) => ({ kind: 'wake_contract', workflowId, payload: {} })),
  );
  return [...started, ...woken];
}

/** All contracts at once; when that fails one by one, so that the faulty one is found and parked, and the customer's others go on. */
async function applyOrPark(tx: Queryable, ids: readonly string[], now: Instant, rule: Rule): Promise<string[]> {
  const [only] = ids;
  if (only === undefined) return [];
  try {
    return await inSavepoint(tx, () => apply(tx, ids, now, rule));
  } catch (error) {
    if (mayPass(error)) throw error;
    if (ids.length === 1) {
      await parkContract(tx, only, reasonOf(error), now);
      return [];
    }
  }
  const started: string[] = [];
  for (const id of ids) started.push(...(await applyOrPark(tx, [id], now, rule)));
  return started;
}

async function apply(tx: Queryable, ids: readonly string[], now: Instant, rule: Rule): Promise<string[]> {
  const lives = await loadLives(tx, ids, now, { lock: 'wait' });
  return writeEffects(
    tx,
    lives.map((before) => ({ before, outcome: rule(before, now, newId), at: now })),
  );
}

async function note(tx: Queryable, { id, vendorId, now }: HeldCustomer, kind: 'frozen' | 'activated', act: CustomerAct): Promise<void> {
  await insertRows(tx, 'customer_history', [{ customer_id: id, kind, notes: act.notes, key_id: act.keyId, at: stamp(now) }]);
  await publish(tx, [{ vendorId, type: `v1.customer.${kind}`, objectId: id, at: now, data: {} }]);
}
