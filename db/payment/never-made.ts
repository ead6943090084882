/** The customer was frozen before its provider was called. */
export const CUSTOMER_NOT_ACTIVE = 'customer_not_active';

/** Money came late for an attempt that had been recorded as failed, so that the next one had nothing to pay. */
export const INVOICE_PAID = 'invoice_paid';

/** The reasons of attempts whose charge was never made; they count as not begun. */
export const NEVER_MADE = [CUSTOMER_NOT_ACTIVE, INVOICE_PAID] as const;
