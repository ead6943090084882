import type { Database } from '../../db/connect.ts';
import { Agenda } from '../../db/entities/agenda.ts';
import { Customer } from '../../db/entities/customer.ts';
import { clockList } from '../../db/sql/clock/list.ts';
import { type ClockRecord, readClockWithNextDue } from '../../db/sql/clock/read-with-next-due.ts';
import type { NextDue } from '../../db/sql/contract/timeline.ts';
import { type Newest, readNewest } from '../../db/sql/list/newest.ts';
import { LIST_ROWS, type ListPart } from './lists.ts';

/** What the page of a test clock shows. */
export interface ClockView {
  clock: ClockRecord;
  /** what is due first on it */
  due: (NextDue & { customerId: string; contractId: string | null })[];
  /** its newest customers */
  customers: { id: string; name: string }[];
  hasMore: boolean;
}

const DUE_ROWS = 10;
const MOST_CUSTOMERS = 20;

/** The vendor's test clocks, newest first. */
export const newestClocks = (db: Database, vendorId: string, { after = null, rows = LIST_ROWS }: ListPart): Promise<Newest<ClockRecord>> =>
  readNewest<ClockRecord>(db, clockList(vendorId), after, rows);

/** A test clock of the vendor; null when there is none. */
export async function clockView(db: Database, vendorId: string, id: string): Promise<ClockView | null> {
  const em = db.em();
  const clock = await readClockWithNextDue(db, vendorId, id);
  if (clock === null) return null;
  const fields = ['kind', 'dueAt', 'held', 'customerId', 'contractId'] as const;
  const due = await em.find(Agenda, { testClockId: id }, { fields, orderBy: { dueAt: 'asc', id: 'asc' }, limit: DUE_ROWS });
  const newest = { orderBy: { created: 'desc', id: 'desc' }, limit: MOST_CUSTOMERS + 1 } as const;
  const customers = await em.find(Customer, { clockId: id, vendorId }, { fields: ['id', 'name'], ...newest });
  return { clock, due, customers: customers.slice(0, MOST_CUSTOMERS), hasMore: customers.length > MOST_CUSTOMERS };
}
