import type { Effects } from '../../billing/contract/types.ts';
import type { LineUse } from '../../billing/credit/types.ts';
import type { Currency } from '../../billing/money/currency.ts';
import { type Decimal, dec, sum, ZERO } from '../../billing/money/decimal.ts';
import { chargedInvoice, type GateAmounts, gateAmounts } from '../../billing/payment/gate.ts';

/** What a gate holds of a grant for one of its invoices. */
export interface CreditHold {
  grant: string;
  invoice: string;
  amount: string;
  /** what it pays of each line: usage reported later changes nothing of it */
  lines: LineUse[];
}

/** What a gate collects, what it holds of prepaid credits, and the invoice that the charge pays first. */
export interface Collectable {
  amounts: GateAmounts;
  holds: CreditHold[];
  invoiceId: string;
}

/**
 * What a change or a signing has to collect at once; null: nothing, so that it needs no gate.
 *
 * @param free what of the wallet nothing else has a right to
 * @param holds what prepaid credits pay of its invoices
 */
export function collectable(
  { invoices, wallet: given }: Pick<Effects, 'invoices' | 'wallet'>,
  free: Decimal,
  holds: readonly CreditHold[],
  currency: Currency,
): Collectable | null {
  const made = invoices.filter(({ status }) => status === 'ready_for_payment');
  const byCredits = made.map(({ id }) => heldFor(holds, id));
  const left = made.map(({ id, total }, place) => ({
    id,
    total: dec(total)
      .minus(byCredits[place] ?? '0')
      .toFixed(),
  }));
  const first = chargedInvoice(left);
  if (first === null) return null;
  const surplus = sum(given.map(({ amount }) => dec(amount))).toFixed();
  const amounts = gateAmounts({ totals: made.map(({ total }) => total), byCredits, surplus, available: free.toFixed() }, currency);
  return dec(amounts.toPay).gt(ZERO) ? { amounts, holds: [...holds], invoiceId: first.id } : null;
}

/** What is held of all grants for an invoice. */
export const heldFor = (holds: readonly CreditHold[], invoiceId: string): string =>
  sum(holds.filter(({ invoice }) => invoice === invoiceId).map(({ amount }) => dec(amount))).toFixed();
