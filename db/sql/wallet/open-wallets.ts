import type { Currency } from '../../../billing/money/currency.ts';
import type { Queryable } from '../../connect.ts';
import { newId } from '../../id.ts';
import { insertRows } from '../rows.ts';

/**
 * Makes the wallets that are missing, empty. SQL, because a bill run moves the wallets of a batch in few statements.
 */
export async function openWallets(
  tx: Queryable,
  wallets: readonly { vendorId: string; customerId: string; currency: Currency }[],
): Promise<void> {
  const rows = wallets.map(({ vendorId, customerId, currency }) => ({
    id: newId('Wall'),
    vendor_id: vendorId,
    customer_id: customerId,
    currency,
    balance: '0',
  }));
  await insertRows(tx, 'wallet', rows, 'on conflict (customer_id, currency) do nothing');
}
