import type { z } from 'zod';
import { iso } from '../../billing/calendar/instant.ts';
import type { Pause } from '../../billing/calendar/pauses.ts';
import { moneyText } from '../../billing/money/round.ts';
import type { AccessNow, EntitledNow } from '../../services/entitlement/read.ts';
import { nextCycleDue, type Standing, type Unpaid } from '../../services/payment/standing.ts';
import type { BillingEntitlement, BillingOther } from '../schema/entitlement.ts';
import { stateToWire } from './entitlement.ts';
import { providerToWire } from './provider.ts';

/** What the customer owes and has in wallets; the first contract is the requested one, further ones become `others`. */
export function billingEntitlementToWire(access: AccessNow, standing: Standing, pauses: Pause[]): z.input<typeof BillingEntitlement> {
  const [first, ...others] = access.contracts;
  const of = (held: EntitledNow | null): z.input<typeof BillingOther> => ({
    contract: held === null ? null : stateToWire(held.contract),
    customer: { status: access.status },
    payment: paymentToWire(held, standing, pauses),
  });
  return { ...of(first ?? null), others: others.map(of) };
}

function paymentToWire(held: EntitledNow | null, { provider, unpaid, wallets, earliestDue }: Standing, pauses: Pause[]) {
  const currency = held?.contract.terms.currency ?? wallets[0]?.currency ?? 'usd';
  const owed = [earliestDue, held?.firstDue ?? null].filter((at) => at !== null);
  const due = owed.length > 0 ? Math.min(...owed) : held && nextCycleDue(held.contract, pauses);
  return {
    payment_provider: providerToWire(provider),
    unpaid_invoices_info: unpaid.map(unpaidToWire),
    wallet_balance: moneyText(wallets.find((wallet) => wallet.currency === currency)?.balance ?? '0', currency),
    wallet_balances: wallets.map((wallet) => ({
      balance: moneyText(wallet.balance, wallet.currency),
      held: moneyText(wallet.held, wallet.currency),
      currency: wallet.currency,
      customer_id: wallet.customerId,
      id: wallet.id,
      wb_customer_id: wallet.vendorId,
    })),
    next_payment_due: due === null ? null : iso(due),
  };
}

const unpaidToWire = ({ currency, threshold, total, invoices }: Unpaid) => ({
  currency,
  payment_threshold: threshold,
  total_unpaid: total,
  unpaid_invoices: invoices.map(({ id, amount, dueDate, status }) => ({ amount, due_date: iso(dueDate), id, status })),
});
