import type { z } from 'zod';
import type { Explanation, Invoice, InvoiceDetail, InvoiceHit, InvoiceItem } from '../schema/invoice.ts';
import { exampleId, ids } from './ids.ts';

/** The invoice of the upgrade, paid by card. */
export const upgradeInvoice = {
  id: ids.invoice,
  currency: 'usd',
  customer_id: ids.customer,
  contract_id: ids.contract,
  date: '2026-06-11T00:00:00.000Z',
  due_date: '2026-06-11T00:00:00.000Z',
  deposit_transaction_status: 'succeeded',
  deposit_transaction_id: exampleId('Txn', 1),
  invoice_number: { number: '2' },
  status: 'paid',
  total: '180.00',
  external_reference: null,
} satisfies z.input<typeof Invoice>;

/** The credit for the unused part of the 30.00. */
export const unusedTime = {
  id: exampleId('Item', 1),
  charge_id: exampleId('Chrg', 1),
  invoice_id: ids.invoice,
  currency: 'usd',
  due_date: '2026-06-11T00:00:00.000Z',
  name: 'Unused time: Team',
  description: null,
  scheduling_policy: 'immediate',
  status: 'paid',
  unit_count: '1',
  unit_price: '-30.00',
  subtotal: '-20.00',
  discount_amount: '0.00',
  discount_description: null,
  total_excluding_tax: '-20.00',
  tax_amount: '0.00',
  tax_code: null,
  tax_policy: 'tax_included',
  total_including_tax: '-20.00',
  withdrawal_transaction_id: exampleId('Txn', 1),
} satisfies z.input<typeof InvoiceItem>;

/** The rest of the month at 300.00. */
export const newPlan = {
  id: ids.line,
  charge_id: exampleId('Chrg', 2),
  invoice_id: ids.invoice,
  currency: 'usd',
  due_date: '2026-06-11T00:00:00.000Z',
  name: 'Business',
  description: null,
  scheduling_policy: 'immediate',
  status: 'paid',
  unit_count: '1',
  unit_price: '300.00',
  subtotal: '200.00',
  discount_amount: '0.00',
  discount_description: null,
  total_excluding_tax: '200.00',
  tax_amount: '0.00',
  tax_code: null,
  tax_policy: 'tax_included',
  total_including_tax: '200.00',
  withdrawal_transaction_id: exampleId('Txn', 1),
} satisfies z.input<typeof InvoiceItem>;

/** The invoice with its lines. */
export const upgradeHit = {
  invoice: upgradeInvoice,
  invoice_items: [unusedTime, newPlan],
  detailed_invoice_status: 'paid',
  amount_due: '0.00',
} satisfies z.input<typeof InvoiceHit>;

/** The invoice with its lines and the payment by card. */
export const upgradeDetail = {
  ...upgradeHit,
  payments: [
    {
      at: '2026-06-11T00:00:00.000Z',
      amount: '180.00',
      method: ids.method,
      status: 'succeeded',
      reason: null,
      reference: `sandbox_charge_${exampleId('Pay', 1)}`,
    },
  ],
  credit_notes: [],
  disputes: [],
} satisfies z.input<typeof InvoiceDetail>;

/** What an upgrade follows where nobody has given a rule. */
export const upgradeRule = {
  direction: 'upgrade',
  from: 'default',
  when: 'now',
  proration: 'time',
  collect: 'now',
  credit: 'wallet',
} as const;

/** How the total of 180.00 is computed. */
export const upgradeExplained = {
  invoice_id: ids.invoice,
  lines: [
    {
      invoice_item_id: exampleId('Item', 1),
      name: 'Unused time: Team',
      kind: 'credit',
      subtotal: '-20.00',
      discount_amount: '0.00',
      total_excluding_tax: '-20.00',
      tax_amount: '0.00',
      total_including_tax: '-20.00',
      sentences: [
        `Gives back part of "Team" (${exampleId('Item', 3)}), which charged 30.00 after discount.`,
        'From 2026-06-11T00:00:00.000Z on: times 1728000000 / 2592000000 (0.666666666667).',
        'Rounded once to 2 digits, half away from zero: -20 to -20.00.',
        'No tax rate applies.',
        'The default rule for upgrades was followed: proration "time", collect "now", credit "wallet".',
      ],
      derivation: {
        rule: upgradeRule,
        at: '2026-06-11T00:00:00.000Z',
        tax: { note: null, rate: null, policy: 'tax_included', tax_code: null, reverse_charge: false },
        line: {
          id: exampleId('Item', 3),
          name: 'Team',
          subtotal: '30.00',
          tax_amount: '0.00',
          discount_amount: '0.00',
          total_excluding_tax: '30.00',
          total_including_tax: '30.00',
        },
        type: 'credit',
        ratio: { part: 1728000000, shown: '0.666666666667', whole: 2592000000 },
        credited: { tax: '0', excluding_tax: '0' },
        currency: 'usd',
        rounding: { mode: 'half away from zero', digits: 2, exact_net: '-20', exact_subtotal: '-20' },
      },
      recomputed: {
        subtotal: '-20.00',
        discount_amount: '0.00',
        total_excluding_tax: '-20.00',
        tax_amount: '0.00',
        total_including_tax: '-20.00',
      },
    },
    {
      invoice_item_id: ids.line,
      name: 'Business',
      kind: 'recurring',
      subtotal: '200.00',
      discount_amount: '0.00',
      total_excluding_tax: '200.00',
      tax_amount: '0.00',
      total_including_tax: '200.00',
      sentences: [
        'For 2026-06-11T00:00:00.000Z to 2026-07-01T00:00:00.000Z.',
        `Price version ${exampleId('Price', 3)}.`,
        'Flat amount: 300.',
        'Pro-rated: times 1728000000 / 2592000000 (0.666666666667).',
        'Rounded once to 2 digits, half away from zero: 200 to 200.00.',
        'No tax rate applies.',
        'The default rule for upgrades was followed: proration "time", collect "now", credit "wallet".',
      ],
      derivation: {
        rule: upgradeRule,
        tax: { note: null, rate: null, policy: 'tax_included', tax_code: null, reverse_charge: false },
        free: false,
        kind: 'recurring',
        type: 'charge',
        began: null,
        price: {
          price: { id: exampleId('Price', 3), amount: '300', tax_code: null, strategy: { kind: 'flat' }, free_cycles: 0 },
          version: exampleId('Price', 3),
        },
        cycle: 'month',
        ratio: { part: 1728000000, shown: '0.666666666667', whole: 2592000000 },
        steps: [{ step: 'flat', amount: '300' }],
        units: '1',
        events: null,
        period: { end: '2026-07-01T00:00:00.000Z', idx: 1, start: '2026-06-11T00:00:00.000Z' },
        currency: 'usd',
        discount: null,
        ratio_use: 'line',
        rounding: { mode: 'half away from zero', digits: 2, exact_net: '200', exact_subtotal: '200' },
      },
      recomputed: {
        subtotal: '200.00',
        discount_amount: '0.00',
        total_excluding_tax: '200.00',
        tax_amount: '0.00',
        total_including_tax: '200.00',
      },
    },
  ],
  total: '180.00',
  credits: [],
} satisfies z.input<typeof Explanation>;
