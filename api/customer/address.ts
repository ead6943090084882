import { z } from 'zod';
import { readCustomer } from '../../db/customer/read.ts';
import { recordHistory } from '../../services/customer/history.ts';
import { lockCustomer } from '../../services/customer/lock.ts';
import { updateCustomer } from '../../services/customer/save.ts';
import { exampleAddress } from '../example/address.ts';
import { Problem } from '../http/problem.ts';
import { route } from '../http/route.ts';
import { Address, AddressRequest } from '../schema/address.ts';
import { CustomerId } from '../schema/common.ts';
import { addressFromWire } from '../wire/address.ts';

export const setAddressRoute = route({
  method: 'post',
  path: '/v1/c/customer/{customer_id}/address',
  operationId: 'set_customer_address',
  tag: 'Customers',
  summary: 'Set the address of a customer',
  description: 'Replaces the address labelled `main`, which invoices and taxes use from now on, and returns it as stored.',
  scope: 'full',
  params: z.object({ customer_id: CustomerId }),
  body: AddressRequest,
  response: { 200: Address },
  errors: ['customer_not_found', 'customer_frozen', 'customer_erased', 'clock_advancing'],
  example: { body: { line_1: '1 Main Street', city: 'Berlin', zip: '10115', country: 'DE' }, response: exampleAddress },
  write: async ({ vendor, params, body, tx }) => {
    const { now } = await lockCustomer(tx, vendor, params.customer_id, { lock: 'no key update' });
    const customer = await readCustomer(tx.em, vendor, params.customer_id);
    if (customer === null) throw new Problem('customer_not_found');
    const main = addressFromWire(body);
    const { main: _before, ...others } = customer.addresses;
    await updateCustomer(tx, { ...customer, addresses: { main, ...others } }, now);
    await recordHistory(tx, { customerId: customer.id, kind: 'address_set', at: now });
    return main;
  },
});
