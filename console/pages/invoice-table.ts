import type { NamedInvoice } from '../../db/sql/invoice/named-list.ts';
import type { TableColumn } from '../../portal/parts/table.ts';
import type { Visit } from '../http/visit.ts';
import { customerAddress, invoiceAddress, linkTo } from './links.ts';
import { invoiceBadge } from './words.ts';

/** Columns and rows of a table of invoices; `named`: with their customers. */
export function invoiceTable(visit: Visit, invoices: readonly NamedInvoice[], named: boolean) {
  const { t, format } = visit;
  const columns: TableColumn[] = [
    { title: t('invoice.number') },
    ...(named ? [{ title: t('customer.one') }] : []),
    { title: t('invoice.status') },
    { title: t('invoice.date') },
    { title: t('invoice.total'), number: true },
    { title: t('invoice.due'), number: true },
  ];
  const rows = invoices.map((invoice) => [
    linkTo(invoiceAddress(invoice.id), invoice.number),
    ...(named ? [linkTo(customerAddress(invoice.customerId), invoice.customerName || t('customer.no_name'))] : []),
    invoiceBadge(visit, invoice),
    format.shortDay(invoice.date),
    format.money(invoice.total, invoice.currency),
    format.money(invoice.status === 'ready_for_payment' ? invoice.amountDue : '0', invoice.currency),
  ]);
  return { columns, rows };
}
