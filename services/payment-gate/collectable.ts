import type { Effects } from '../../billing/contract/types.ts';
import type { Currency } from '../../billing/money/currency.ts';
import { dec, sum, ZERO } from '../../billing/money/decimal.ts';
import { chargedInvoice, type GateAmounts, gateAmounts } from '../../billing/payment/gate.ts';

/** What a gate collects, and the invoice that the charge pays first. */
export interface Collectable {
  amounts: GateAmounts;
  invoiceId: string;
}

/** What a change or a signing has to collect at once; null: nothing, so that it needs no gate. */
export function collectable(
  { invoices, wallet: given }: Pick<Effects, 'invoices' | 'wallet'>,
  wallet: { balance: string; held: string } | null,
  currency: Currency,
): Collectable | null {
  const made = invoices.filter(({ status }) => status === 'ready_for_payment');
  const first = chargedInvoice(made);
  if (first === null) return null;
  const surplus = sum(given.map(({ amount }) => dec(amount))).toFixed();
  const available = dec(wallet?.balance ?? '0')
    .minus(dec(wallet?.held ?? '0'))
    .toFixed();
  const amounts = gateAmounts({ totals: made.map(({ total }) => total), surplus, available }, currency);
  return dec(amounts.toPay).gt(ZERO) ? { amounts, invoiceId: first.id } : null;
}
