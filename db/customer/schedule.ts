import type { EntityManager } from '@mikro-orm/postgresql';
import { Agenda, type AgendaRecord } from '../entities/agenda.ts';
import { Customer } from '../entities/customer.ts';
import { TestClock } from '../entities/vendor.ts';

/** What is due of a customer and belongs to no contract, earliest first, a few. */
interface CustomerDue {
  vendorId: string;
  clockId: string | null;
  due: (Pick<AgendaRecord, 'id' | 'kind' | 'dueAt' | 'detail'> & { onClock: boolean })[];
}

const SHOWN = 8;

/** What a customer's workflow carries out also on a test clock, as long as that stands still. */
export const ON_IDLE_CLOCK: ReadonlySet<string> = new Set(['credit_top_up', 'credit_look', 'wallet_rest']);

/**
 * What a caller has made due on a test clock that stands still: nobody advances it, so the customer's own workflow does
 * that now. On one that moves the clock's workflow does it in its order.
 */
async function dueOnIdleClock(em: EntityManager, clockId: string, rows: readonly AgendaRecord[]): Promise<CustomerDue['due']> {
  const clock = await em.findOne(TestClock, { id: clockId, status: 'ready' });
  const due = rows.filter(({ kind, dueAt, testClockId }) => testClockId !== null && ON_IDLE_CLOCK.has(kind) && dueAt <= (clock?.now ?? 0));
  return due.map(({ id, kind, detail }) => ({ id, kind, dueAt: 0, detail, onClock: false }));
}

/**
 * @param stuck kinds of which a row stays due: they may be all that is read, so the first row of another kind is read,
 *   too
 */
export async function readCustomerSchedule(
  em: EntityManager,
  customerId: string,
  stuck: readonly string[] = [],
): Promise<CustomerDue | null> {
  const customer = await em.findOne(Customer, { id: customerId }, { fields: ['vendorId', 'clockId'] });
  if (customer === null) return null;
  const rows = { workflowId: `customer:${customerId}`, held: false };
  // on a test clock, what is due by the wall clock first: the workflow itself carries out nothing else
  const order = { testClockId: 'asc nulls first', dueAt: 'asc', id: 'asc' } as const;
  const first = await em.find(Agenda, rows, { orderBy: order, limit: SHOWN });
  const beside = stuck.length === 0 ? [] : await em.find(Agenda, { ...rows, kind: { $nin: [...stuck] } }, { orderBy: order, limit: 1 });
  const found = [...first, ...beside.filter(({ id }) => !first.some((one) => one.id === id))];
  const due = found.map(({ id, kind, dueAt, detail, testClockId }) => ({ id, kind, dueAt, detail, onClock: testClockId !== null }));
  const asked = customer.clockId === null ? [] : await dueOnIdleClock(em, customer.clockId, found);
  if (asked.length > 0) return { vendorId: customer.vendorId, clockId: customer.clockId, due: asked };
  return { vendorId: customer.vendorId, clockId: customer.clockId, due };
}
