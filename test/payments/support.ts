import { checkLedger, type LedgerProblem } from '../../db/sql/ledger/check.ts';
import type { AnyJson } from '../support/api.ts';
import { withTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import type { StoryCustomer } from '../support/story-customer.ts';
import { dayOf } from '../support/story-time.ts';
import type { StoryVendor } from '../support/story-vendor.ts';

/** A sandbox session of the customer, confirmed once with this method. */
export async function confirms(customer: StoryCustomer, method: string, words: Record<string, unknown> = {}): Promise<AnyJson> {
  const { api } = customer.vendor;
  const session = await api.made<AnyJson>(`/v1/c/customer/${await customer.id()}/payment/session`, {
    operation: 'add_method',
    provider: 'sandbox',
    ...words,
  });
  return api.made<AnyJson>(`/v1/c/payment/session/${session.token}/confirm`, { payment_method: method });
}

/** A sandbox method set up for the customer; gives its id. It replaces the one before. */
export async function addsMethod(customer: StoryCustomer, method: string, words: Record<string, unknown> = {}): Promise<string> {
  const { api } = customer.vendor;
  let session = await confirms(customer, method, { detach_previous_on_success: true, ...words });
  if (session.status === 'pending')
    session = await api.made<AnyJson>(`/v1/c/payment/session/${session.token}/confirm`, { payment_method: method });
  expect(session.status).toBe('succeeded');
  return (await methodsOf(customer)).at(-1)?.id ?? '';
}

export async function methodsOf(customer: StoryCustomer): Promise<AnyJson[]> {
  return customer.vendor.api.read(`/v1/c/customer/${await customer.id()}/payment/method`);
}

/** How the customer stands with its payments. */
export async function billingOf(customer: StoryCustomer): Promise<AnyJson> {
  return customer.vendor.api.read(`/v1/c/entitlement/${await customer.id()}/billing`);
}

export async function invoiceOf(customer: StoryCustomer, at: string): Promise<AnyJson> {
  const [hit] = await customer.invoicesOf(at);
  return customer.vendor.api.read(`/v1/c/invoice/${hit?.invoice.id}`);
}

/**
 * Each attempt to pay the invoice made at this instant, as "2025-01-02 failed declined 100.00"; those of methods don't
 * name them.
 */
export async function expectsPayments(customer: StoryCustomer, at: string, ...expected: string[]): Promise<void> {
  await eventually(async () => {
    const { payments } = await invoiceOf(customer, at);
    expect(payments.map(inWords)).toEqual(expected);
  });
}

const inWords = ({ at, status, reason, amount, method }: AnyJson): string =>
  [dayOf(at), method.startsWith('CPMet_') ? null : method, status, reason, amount].filter((word) => word !== null).join(' ');

/** Status, deposit status and what is left of the invoice made at this instant, as "paid succeeded 0.00". */
export async function expectsState(customer: StoryCustomer, at: string, expected: string): Promise<void> {
  await eventually(async () => {
    const { invoice, amount_due } = await invoiceOf(customer, at);
    expect(`${invoice.status} ${invoice.deposit_transaction_status} ${amount_due}`).toBe(expected);
  });
}

/**
 * The events of the invoice made at this instant, in order, as "payment.failed declined". The log waits for
 * transactions open elsewhere.
 */
export async function expectsPaymentEvents(customer: StoryCustomer, at: string, expected: readonly string[]): Promise<void> {
  const { invoice } = await invoiceOf(customer, at);
  await eventually(async () => {
    const { hits } = await customer.vendor.api.read(`/v1/c/event?object=${invoice.id}&limit=100`);
    const inOrder = hits.map(({ type, data }: AnyJson) =>
      [type.replace('v1.', ''), data.reason, data.final === true ? 'final' : null].filter(Boolean).join(' '),
    );
    expect(inOrder).toEqual(expected);
  });
}

/** Nothing between the vendor's ledger, the rows it explains and the sandbox's own book is wrong. */
export const expectsSoundLedger = ({ vendorId }: StoryVendor): Promise<void> => expectsSoundBooks(vendorId);

/** The same for a vendor by its id. */
export async function expectsSoundBooks(vendorId: string): Promise<void> {
  const problems: LedgerProblem[] = await withTestDatabase((db) => checkLedger(db, vendorId));
  expect(problems).toEqual([]);
}
