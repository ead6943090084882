import type { Instant } from '../../billing/calendar/instant.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { Database } from '../../db/connect.ts';
import { Agenda } from '../../db/entities/agenda.ts';
import { TestClock } from '../../db/entities/vendor.ts';
import { type OverdueOfVendor, overdueOfVendor } from '../../db/sql/agenda/overdue-of-vendor.ts';
import { type ParkedContract, readParked } from './parked.ts';

/** A parked contract, and since when something waits for it to be resumed. */
export type WaitingContract = ParkedContract & { dueSince: Instant | null };

/** What is due and not done, on one clock. */
export interface DueView {
  parked: WaitingContract[];
  /** the longest due first */
  overdue: OverdueOfVendor[];
  hasMore: boolean;
  /** the newest test clocks, to look at one of them */
  clocks: { id: string; name: string | null }[];
}

const MOST_OVERDUE = 50;
const MOST_HELD = 200;
const MOST_CLOCKS = 20;

/**
 * @param clockId null: the wall clock
 * @throws Refusal `test_clock_not_found`
 */
export async function dueView(db: Database, vendorId: string, clockId: string | null): Promise<DueView> {
  const em = db.em();
  if (clockId !== null && (await em.count(TestClock, { id: clockId, vendorId })) === 0)
    throw new Refusal('test_clock_not_found', `There is no test clock ${clockId}.`);
  const found = await overdueOfVendor(db, vendorId, clockId, MOST_OVERDUE + 1);
  const newest = { orderBy: { created: 'desc', id: 'desc' }, limit: MOST_CLOCKS } as const;
  return {
    parked: await withDue(db, await readParked(db, vendorId, clockId)),
    overdue: found.slice(0, MOST_OVERDUE),
    hasMore: found.length > MOST_OVERDUE,
    clocks: await em.find(TestClock, { vendorId }, { fields: ['id', 'name'], ...newest }),
  };
}

async function withDue(db: Database, parked: readonly ParkedContract[]): Promise<WaitingContract[]> {
  if (parked.length === 0) return [];
  const held = { contractId: { $in: parked.map(({ id }) => id) }, held: true };
  const rows = await db.em().find(Agenda, held, { fields: ['contractId', 'dueAt'], orderBy: { dueAt: 'asc' }, limit: MOST_HELD });
  return parked.map((one) => ({ ...one, dueSince: rows.find(({ contractId }) => contractId === one.id)?.dueAt ?? null }));
}
