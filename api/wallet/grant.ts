import { z } from 'zod';
import { lockCustomer } from '../../services/customer/lock.ts';
import { grant } from '../../services/wallet/grant.ts';
import { exampleId } from '../example/ids.ts';
import { route } from '../http/route.ts';
import { CustomerId, idSchema } from '../schema/common.ts';
import { WalletRequest } from '../schema/payment.ts';
import { requireMoney } from '../wire/money-given.ts';

export const grantToWalletRoute = route({
  method: 'post',
  path: '/v1/c/customer/{customer_id}/wallet/transaction',
  operationId: 'create_wallet_transaction',
  tag: 'Wallet',
  summary: 'Give money to a wallet, or take it back',
  description:
    'A negative amount takes money back; the balance never goes below zero. Money that is given pays open invoices of its currency, the oldest due first, 200 at a time.',
  scope: 'full',
  params: z.object({ customer_id: CustomerId }),
  body: WalletRequest,
  response: { 201: idSchema('Txn').describe('Id of the movement.') },
  errors: ['customer_not_found', 'customer_frozen', 'customer_erased', 'clock_advancing', 'wallet_insufficient'],
  example: { body: { currency: 'usd', amount: '25.00', description: 'Thank you for your patience' }, response: exampleId('Txn', 3) },
  write: async ({ vendor, params, body, tx }) => {
    requireMoney(body);
    const { now } = await lockCustomer(tx, vendor, params.customer_id);
    const { currency, description } = body;
    return grant(tx, { vendorId: vendor, customerId: params.customer_id, currency, amount: body.amount, description, at: now });
  },
});
