import type { z } from 'zod';
import type { CustomerWallet } from '../schema/entitlement.ts';
import type { PaymentMethod, PaymentSession } from '../schema/payment.ts';
import { exampleId, ids } from './ids.ts';

/** A new session, with the secrets of the sandbox. */
export const newSession = {
  address: false,
  customer_id: ids.customer,
  wb_customer_id: ids.vendor,
  detach_previous_on_success: false,
  operation: 'add_method',
  provider: 'cardproc',
  status: 'pending',
  token: ids.session,
  setup_intent: {
    address: false,
    customer_id: ids.customer,
    wb_customer_id: ids.vendor,
    cardproc: { client_secret: ids.session, connected_account_id: 'sandbox', pk_key: 'sandbox' },
    authorize: null,
  },
} satisfies z.input<typeof PaymentSession>;

/** The same session, read later. */
export const pendingSession = { ...newSession, setup_intent: { ...newSession.setup_intent, cardproc: null } } satisfies z.input<
  typeof PaymentSession
>;

/** The same session, confirmed. */
export const confirmedSession = { ...pendingSession, status: 'succeeded' } satisfies z.input<typeof PaymentSession>;

/** The card that the session set up. */
export const exampleMethod = {
  id: ids.method,
  created: '2026-06-01T00:00:00.000Z',
  method_type: 'card',
  provider: 'cardproc',
  status: 'active',
  details: { brand: 'sandbox_ok', last4: '4242', exp_month: 12, exp_year: 2099 },
  holder_name: null,
  preference: 'default',
} satisfies z.input<typeof PaymentMethod>;

/** The same method, detached. */
export const detachedMethod = { ...exampleMethod, status: 'detached', preference: null } satisfies z.input<typeof PaymentMethod>;

/** A wallet with 20.00 from a credit note and a grant of 25.00. */
export const exampleWallet = {
  balances: [
    { id: exampleId('Wall', 1), balance: '45.00', held: '0.00', currency: 'usd', customer_id: ids.customer, wb_customer_id: ids.vendor },
  ],
  transactions: [
    {
      id: exampleId('Txn', 4),
      at: '2026-06-11T00:00:00.000Z',
      currency: 'usd',
      amount: '20.00',
      balance_after: '20.00',
      kind: 'refund',
      description: 'Credit note',
      invoice_id: ids.invoice,
    },
    {
      id: exampleId('Txn', 3),
      at: '2026-06-11T00:00:00.000Z',
      currency: 'usd',
      amount: '25.00',
      balance_after: '45.00',
      kind: 'grant',
      description: 'Thank you for your patience',
      invoice_id: null,
    },
  ],
} satisfies z.input<typeof CustomerWallet>;
