import { customerMachine } from '../../billing/lifecycle/customer.ts';
import { next } from '../../billing/lifecycle/machine.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { Tx } from '../../db/connect.ts';
import { newId } from '../../db/id.ts';
import { signImported } from '../contract/sign.ts';
import { lockCustomer } from '../customer/lock.ts';
import { makeCustomer } from '../customer/save.ts';
import { grant } from '../wallet/grant.ts';
import type { LineCustomer, LineInput } from './line.ts';
import type { Refs } from './refs.ts';

/** What a line has made, and whose it is. */
interface MadeByLine {
  objectId: string;
  customerId: string;
}

/**
 * Makes what a line says, by the services of its API call.
 *
 * @throws Refusal and BillingError as these
 */
export async function makeByLine(tx: Tx, vendorId: string, input: LineInput, refs: Refs): Promise<MadeByLine> {
  if (input.type === 'customer') {
    const customerId = await makeCustomer(tx, { ...input.customer, id: newId('Cust'), vendorId });
    return { objectId: customerId, customerId };
  }
  const customerId = customerOf(input.customer, refs);
  if (input.type === 'contract') return { objectId: await signImported(tx, { ...input.signing, vendorId, customerId }), customerId };
  const { currency, amount } = input;
  const { now: at } = await lockCustomer(tx, vendorId, customerId);
  const objectId = await grant(tx, { vendorId, customerId, currency, amount, description: 'Opening balance', at, kind: 'opening' });
  return { objectId, customerId };
}

function customerOf(customer: LineCustomer, refs: Refs): string {
  if ('id' in customer) return customer.id;
  const made = refs.get(customer.refKey);
  if (made === undefined)
    throw new Refusal('customer_not_found', 'No customer was imported under this ref.', {
      customer: 'give the ref of a line of a customer',
    });
  return made.customerId;
}

/** The state of a customer who has completed its registration elsewhere. */
export const REGISTERED = next(customerMachine, 'temporary', 'activate');
