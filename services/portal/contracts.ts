import type { EntityManager } from '@mikro-orm/postgresql';
import type { Instant } from '../../billing/calendar/instant.ts';
import type { Pause } from '../../billing/calendar/pauses.ts';
import { isLive, whenAt } from '../../billing/contract/period/time.ts';
import type { Contract } from '../../billing/contract/types.ts';
import type { Queryable } from '../../db/connect.ts';
import { KnownContracts } from '../../db/contract/known.ts';
import { ContractRecord } from '../../db/entities/contract.ts';
import { CustomerPause } from '../../db/entities/customer.ts';
import { isLate } from '../../db/sql/agenda/is-late.ts';
import { readRunningCounters } from '../../db/sql/usage/read-running-counters.ts';
import { readCustomersNow } from '../contract/standing.ts';
import { behind, cutToPage, type Place, type PortalPage } from './place.ts';
import type { PortalVisitor } from './token.ts';

/** A contract as its customer sees it. */
export interface PortalContract {
  contract: Contract;
  pauses: Pause[];
  /** units counted in the running period, by feature */
  used: ReadonlyMap<string, string>;
  /** the change that waits: what the contract will be, and when */
  change: { to: Contract; at: Instant | null } | null;
}

/** Contracts that one page shows; a longer list goes on behind the last. */
const CONTRACTS_SHOWN = 20;

const LIVE = ['active', 'pending', 'scheduled', 'not_ready'] as const;

/** The live contracts of a customer, the newest first, in a fixed number of statements. */
export async function portalContracts(
  db: Queryable,
  em: EntityManager,
  { customerId }: Pick<PortalVisitor, 'customerId'>,
  after: Place | null = null,
): Promise<PortalPage<PortalContract>> {
  const live = { customerId, ended: null, status: { $in: [...LIVE] }, isSuccessor: false };

  const found = await em.find(
    ContractRecord,
    { ...live, ...behind('created', after) },
    { orderBy: { created: 'desc', id: 'desc' }, limit: CONTRACTS_SHOWN + 1 },
  );
  const { rows, next } = cutToPage(found, CONTRACTS_SHOWN, ({ created: at, id }) => ({ at, id }));
  const placed = await withSurroundings(db, em, customerId, rows);
  return { rows: placed.filter(({ contract }) => isLive(contract)), next };
}

/**
 * A contract of the customer, by its own id or by that of an earlier one of its chain; null when the customer has no
 * such contract.
 */
export async function portalContract(
  db: Queryable,
  em: EntityManager,
  { vendorId, customerId }: PortalVisitor,
  id: string,
): Promise<PortalContract | null> {
  const asked = await em.findOne(ContractRecord, { id, vendorId, customerId });
  if (asked === null) return null;
  const isCurrent = asked.status !== 'moved' && !asked.isSuccessor;
  const current = isCurrent
    ? asked
    : await em.findOne(
        ContractRecord,
        { rootId: asked.rootId, isSuccessor: false, status: { $ne: 'moved' } },
        { orderBy: { created: 'desc' } },
      );
  const [found] = current === null ? [] : await withSurroundings(db, em, customerId, [current]);
  return found ?? null;
}

async function withSurroundings(
  db: Queryable,
  em: EntityManager,
  customerId: string,
  contracts: readonly Contract[],
): Promise<PortalContract[]> {
  if (contracts.length === 0) return [];
  const pauses = await pausesOfCustomer(em, customerId);
  const successors = await successorsOf(em, contracts);
  const used = new Map<string, Map<string, string>>();
  const ids = contracts.map(({ id }) => id);
  for (const { contractId, slug, units } of await readRunningCounters(db, ids)) {
    used.set(contractId, (used.get(contractId) ?? new Map<string, string>()).set(slug, units));
  }
  const stored = contracts.map((contract) => {
    const { pendingChange } = contract;
    const to = pendingChange === null ? undefined : successors.get(pendingChange.successorId);
    const change = pendingChange === null || to === undefined ? null : { to, at: whenAt(contract, pendingChange.when, pauses) };
    return { contract, pauses, used: used.get(contract.id) ?? new Map(), change };
  });
  return asOfNow(db, customerId, stored);
}

/** Where timers are late: the contracts advanced in memory, and in the place of one that has moved the one after it. */
async function asOfNow(db: Queryable, customerId: string, placed: readonly PortalContract[]): Promise<PortalContract[]> {
  if (!(await isLate(db, customerId))) return [...placed];
  const [now] = await readCustomersNow(db, new KnownContracts(), [{ customerId, rootId: null, contractId: null }]);
  return placed.map((one) => {
    const own = now?.contracts.get(one.contract.id);
    const found = own?.contract.status === 'moved' ? now?.contracts.get(own.contract.successorId ?? '') : own;
    if (found === undefined) return one;
    const { contract, used } = found;
    return { ...one, contract, used: new Map(Object.entries(used)), change: contract.pendingChange === null ? null : one.change };
  });
}

async function successorsOf(em: EntityManager, contracts: readonly Contract[]): Promise<Map<string, Contract>> {
  const ids = contracts.flatMap(({ pendingChange }) => pendingChange?.successorId ?? []);
  const successors = ids.length === 0 ? [] : await em.find(ContractRecord, { id: { $in: ids } });
  return new Map(successors.map((successor) => [successor.id, successor]));
}

/** The freezes of a customer, oldest first. */
async function pausesOfCustomer(em: EntityManager, customerId: string): Promise<Pause[]> {
  const pauses = await em.find(CustomerPause, { customer: customerId }, { orderBy: { began: 'asc' } });
  return pauses.map(({ began: from, ended: to }) => ({ from, to }));
}
