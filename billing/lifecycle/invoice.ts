import type { Guard, Machine } from './machine.ts';

/** The states of an invoice; `voided` is shown as `pending_validation` with nothing due. */
export type InvoiceState = 'pending_validation' | 'ready_for_payment' | 'paid' | 'voided';

/** The states an invoice is made in. */
export type NewInvoiceState = 'pending_validation' | 'ready_for_payment';

/** What can happen to an invoice. */
export type InvoiceLifecycleTrigger = 'validate' | 'void' | 'settle' | 'credit';

/** What makes an invoice. */
export type InvoiceEvent = 'issue' | 'issue_for_review';

/** The guards of the invoice's table, by name. */
const invoiceGuards = {
  nothingLeft: { name: 'nothingLeft', text: 'nothing is left to pay' },
  somethingLeft: { name: 'somethingLeft', text: 'something is left to pay' },
} satisfies Record<string, Guard>;

const { nothingLeft, somethingLeft } = invoiceGuards;

/**
 * An invoice's lifecycle. `settle` is money of any kind: the wallet, a payment, a payment recorded by hand; an invoice
 * with a total of 0 settles as it is made. Money that comes for a paid invoice goes to the wallet. `credit` is a credit
 * note that lowers what is due.
 */
export const invoiceMachine: Machine<InvoiceState, InvoiceLifecycleTrigger, NewInvoiceState, InvoiceEvent> = {
  name: 'invoice',
  states: {
    pending_validation: 'awaits review, may still be voided',
    ready_for_payment: 'final, something is left to pay',
    paid: 'nothing is left to pay',
    voided: 'thrown away before it was validated',
  },
  starts: [
    { event: 'issue_for_review', to: 'pending_validation', text: 'invoice trigger manual' },
    { event: 'issue', to: 'ready_for_payment', text: 'invoice trigger immediate' },
  ],
  transitions: [
    { from: 'pending_validation', trigger: 'validate', to: 'paid', guard: nothingLeft },
    { from: 'pending_validation', trigger: 'validate', to: 'ready_for_payment', guard: somethingLeft },
    { from: 'pending_validation', trigger: 'void', to: 'voided' },
    { from: 'ready_for_payment', trigger: 'settle', to: 'paid', guard: nothingLeft },
    { from: 'ready_for_payment', trigger: 'settle', to: 'ready_for_payment', guard: somethingLeft },
    { from: 'ready_for_payment', trigger: 'credit', to: 'paid', guard: nothingLeft },
    { from: 'ready_for_payment', trigger: 'credit', to: 'ready_for_payment', guard: somethingLeft },
    { from: 'paid', trigger: 'settle', to: 'paid', guard: nothingLeft },
  ],
};
