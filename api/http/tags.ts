/** What the operations are grouped by in the document, in words. */
export const tags = {
  Customers: 'Who pays: names, addresses, freezes, and the way into the portal.',
  Catalogue: 'What is sold: plans with their prices, and discounts. Contracts keep copies of their own.',
  Contracts: 'What a customer has signed: sign, change, cancel, and see what comes next.',
  Usage: 'What was used of usage-priced features, and the periods in which it is summed.',
  Invoices: 'What is owed and how it came about; pay, correct, print.',
  Payments: 'How customers pay: sessions that collect a payment method, and the methods.',
  Wallet: 'Money that a customer holds with you and that pays its invoices by itself.',
  Credits: 'Prepaid credits: grants that pay what is charged in their life, before the wallet does.',
  Entitlements: 'What a customer may use and how its payments stand: what your product asks at run time.',
  Events: 'The log of what happened, the endpoints of yours that it is sent to, and who changed what.',
  Reports: 'Figures from what was written down, and the books behind them.',
  Preferences: 'What holds for all customers unless a customer or contract says otherwise.',
  'Keys and sessions': 'Who may call.',
  'Test clocks': 'A time of its own for some customers, to play years in seconds.',
} as const;

export type Tag = keyof typeof tags;
