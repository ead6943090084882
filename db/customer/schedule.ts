import type { EntityManager } from '@mikro-orm/postgresql';
import { Agenda, type AgendaRecord } from '../entities/agenda.ts';
import { Customer } from '../entities/customer.ts';

/** What is due of a customer and belongs to no contract, earliest first, a few. */
interface CustomerDue {
  vendorId: string;
  clockId: string | null;
  due: Pick<AgendaRecord, 'kind' | 'dueAt' | 'detail'>[];
}

const SHOWN = 8;

export async function readCustomerSchedule(em: EntityManager, customerId: string): Promise<CustomerDue | null> {
  const customer = await em.findOne(Customer, { id: customerId }, { fields: ['vendorId', 'clockId'] });
  if (customer === null) return null;
  const rows = { workflowId: `customer:${customerId}`, held: false };
  const due = await em.find(Agenda, rows, { orderBy: { dueAt: 'asc', id: 'asc' }, limit: SHOWN });
  return { vendorId: customer.vendorId, clockId: customer.clockId, due };
}
