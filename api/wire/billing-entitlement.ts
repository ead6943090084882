import type { z } from 'zod';
import { iso } from '../../billing/calendar/instant.ts';
import type { Pause } from '../../billing/calendar/pauses.ts';
import type { Contract } from '../../billing/contract/types.ts';
import { moneyText } from '../../billing/money/round.ts';
import type { CustomerAccess } from '../../db/entitlement/access.ts';
import { nextCycleDue, type Standing, type Unpaid } from '../../services/payment/standing.ts';
import type { BillingEntitlement, BillingOther } from '../schema/entitlement.ts';
import { stateToWire } from './entitlement.ts';
import { providerToWire } from './provider.ts';

/** What the customer owes and has in wallets; the first contract is the requested one, further ones become `others`. */
export function billingEntitlementToWire(access: CustomerAccess, standing: Standing, pauses: Pause[]): z.input<typeof BillingEntitlement> {
  const [first, ...others] = access.contracts;
  const of = (contract: Contract | null): z.input<typeof BillingOther> => ({
    contract: contract === null ? null : stateToWire(contract),
    customer: { status: access.status },
    payment: paymentToWire(contract, standing, pauses),
  });
  return { ...of(first?.contract ?? null), others: others.map(({ contract }) => of(contract)) };
}

function paymentToWire(contract: Contract | null, { provider, unpaid, wallets, earliestDue }: Standing, pauses: Pause[]) {
  const currency = contract?.terms.currency ?? wallets[0]?.currency ?? 'usd';
  const due = earliestDue ?? (contract === null ? null : nextCycleDue(contract, pauses));
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
