import type { z } from 'zod';
import type { SignRequest } from '../schema/contract.ts';
import type { CancelEstimate, SignEstimate, UpcomingInvoice } from '../schema/estimate.ts';
import { exampleSignRequest } from './contract.ts';
import { exampleId, ids, signToken } from './ids.ts';
import { newPlan, upgradeInvoice } from './invoice.ts';

const BEGIN = '2026-06-01T00:00:00.000Z';
const CHANGE = '2026-06-11T00:00:00.000Z';
const CLOSING = '2026-06-12T00:00:00.000Z';
const BOUNDARY = '2026-07-01T00:00:00.000Z';

const unpaid = {
  deposit_transaction_status: 'not_processed',
  deposit_transaction_id: null,
  invoice_number: { number: '' },
  status: 'ready_for_payment',
} as const;
const line = { ...newPlan, status: 'ready_for_payment', withdrawal_transaction_id: null } as const;

const toCome = (number: number) => ({ ...upgradeInvoice, ...unpaid, id: exampleId('Inv', number) });
const lineToCome = (number: number, invoice: number) => ({
  ...line,
  id: exampleId('Item', number),
  charge_id: exampleId('Chrg', number),
  invoice_id: exampleId('Inv', invoice),
});
const paidLine = (number: number, invoice: number) => ({ ...lineToCome(number, invoice), status: 'paid' as const });
const amounts = (amount: string) => ({ subtotal: amount, total_excluding_tax: amount, total_including_tax: amount });

/** The month of July at 300.00; the usage of June closes a day later, on an invoice of its own. */
export const exampleUpcoming = {
  at: BOUNDARY,
  invoice: { ...toCome(91), date: BOUNDARY, due_date: BOUNDARY, total: '300.00' },
  invoice_items: [{ ...lineToCome(91, 91), due_date: BOUNDARY, scheduling_policy: 'start_of_period', ...amounts('300.00') }],
  amount_due: '300.00',
  others: [],
  waiting_items: [],
} satisfies z.input<typeof UpcomingInvoice>;

/** On 11 June 20 of 30 days are unused: 200.00 of 300.00. The 160 calls so far cost 3.20 when their period closes. */
export const exampleCancelEstimate = {
  at: CHANGE,
  invoices: [
    {
      invoice: { ...toCome(92), date: CHANGE, due_date: CHANGE, status: 'paid', total: '0.00' },
      invoice_items: [
        { ...paidLine(92, 92), name: 'Unused time: Business', unit_price: '-300.00', ...amounts('-200.00') },
        { ...paidLine(93, 92), name: 'Moved to your wallet', scheduling_policy: 'immediate', unit_price: '200.00', ...amounts('200.00') },
      ],
    },
    {
      invoice: { ...toCome(93), date: CLOSING, due_date: CLOSING, total: '3.20' },
      invoice_items: [
        {
          ...lineToCome(94, 93),
          due_date: CLOSING,
          name: 'API calls',
          scheduling_policy: 'immediate',
          unit_count: '160',
          unit_price: '0.02',
          ...amounts('3.20'),
        },
      ],
    },
  ],
  credit: '200.00',
  usage: '3.20',
  total: '3.20',
  credits_taken_back: '0.00',
} satisfies z.input<typeof CancelEstimate>;

/** The first month at 30.00. */
export const exampleSignEstimate = {
  at: BEGIN,
  invoices: [
    {
      invoice: {
        ...toCome(2),
        contract_id: ids.movedContract,
        date: BEGIN,
        due_date: BEGIN,
        total: '30.00',
      },
      invoice_items: [
        {
          ...lineToCome(3, 2),
          due_date: BEGIN,
          name: 'Team',
          scheduling_policy: 'start_of_period',
          unit_price: '30.00',
          ...amounts('30.00'),
        },
      ],
    },
  ],
  total: '30.00',
  recurring_price: { cycle_start_charges: '30.00', minimum_usage: '0.00', extra_cycle_end_charges: '0.00' },
  credits: [],
  awaiting_payment: null,
  estimate_token: signToken,
  expires: '2026-06-01T00:10:00.000Z',
} satisfies z.input<typeof SignEstimate>;

/** As the estimate was made. */
export const exampleSigning = { ...exampleSignRequest, estimate_token: signToken } satisfies z.input<typeof SignRequest>;
