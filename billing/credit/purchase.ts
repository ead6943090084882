import { DAY, type Instant } from '../calendar/instant.ts';
import type { Configuration, NewId } from '../contract/types.ts';
import type { PurchaseDerivation } from '../explain/derivation.ts';
import { amountsOf, asStored } from '../invoice/line.ts';
import type { Line, NewInvoice, TaxPolicy } from '../invoice/types.ts';
import { invoiceMachine } from '../lifecycle/invoice.ts';
import { initialState } from '../lifecycle/machine.ts';
import type { Currency } from '../money/currency.ts';
import { dec, ZERO } from '../money/decimal.ts';
import { moneyText } from '../money/round.ts';

/** Credits that a customer buys. */
export interface Purchase {
  grantId: string;
  customerId: string;
  currency: Currency;
  /** what the credits will pay */
  amount: string;
  /** what they cost */
  price: string;
  at: Instant;
  configuration: Pick<Configuration, 'automaticPayment' | 'invoiceTrigger' | 'netDays'>;
  taxPolicy: TaxPolicy;
}

/**
 * The invoice of bought credits: one line of their price, of no contract. It bears no tax: what the credits pay bears
 * its own, and would be taxed twice.
 *
 * @example
 * const configuration = { automaticPayment: true, invoiceTrigger: 'immediate', netDays: 14 };
 * const bought = { grantId: 'Grant_1', customerId: 'Cust_1', currency: 'usd', amount: '100', price: '80' };
 * const made = purchaseInvoice({ ...bought, at: at('2025-01-01'), configuration, taxPolicy: 'tax_included' }, newId);
 * [made.invoice.total, iso(made.invoice.dueDate)] // ['80.00', '2025-01-15T00:00:00.000Z']
 */
export function purchaseInvoice(purchase: Purchase, newId: NewId): { invoice: NewInvoice; line: Line } {
  const { customerId, currency, at: date, configuration } = purchase;
  const { automaticPayment: automatic, invoiceTrigger, netDays } = configuration;
  const line = lineOf(purchase, date + netDays * DAY, newId);
  const status = initialState(invoiceMachine, invoiceTrigger === 'immediate' ? 'issue' : 'issue_for_review');
  const made = { id: newId('Inv'), contractId: null, customerId, currency, date, dueDate: line.dueDate };
  return { invoice: { ...made, lineIds: [line.id], total: line.totalIncludingTax, status, automatic }, line };
}

function lineOf(purchase: Purchase, dueDate: Instant, newId: NewId): Line {
  const { grantId, currency, price, taxPolicy } = purchase;
  const amount = dec(price);
  const taxed = { totalExcludingTax: amount, taxAmount: ZERO, totalIncludingTax: amount };
  return {
    id: newId('Item'),
    contractId: null,
    chargeKey: `credits:${grantId}`,
    kind: 'credits',
    source: 'credits',
    name: 'Prepaid credits',
    description: `Credits of ${moneyText(purchase.amount, currency)} ${currency.toUpperCase()}`,
    currency,
    span: null,
    dueDate,
    schedulingPolicy: 'immediate',
    unitCount: '1',
    unitPrice: moneyText(amount, currency),
    ...amountsOf({ subtotal: amount, discount: ZERO }, taxed, currency),
    discountDescription: null,
    taxCode: null,
    taxRate: null,
    taxPolicy,
    reverseCharge: false,
    creditOf: null,
    periodIdx: null,
    derivation: asStored(derivationOf(purchase)),
  };
}

const derivationOf = ({ grantId, currency, amount, price, taxPolicy: policy }: Purchase): PurchaseDerivation => ({
  type: 'purchase',
  currency,
  grantId,
  credits: moneyText(amount, currency),
  price: moneyText(price, currency),
  tax: { policy, taxCode: null, rate: null, reverseCharge: false, note: null },
});
