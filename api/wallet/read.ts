import { z } from 'zod';
import { iso } from '../../billing/calendar/instant.ts';
import { moneyText } from '../../billing/money/round.ts';
import { readCustomer } from '../../db/customer/read.ts';
import { newestMovements, type WalletMovement } from '../../db/sql/wallet/newest-movements.ts';
import { walletBalances } from '../../db/sql/wallet/read-balances.ts';
import { exampleWallet } from '../example/payment.ts';
import { Problem } from '../http/problem.ts';
import { route } from '../http/route.ts';
import { CustomerId } from '../schema/common.ts';
import { CustomerWallet } from '../schema/entitlement.ts';
import { balanceToWire } from '../wire/wallet.ts';

/** The newest transactions that are shown. */
const SHOWN = 200;

export const readWalletRoute = route({
  method: 'get',
  path: '/v1/c/customer/{customer_id}/wallet',
  operationId: 'get_wallet',
  tag: 'Wallet',
  summary: 'Read the wallet of a customer',
  description: 'Balances by currency and the newest transactions, the oldest of them first.',
  scope: 'read',
  params: z.object({ customer_id: CustomerId }),
  response: { 200: CustomerWallet },
  errors: ['customer_not_found'],
  example: { response: exampleWallet },
  run: async ({ vendor, params }, { db }) => {
    const balances = await walletBalances(db, vendor, params.customer_id);
    if (balances.length === 0 && (await readCustomer(db.em(), vendor, params.customer_id)) === null)
      throw new Problem('customer_not_found');
    const movements = await newestMovements(db, vendor, params.customer_id, SHOWN);
    return { balances: balances.map(balanceToWire), transactions: movements.map(movementToWire) };
  },
});

const movementToWire = ({ id, at, currency, amount, balanceAfter, kind, description, invoiceId }: WalletMovement) => ({
  id,
  at: iso(at),
  currency,
  amount: moneyText(amount, currency),
  balance_after: moneyText(balanceAfter, currency),
  kind,
  description,
  invoice_id: invoiceId,
});
