import type { EntityManager } from '@mikro-orm/postgresql';
import { Agenda, type AgendaRecord } from '../entities/agenda.ts';
import { Customer } from '../entities/customer.ts';

/** What is due of a customer and belongs to no contract, earliest first, a few. */
interface CustomerDue {
  vendorId: string;
  clockId: string | null;
  due: (Pick<AgendaRecord, 'kind' | 'dueAt' | 'detail'> & { onClock: boolean })[];
}

const SHOWN = 8;

export async function readCustomerSchedule(em: EntityManager, customerId: string): Promise<CustomerDue | null> {
  const customer = await em.findOne(Customer, { id: customerId }, { fields: ['vendorId', 'clockId'] });
  if (customer === null) return null;
  const rows = { workflowId: `customer:${customerId}`, held: false };
  // on a test clock, what is due by the wall clock first: the workflow itself carries out nothing else
  const order = { testClockId: 'asc nulls first', dueAt: 'asc', id: 'asc' } as const;
  const found = await em.find(Agenda, rows, { orderBy: order, limit: SHOWN });
  const due = found.map(({ kind, dueAt, detail, testClockId }) => ({ kind, dueAt, detail, onClock: testClockId !== null }));
  return { vendorId: customer.vendorId, clockId: customer.clockId, due };
}
