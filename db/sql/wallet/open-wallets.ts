import type { Currency } from '../../../billing/money/currency.ts';
import type { Queryable } from '../../connect.ts';
import { newId } from '../../id.ts';
import { insertRows } from '../rows.ts';

/**
 * Makes the wallets that are missing, empty. A customer who is invoiced, or given prepaid credits, has one too: its
 * row is the lock of all that a customer has in a currency, so that an invoice and the money or credits that may pay it
 * never miss each other. SQL, because a bill run moves the wallets of a batch in few statements.
 */
export async function openWallets(
  tx: Queryable,
  wallets: readonly { vendorId: string; customerId: string; currency: Currency }[],
): Promise<void> {
  // in one order, so that two transactions never deadlock
  const keyOf = ({ customerId, currency }: (typeof wallets)[number]): string => `${customerId} ${currency}`;
  const sorted = wallets.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const rows = sorted.map(({ vendorId, customerId, currency }) => ({
    id: newId('Wall'),
    vendor_id: vendorId,
    customer_id: customerId,
    currency,
    balance: '0',
  }));
  await insertRows(tx, 'wallet', rows, 'on conflict (customer_id, currency) do nothing');
}
