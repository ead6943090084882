import type { Instant } from '../calendar/instant.ts';
import type { NewId } from '../contract/types.ts';
import type { WalletDerivation } from '../explain/derivation.ts';
import type { Currency } from '../money/currency.ts';
import { type Decimal, dec, sum, ZERO } from '../money/decimal.ts';
import { moneyText } from '../money/round.ts';
import { fail } from '../problem.ts';
import { amountsOf, asStored } from './line.ts';
import type { Line, NewInvoice, TaxPolicy, WalletMove } from './types.ts';

/** The contract whose invoice is made, when, and in which state. `contract` may be a whole `Contract`. */
export interface InvoiceContext {
  contract: { id: string; customerId: string };
  date: Instant;
  status: NewInvoice['status'];
  automatic: boolean;
  newId: NewId;
}

/**
 * An invoice; where its lines sum to less than zero, with the closing line and the money that it moves to the wallet.
 */
export interface AssembledInvoice {
  invoice: NewInvoice;
  closing: Line | null;
  wallet: WalletMove | null;
}

/**
 * Puts lines on one invoice. Its total is the sum of their `totalIncludingTax`; a sum below zero is moved to the
 * customer's wallet by a closing line, so that the total is zero and never less. The invoice is due when its earliest
 * line is.
 *
 * @param lines all of one currency, new or waiting; lines that wait may be of other contracts
 * @returns null without lines, and where all are usage lines without units and without an amount
 * @throws BillingError `mixed_currencies`
 * @example
 * const [line] = chargeLines([charge(price('10'))], context());
 * const lines = [{ ...line, totalIncludingTax: '-483.83' }, { ...line, totalIncludingTax: '8.02' }];
 * const contract = { id: 'Cont_1', customerId: 'Cust_1' };
 * const made = assembleInvoice(lines,
 *   { contract, date: at('2012-05-07'), status: 'ready_for_payment', automatic: true, newId });
 * made.invoice.total // '0.00'
 * made.wallet.amount // '475.81'
 */
export function assembleInvoice(lines: readonly Line[], context: InvoiceContext): AssembledInvoice | null {
  const first = lines[0];
  if (first === undefined || lines.every(isIdle)) return null;
  const { currency } = first;
  if (lines.some((line) => line.currency !== currency)) return fail('currency', 'mixed_currencies', 'give lines of one currency');

  const { contract, date, status, automatic, newId } = context;
  const id = newId('Inv');
  const total = sum(lines.map((line) => dec(line.totalIncludingTax)));
  const closing = total.lt(0) ? closingLine(total.neg(), lines, first, id, context) : null;
  const invoice: NewInvoice = {
    id,
    contractId: contract.id,
    customerId: contract.customerId,
    currency,
    date,
    dueDate: Math.min(...lines.map((line) => line.dueDate)),
    lineIds: [...lines, ...(closing ? [closing] : [])].map((line) => line.id),
    total: moneyText(closing ? ZERO : total, currency),
    status,
    automatic,
  };
  return { invoice, closing, wallet: closing && walletMove(closing, invoice) };
}

/** Whether a line says only that nothing was used. */
function isIdle({ kind, unitCount, subtotal, totalIncludingTax }: Line): boolean {
  return kind === 'usage' && [unitCount, subtotal, totalIncludingTax].every((one) => dec(one).isZero());
}

function closingLine(surplus: Decimal, lines: readonly Line[], first: Line, invoiceId: string, context: InvoiceContext): Line {
  const { currency, taxPolicy } = first;
  const taxed = { totalExcludingTax: surplus, taxAmount: ZERO, totalIncludingTax: surplus };
  return {
    id: context.newId('Item'),
    contractId: context.contract.id,
    chargeKey: `wallet:${invoiceId}`,
    kind: 'wallet',
    source: 'wallet',
    name: 'Moved to your wallet',
    description: null,
    currency,
    span: null,
    dueDate: context.date,
    schedulingPolicy: 'immediate',
    unitCount: '1',
    unitPrice: moneyText(surplus, currency),
    ...amountsOf({ subtotal: surplus, discount: ZERO }, taxed, currency),
    discountDescription: null,
    taxCode: null,
    taxRate: null,
    taxPolicy,
    reverseCharge: false,
    creditOf: null,
    periodIdx: null,
    derivation: asStored(derivationOf(lines, currency, taxPolicy)),
  };
}

function derivationOf(lines: readonly Line[], currency: Currency, policy: TaxPolicy): WalletDerivation {
  return {
    type: 'wallet',
    currency,
    lines: lines.map(({ id, totalIncludingTax }) => ({ id, totalIncludingTax })),
    tax: { policy, taxCode: null, rate: null, reverseCharge: false, note: null },
  };
}

function walletMove(closing: Line, { id, customerId, currency, date }: NewInvoice): WalletMove {
  return { customerId, currency, amount: closing.totalIncludingTax, invoiceId: id, at: date, description: 'Surplus of an invoice' };
}
