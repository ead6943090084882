import { exampleId, ids } from './ids.ts';

const june = { from: '2026-06-01T00:00:00.000Z', to: '2026-07-01T00:00:00.000Z' };
const sixteenth = '2026-06-16T00:00:00.000Z';

/** Ada signs for 30.00 a month on 1 June and goes on for 300.00 on 11 June. */
export const exampleMrr = {
  ...june,
  currencies: [
    {
      ...{ currency: 'usd', start: '0.00', new: '30.00', expansion: '270.00' },
      ...{ contraction: '0.00', churn: '0.00', reactivation: '0.00', end: '300.00' },
    },
  ],
} as const;

export const exampleMove = {
  at: '2026-06-11T00:00:00.000Z',
  move: 'expansion',
  ...{ customer_id: ids.customer, contract_id: ids.contract, chain_id: ids.movedContract, currency: 'usd' },
  ...{ before: '30.00', after: '300.00', amount: '270.00' },
} as const;

export const exampleRevenue = {
  ...june,
  currencies: [{ currency: 'usd', months: [{ month: '2026-06', invoiced: '210.00', recognised: '210.00', deferred_end: '0.00' }] }],
} as const;

export const exampleAging = { at: sixteenth, currencies: [] } as const;

export const exampleBalance = {
  at: sixteenth,
  accounts: [
    { account: 'clearing', currency: 'usd', balance: '210.00' },
    { account: 'receivable', currency: 'usd', balance: '0.00' },
    { account: 'revenue', currency: 'usd', balance: '-210.00' },
  ],
} as const;

const posting = { kind: 'payment', account: 'clearing', owner: 'sandbox', currency: 'usd', customer_id: ids.customer } as const;

/** What came in for the invoices of the signing and of the upgrade. */
export const examplePostings = [
  {
    transaction_id: exampleId('Txn', 8),
    at: '2026-06-01T00:00:00.000Z',
    ...{ ...posting, amount: '30.00', invoice_id: exampleId('Inv', 2) },
  },
  {
    transaction_id: exampleId('Txn', 1),
    at: '2026-06-11T00:00:00.000Z',
    ...{ ...posting, amount: '180.00', invoice_id: ids.invoice },
  },
];
