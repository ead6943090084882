import type { z } from 'zod';
import { isPeriodic } from '../../billing/calendar/cycle.ts';
import { iso } from '../../billing/calendar/instant.ts';
import { periodBounds, trialEndOf } from '../../billing/contract/time.ts';
import type { Contract } from '../../billing/contract/types.ts';
import type { Currency } from '../../billing/money/currency.ts';
import { dec, sum } from '../../billing/money/decimal.ts';
import { moneyText } from '../../billing/money/round.ts';
import type { CustomerAccess } from '../../db/entitlement/access.ts';
import type { CustomerBilling, UnpaidInvoice } from '../../db/entitlement/billing.ts';
import type { BillingEntitlement, BillingOther } from '../schema/entitlement.ts';
import type { Provider } from '../schema/payment.ts';
import { presentState } from './entitlement.ts';

interface Party {
  vendorId: string;
  customerId: string;
}

/** What the customer owes and holds; the first contract stands for the customer, further ones are `others`. */
export function presentBillingEntitlement(
  party: Party,
  access: CustomerAccess,
  billing: CustomerBilling,
): z.input<typeof BillingEntitlement> {
  const [first, ...others] = access.contracts;
  const of = (contract: Contract | null): z.input<typeof BillingOther> => ({
    contract: contract === null ? null : presentState(contract),
    customer: { status: access.status },
    payment: presentPayment(party, contract, billing),
  });
  return { ...of(first?.contract ?? null), others: others.map(({ contract }) => of(contract)) };
}

function presentPayment(party: Party, contract: Contract | null, billing: CustomerBilling) {
  const { unpaid, wallets } = billing;
  const currency: Currency = contract?.terms.currency ?? wallets[0]?.currency ?? 'usd';
  const balance = wallets.find((wallet) => wallet.currency === currency)?.balance ?? '0';
  const due = unpaid[0]?.dueDate ?? (contract === null ? null : nextDue(contract, billing));
  return {
    payment_provider: (billing.provider ?? 'self_handled') as z.input<typeof Provider>,
    unpaid_invoices_info: [...Map.groupBy(unpaid, (invoice) => invoice.currency)].map(([code, invoices]) =>
      presentUnpaid(code, invoices, billing.thresholds[code] ?? '0'),
    ),
    wallet_balance: moneyText(dec(balance), currency),
    wallet_balances: wallets.map((wallet) => ({
      balance: moneyText(dec(wallet.balance), wallet.currency),
      currency: wallet.currency,
      customer_id: party.customerId,
      id: wallet.id,
      wb_customer_id: party.vendorId,
    })),
    next_payment_due: due === null ? null : iso(due),
  };
}

const presentUnpaid = (currency: Currency, invoices: readonly UnpaidInvoice[], threshold: string) => ({
  currency,
  payment_threshold: moneyText(dec(threshold), currency),
  total_unpaid: moneyText(sum(invoices.map(({ amountDue }) => dec(amountDue))), currency),
  unpaid_invoices: invoices.map(({ id, amountDue, dueDate }) => ({
    amount: moneyText(dec(amountDue), currency),
    due_date: iso(dueDate),
    id,
    status: 'ready_for_payment' as const,
  })),
});

/** When the next cycle's invoice is due: at its start, or at its end by the contract's policy. */
function nextDue(contract: Contract, { pauses }: CustomerBilling): number | null {
  if (contract.status !== 'active' || !isPeriodic(contract.terms.cycle)) return null;
  const start = contract.start ?? trialEndOf(contract, pauses);
  if (start === null) return null;
  const begun = { ...contract, start };
  const next = contract.start === null ? 1 : (contract.currentIdx ?? 0) + 1;
  const now = periodBounds(begun, next === 1 ? 1 : next - 1, pauses);
  if (next > 1 && now.end === null) return null;
  const bounds = periodBounds(begun, next, pauses);
  return contract.configuration.dueDatePolicy === 'end_of_period' ? bounds.end : bounds.start;
}
