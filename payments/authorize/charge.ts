import { z } from 'zod';
import { HOUR, type Instant } from '../../billing/calendar/instant.ts';
import { minorDigits } from '../../billing/money/currency.ts';
import { attemptKey } from '../attempt-key.ts';
import type { ChargeOutcome, Lookup, MethodRef, ProviderChargeRequest, RefundOutcome, RefundRequest } from '../port.ts';
import { OutcomeUnknown } from '../problem.ts';
import { type AuthorizeCall, AuthorizeError, isUnknownRecord } from './client.ts';

/** seconds in which the provider refuses the same charge or refund twice; its maximum */
const DUPLICATE_WINDOW = { setting: [{ settingName: 'duplicateWindow', settingValue: '28800' }] };
const DUPLICATE_TRANSACTION = '11';
const NOT_YET_SETTLED = '54';
/** "An unexpected system error occurred while processing this request": nobody says that nothing was done. */
const SYSTEM_ERROR = 'E00001';
const PAGE = 100;

const transaction = z.looseObject({
  responseCode: z.string().optional(),
  transId: z.string().optional(),
  errors: z.array(z.looseObject({ errorCode: z.string(), errorText: z.string() })).optional(),
});
type Transaction = z.output<typeof transaction>;
const transactionEnvelope = z.looseObject({ transactionResponse: transaction });

/**
 * All currencies of its accounts have two digits; how it would read an amount of another one is documented nowhere.
 */
export const SENT_DIGITS = 2;

/** Charges a stored payment profile. For a duplicate it looks up what the first call did. */
export async function chargeAtAuthorize(call: AuthorizeCall, request: ProviderChargeRequest): Promise<ChargeOutcome> {
  if (minorDigits(request.currency) !== SENT_DIGITS)
    return { status: 'failed', reference: null, reason: 'currency_not_supported', retryable: false };
  const made = await transact(call, request.key, {
    transactionType: 'authCaptureTransaction',
    amount: request.amount,
    currencyCode: request.currency.toUpperCase(),
    profile: profileOf(request.method.customerReference, request.method.reference),
    order: { invoiceNumber: request.key, description: request.subject },
    transactionSettings: DUPLICATE_WINDOW,
    processingOptions: { isSubsequentAuth: 'true' },
  });
  if (errorOf(made) === DUPLICATE_TRANSACTION) {
    const first = await lookUpAtAuthorize(call, { key: request.key, reference: null, method: request.method, now: request.now });
    // proven to be there, so it is no decline: the money may be taken
    if (first === null) throw new OutcomeUnknown('Authorize.Net has this charge but does not list it yet.');
    return first;
  }
  return transactionOutcome(made, request.now);
}

/** A declined transaction comes with result code Error, so both kinds of response have the transaction. */
async function transact(call: AuthorizeCall, refId: string, transactionRequest: Record<string, unknown>): Promise<Transaction> {
  try {
    return (await call('createTransactionRequest', { refId, transactionRequest }, transactionEnvelope)).transactionResponse;
  } catch (error) {
    const refused = error instanceof AuthorizeError ? transactionEnvelope.safeParse(error.response) : null;
    if (refused?.success) return refused.data.transactionResponse;
    if (error instanceof AuthorizeError && error.code === SYSTEM_ERROR)
      throw new OutcomeUnknown(`Authorize.Net failed: ${error.message}`, error);
    if (error instanceof AuthorizeError) return { responseCode: '3', errors: [{ errorCode: error.code, errorText: error.message }] };
    throw error;
  }
}

const errorOf = (made: Transaction): string | null => made.errors?.[0]?.errorCode ?? null;
const profileOf = (customerProfileId: string | null, paymentProfileId: string) => ({
  customerProfileId,
  paymentProfile: { paymentProfileId },
});
const referenceOf = (made: Transaction): string | null => (made.transId === undefined || made.transId === '0' ? null : made.transId);

/** Reasons by the provider's response reason code; what isn't listed is a plain decline. */
const REASONS: Readonly<Record<string, { reason: string; retryable: boolean }>> = {
  '3': { reason: 'refer_to_bank', retryable: true },
  '4': { reason: 'pickup_card', retryable: false },
  '6': { reason: 'incorrect_number', retryable: false },
  '8': { reason: 'expired_card', retryable: false },
  '39': { reason: 'currency_not_supported', retryable: false },
  E00027: { reason: 'declined', retryable: true },
  E00040: { reason: 'unknown_method', retryable: false },
};

function transactionOutcome(made: Transaction, now: Instant): ChargeOutcome {
  const reference = referenceOf(made);
  if (made.responseCode === '1' && reference !== null) return { status: 'succeeded', reference };
  if (made.responseCode === '4' && reference !== null) return { status: 'pending', reference, askAgainAt: now + HOUR };
  const { reason, retryable } = REASONS[errorOf(made) ?? ''] ?? { reason: 'declined', retryable: true };
  return { status: 'failed', reference, reason, retryable };
}

const listResponse = z.looseObject({
  transactions: z
    .array(z.looseObject({ transId: z.string(), transactionStatus: z.string(), invoiceNumber: z.string().optional() }))
    .optional(),
});
const detailsResponse = z.looseObject({
  transaction: z.looseObject({
    transId: z.string(),
    transactionStatus: z.string(),
    transactionType: z.string().optional(),
    /** of a refund: the charge that it gives back */
    refTransId: z.string().optional(),
    settleAmount: z.union([z.number(), z.string()]).optional(),
    order: z.looseObject({ invoiceNumber: z.string().optional() }).optional(),
  }),
});

export const detailsOf = async (call: AuthorizeCall, transId: string) =>
  (await call('getTransactionDetailsRequest', { transId }, detailsResponse)).transaction;

const DONE = new Set([
  'authorizedPendingCapture',
  'capturedPendingSettlement',
  'settledSuccessfully',
  'underReviewCaptured',
  'refundPendingSettlement',
  'refundSettledSuccessfully',
]);
const UNDECIDED = new Set(['FDSPendingReview', 'FDSAuthorizedPendingReview', 'underReview', 'authorizedPendingRelease']);

/** By transaction id, else among the customer's newest transactions by the number we gave it. */
export async function lookUpAtAuthorize(call: AuthorizeCall, { reference, key, method, now }: Lookup): Promise<ChargeOutcome | null> {
  if (reference !== null) {
    const found = await detailsOf(call, reference);
    return statusOutcome(found.transId, found.transactionStatus, now);
  }
  for (let page = 1; ; page += 1) {
    const body = {
      customerProfileId: method.customerReference,
      sorting: { orderBy: 'submitTimeUTC', orderDescending: 'true' },
      paging: { limit: String(PAGE), offset: String(page) },
    };
    const { transactions = [] } = await call('getTransactionListForCustomerRequest', body, listResponse);
    const found = transactions.find((made) => made.invoiceNumber === key);
    if (found !== undefined) return statusOutcome(found.transId, found.transactionStatus, now);
    if (transactions.length < PAGE) return null;
  }
}

export function statusOutcome(reference: string, status: string, now: Instant): ChargeOutcome {
  if (DONE.has(status)) return { status: 'succeeded', reference };
  if (UNDECIDED.has(status)) return { status: 'pending', reference, askAgainAt: now + HOUR };
  return { status: 'failed', reference, reason: status === 'expired' ? 'expired' : 'declined', retryable: true };
}

/**
 * A charge that has not been settled yet can't be refunded in part, only voided as a whole. The provider gives back as
 * often as it is asked once its duplicate window has passed, so it is asked first whether an earlier call has been
 * carried out whose answer was lost.
 */
export async function refundAtAuthorize(
  call: AuthorizeCall,
  { key, reference, method, amount, currency }: RefundRequest,
): Promise<RefundOutcome> {
  const refId = attemptKey('authorize', key);
  const known = await findRefund(call, method, refId);
  if (known !== null) return refundOutcome(known, refId);
  const made = await transact(call, refId, {
    transactionType: 'refundTransaction',
    amount,
    currencyCode: currency.toUpperCase(),
    profile: profileOf(method.customerReference, method.reference),
    refTransId: reference,
    order: { invoiceNumber: refId, description: 'refund' },
    transactionSettings: DUPLICATE_WINDOW,
  });
  if (errorOf(made) === NOT_YET_SETTLED) return { status: 'failed', reason: 'charge_not_settled_yet' };
  if (errorOf(made) === DUPLICATE_TRANSACTION) {
    const first = await findRefund(call, method, refId);
    if (first === null) throw new OutcomeUnknown('Authorize.Net has this refund but does not list it yet.');
    return refundOutcome(first, refId);
  }
  return refundOutcome(transactionOutcome(made, 0), refId);
}

const refundOutcome = (outcome: ChargeOutcome, refId: string): RefundOutcome =>
  outcome.status === 'failed'
    ? { status: 'failed', reason: outcome.reason }
    : { status: 'succeeded', reference: outcome.reference ?? refId };

/** Null also where the customer's profile is gone: the refund itself then says why it can't be made. */
async function findRefund(call: AuthorizeCall, method: MethodRef, refId: string): Promise<ChargeOutcome | null> {
  if (method.customerReference === null) return null;
  try {
    return await lookUpAtAuthorize(call, { reference: null, key: refId, method, now: 0 });
  } catch (error) {
    if (isUnknownRecord(error)) return null;
    throw error;
  }
}
