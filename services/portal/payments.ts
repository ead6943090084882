import type { EntityManager } from '@mikro-orm/postgresql';
import type { Instant } from '../../billing/calendar/instant.ts';
import type { Currency } from '../../billing/money/currency.ts';
import { dec, sum } from '../../billing/money/decimal.ts';
import type { MethodDetails, MethodType } from '../../billing/payment/types.ts';
import { Invoice } from '../../db/entities/invoice.ts';
import { PaymentAttempt, PaymentRefund } from '../../db/entities/payment.ts';
import { PaymentMethod } from '../../db/entities/payment-method.ts';
import { behind, cutToPage, PAGE_ROWS, type Place, type PortalPage } from './place.ts';
import type { PortalVisitor } from './token.ts';

/** One try to pay an invoice, as its customer sees it. */
export interface PortalPayment {
  id: string;
  at: Instant;
  /** null: of a change or a contract that waits for it, or wasn't paid in time */
  invoiceId: string | null;
  invoiceNumber: string;
  amount: string;
  currency: Currency;
  status: 'processing' | 'succeeded' | 'failed';
  /** why it failed, or what it waits for, as the provider says it */
  reason: string | null;
  /** null for what the vendor recorded by hand */
  method: { type: MethodType; details: MethodDetails } | null;
  /** what was given back of it */
  refunded: string;
}

/** One page of a customer's payments, newest first, in a fixed number of statements. */
export async function portalPayments(
  em: EntityManager,
  { customerId }: Pick<PortalVisitor, 'customerId'>,
  after: Place | null = null,
): Promise<PortalPage<PortalPayment>> {
  const found = await em.find(
    PaymentAttempt,
    { customerId, ...behind('created', after) },
    { orderBy: { created: 'desc', id: 'desc' }, limit: PAGE_ROWS + 1 },
  );
  const { rows, next } = cutToPage(found, PAGE_ROWS, ({ created: at, id }) => ({ at, id }));
  if (rows.length === 0) return { rows: [], next };
  const invoices = await em.find(Invoice, { id: { $in: rows.flatMap(({ invoiceId }) => invoiceId ?? []) } });
  const methods = await em.find(PaymentMethod, { id: { $in: rows.flatMap(({ methodId }) => methodId ?? []) } });
  const refunds = await em.find(PaymentRefund, { attempt: { $in: rows.map(({ id }) => id) }, status: 'succeeded' });
  const numberOf = new Map(invoices.map(({ id, number }) => [id, number]));
  const methodOf = new Map(methods.map(({ id, type, details }) => [id, { type, details }]));
  const refundsOf = Map.groupBy(refunds, ({ attempt }) => attempt.id);
  const payments = rows.map(({ id, created, ended, invoiceId, amount, currency, status, reason, methodId }): PortalPayment => {
    const refunded = sum((refundsOf.get(id) ?? []).map((refund) => dec(refund.amount))).toFixed();
    const facts = { id, at: ended ?? created, invoiceId, amount, currency, status, reason, refunded };
    return { ...facts, invoiceNumber: numberOf.get(invoiceId ?? '') ?? '', method: methodOf.get(methodId ?? '') ?? null };
  });
  return { rows: payments, next };
}
