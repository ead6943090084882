import type { CustomerRecord } from '../../../db/customer/customer.ts';
import type { Visit } from '../../http/visit.ts';
import { customerAddress, linkTo } from '../links.ts';
import { customerBadge } from '../words.ts';

/** Columns and rows of a table of customers. */
export function customerTable(visit: Visit, customers: readonly CustomerRecord[]) {
  const { t, format } = visit;
  const columns = [
    { title: t('customer.name') },
    { title: t('customer.email') },
    { title: t('customer.reference') },
    { title: t('customer.status') },
    { title: t('customer.since') },
  ];
  const rows = customers.map((customer) => [
    linkTo(customerAddress(customer.id), customer.name || t('customer.no_name')),
    Object.values(customer.emails)[0] ?? null,
    customer.customerReference,
    customerBadge(visit, customer),
    format.shortDay(customer.created),
  ]);
  return { columns, rows };
}
