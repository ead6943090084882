import type { Instant } from '../../billing/calendar/instant.ts';
import { movedBoundary } from '../../billing/calendar/moved-boundary.ts';
import type { Rhythm } from '../../billing/calendar/rhythm.ts';
import { rhythmOf } from '../../billing/contract/period/time.ts';
import { dec } from '../../billing/money/decimal.ts';
import type { Tx } from '../../db/connect.ts';
import { ContractRecord } from '../../db/entities/contract.ts';
import { CreditGrant } from '../../db/entities/credit.ts';
import { type MovedLife, moveLives } from '../../db/sql/credit/move-lives.ts';
import type { LockedCustomer } from '../customer/lock.ts';
import { dropExpiries, planExpiries } from './agenda.ts';

/** No credits expire while their customer is frozen. */
export async function stopExpiries(tx: Tx, customerId: string): Promise<void> {
  await dropExpiries(tx, { customerId });
}

/** Moves the lives of a customer's grants by the freeze that ends now, and plans their ends again. */
export async function moveLivesByFreeze(tx: Tx, customer: LockedCustomer, from: Instant): Promise<void> {
  const moved = await moveLives(tx, customer.id, { from, to: customer.now });
  const grants = await withTheirCycles(tx, customer, from, moved);
  await planExpiries(
    tx,
    customer,
    // what ended before the freeze waits for the last usage of its life to close, or expires with this activation
    grants.filter(({ balance, awaits, expiresAt }) => expiresAt !== null && (awaits || (dec(balance).gt(0) && expiresAt > customer.now))),
  );
}

/**
 * Lets credits of plans end with their cycles: months differ in length, so that a later cycle may end some days before
 * or after the time by which its old end has moved.
 */
async function withTheirCycles(tx: Tx, { pauses, now }: LockedCustomer, from: Instant, moved: readonly MovedLife[]): Promise<MovedLife[]> {
  const rhythms = now > from ? await rhythmsOf(tx, moved, pauses) : new Map<string, Rhythm>();
  const grants: MovedLife[] = [];
  for (const grant of moved) {
    const rhythm = rhythms.get(grant.contractId ?? '');
    const ofCycle = (at: Instant | null): Instant | null =>
      rhythm === undefined || at === null || at <= now ? at : movedBoundary(rhythm, { from, to: now }, at - (now - from));
    const [expiresAt, rolloverUntil] = [ofCycle(grant.expiresAt), ofCycle(grant.rolloverUntil)];
    if (expiresAt !== grant.expiresAt || rolloverUntil !== grant.rolloverUntil)
      await tx.em.nativeUpdate(CreditGrant, { id: grant.id }, { expiresAt, rolloverUntil });
    grants.push({ ...grant, expiresAt, rolloverUntil });
  }
  return grants;
}

/** How cycles were counted before the freeze, by the contract that gave credits: as in the one that it has become. */
async function rhythmsOf({ em }: Tx, moved: readonly MovedLife[], pauses: LockedCustomer['pauses']): Promise<Map<string, Rhythm>> {
  const ids = [...new Set(moved.flatMap(({ contractId }) => contractId ?? []))];
  if (ids.length === 0) return new Map();
  const givers = await em.find(ContractRecord, { id: { $in: ids } }, { fields: ['rootId'], disableIdentityMap: true });
  const rootId = { $in: givers.map((one) => one.rootId) };
  const live = await em.find(
    ContractRecord,
    { rootId, ended: null, isSuccessor: false, start: { $ne: null } },
    { disableIdentityMap: true },
  );
  const before = pauses.filter(({ to }) => to !== null);
  const byRoot = new Map(live.map((one) => [one.rootId, rhythmOf(one, before)]));
  return new Map(
    givers.flatMap(({ id, rootId: root }) => {
      const rhythm = byRoot.get(root);
      return rhythm === undefined ? [] : [[id, rhythm] as const];
    }),
  );
}
