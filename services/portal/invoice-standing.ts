import type { EntityManager } from '@mikro-orm/postgresql';
import type { Instant } from '../../billing/calendar/instant.ts';
import { isCredited } from '../../billing/invoice/is-credited.ts';
import { isOverdue } from '../../billing/invoice/overdue.ts';
import type { Currency } from '../../billing/money/currency.ts';
import { dec } from '../../billing/money/decimal.ts';
import { Agenda } from '../../db/entities/agenda.ts';
import type { InvoiceEntity } from '../../db/entities/invoice.ts';
import { PaymentAttempt } from '../../db/entities/payment.ts';
import { waitsForCustomer } from '../payment/second-step.ts';

/**
 * `credited`: credit notes took all of it back before anybody paid. `open`: waits to be paid. `processing`: a payment
 * is under way. `unconfirmed`: one waits until the customer confirms it at the bank. `failed`: the last try to take the
 * money failed.
 */
export type InvoiceStanding = 'paid' | 'credited' | 'open' | 'processing' | 'unconfirmed' | 'failed';

/** An invoice as its customer sees it. */
export interface PortalInvoice {
  kind: 'invoice';
  id: string;
  number: string;
  at: Instant;
  dueDate: Instant;
  currency: Currency;
  total: string;
  amountDue: string;
  standing: InvoiceStanding;
  /** its due day has passed on the customer's clock and something is open */
  isOverdue: boolean;
  /** why the last try failed, as the provider says it */
  reason: string | null;
  /** when it is collected by itself; null when it isn't */
  collectedAt: Instant | null;
}

/** Invoices with how they stand, at an instant of the customer's clock. */
export async function withStanding(em: EntityManager, invoices: readonly InvoiceEntity[], now: Instant): Promise<PortalInvoice[]> {
  const standings = new Map(invoices.map((invoice) => [invoice.id, standingOf(invoice)]));
  const ids = (...kinds: InvoiceStanding[]) => [...standings].filter(([, standing]) => kinds.includes(standing)).map(([id]) => id);
  for (const id of await unconfirmed(em, ids('processing'))) standings.set(id, 'unconfirmed');
  const reasons = await lastReasons(em, ids('failed'));
  const collected = await collections(em, ids('open', 'failed'));
  return invoices.map((invoice) => {
    const { id, number, date: at, dueDate, currency, total, amountDue } = invoice;
    const standing = standings.get(id) ?? 'open';
    const facts = { kind: 'invoice' as const, id, number, at, dueDate, currency, total, amountDue, standing };
    return {
      ...facts,
      isOverdue: standing !== 'paid' && standing !== 'credited' && isOverdue(dueDate, now),
      reason: reasons.get(id) ?? null,
      collectedAt: collected.get(id) ?? null,
    };
  });
}

function standingOf(invoice: InvoiceEntity): InvoiceStanding {
  const { status, amountDue, depositTransactionStatus } = invoice;
  if (isCredited(invoice)) return 'credited';
  if (status === 'paid' || dec(amountDue).isZero()) return 'paid';
  return depositTransactionStatus === 'processing' || depositTransactionStatus === 'failed' ? depositTransactionStatus : 'open';
}

/** The invoices whose payment is under way and has to be confirmed by the customer. */
async function unconfirmed(em: EntityManager, invoiceIds: readonly string[]): Promise<string[]> {
  if (invoiceIds.length === 0) return [];
  const attempts = await em.find(PaymentAttempt, { invoiceId: { $in: [...invoiceIds] }, status: 'processing' });
  return attempts.filter(waitsForCustomer).flatMap(({ invoiceId }) => invoiceId ?? []);
}

/** Why the newest failed try of each invoice failed. */
async function lastReasons(em: EntityManager, invoiceIds: readonly string[]): Promise<Map<string, string | null>> {
  if (invoiceIds.length === 0) return new Map();
  const attempts = await em
    .createQueryBuilder(PaymentAttempt)
    .select('*')
    .distinctOn('invoiceId')
    .where({ invoiceId: { $in: [...invoiceIds] }, status: 'failed' })
    .orderBy({ invoiceId: 'asc', created: 'desc', id: 'desc' })
    .getResult();
  return new Map(attempts.flatMap(({ invoiceId, reason }) => (invoiceId === null ? [] : [[invoiceId, reason] as const])));
}

/** When invoices are collected by themselves. */
async function collections(em: EntityManager, invoiceIds: readonly string[]): Promise<Map<string, Instant>> {
  if (invoiceIds.length === 0) return new Map();
  const rows = await em.find(Agenda, { kind: { $in: ['payment_due', 'payment_retry'] }, subject: { $in: [...invoiceIds] } });
  return new Map(rows.map(({ subject, dueAt }) => [subject, dueAt]));
}
