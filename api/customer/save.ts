import { readCustomer } from '../../db/customer/read.ts';
import { recordHistory } from '../../services/customer/history.ts';
import { lockCustomer } from '../../services/customer/lock.ts';
import { blankCustomer, makeCustomer, updateCustomer } from '../../services/customer/save.ts';
import { exampleCustomerRequest } from '../example/customer.ts';
import { ids } from '../example/ids.ts';
import { invalidField, Problem } from '../http/problem.ts';
import { route } from '../http/route.ts';
import { CustomerId } from '../schema/common.ts';
import { CustomerRequest } from '../schema/customer.ts';
import { customerFromWire } from '../wire/customer.ts';

export const saveCustomerRoute = route({
  method: 'post',
  path: '/v1/c/customer',
  operationId: 'save_customer',
  tag: 'Customers',
  summary: 'Create or update a customer',
  description:
    'An empty `id` makes a new customer, who is `temporary` until activated: invoices are made, nothing is collected. With an `id`, absent fields stay, null clears and maps are replaced whole.',
  scope: 'full',
  body: CustomerRequest,
  response: { 200: CustomerId },
  errors: ['customer_not_found', 'customer_frozen', 'customer_erased', 'test_clock_not_found', 'clock_advancing'],
  example: { body: exampleCustomerRequest, response: ids.customer },
  together: ({ vendor, asker, body }, { customers }) => {
    if (body.id || body.test_clock) return null;
    const customer = customerFromWire(body, blankCustomer(vendor, null, 0));
    return { outcome: customer.id, make: (answer) => customers.make({ customer, asker, answer }) };
  },
  write: async ({ vendor, body, tx }) => {
    if (!body.id) return makeCustomer(tx, customerFromWire(body, blankCustomer(vendor, body.test_clock ?? null, 0)));
    if (body.test_clock) throw invalidField('test_clock', 'can be given only when a customer is made');
    const { now } = await lockCustomer(tx, vendor, body.id, { lock: 'no key update' });
    const customer = await readCustomer(tx.em, vendor, body.id);
    if (customer === null) throw new Problem('customer_not_found');
    await updateCustomer(tx, customerFromWire(body, customer), now);
    await recordHistory(tx, { customerId: customer.id, kind: 'updated', at: now });
    return customer.id;
  },
});
