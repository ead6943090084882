import { moneyText } from '../../billing/money/round.ts';
import type { WalletBalance } from '../../db/sql/wallet/read-balances.ts';

/** What a customer's wallet holds in one currency. */
export const balanceToWire = ({ id, balance, held, currency, customerId, vendorId }: WalletBalance) => ({
  id,
  balance: moneyText(balance, currency),
  held: moneyText(held, currency),
  currency,
  customer_id: customerId,
  wb_customer_id: vendorId,
});
