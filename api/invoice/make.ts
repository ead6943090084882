import { makeInvoices } from '../../services/invoice/make.ts';
import { ids } from '../example/ids.ts';
import { ApiResponse, route } from '../http/route.ts';
import { InvoiceIds, MakeInvoiceRequest } from '../schema/invoice.ts';

export const makeInvoiceRoute = route({
  method: 'post',
  path: '/v1/c/invoice',
  operationId: 'make_invoices',
  tag: 'Invoices',
  summary: 'Make invoices of waiting items',
  description:
    'One invoice for each contract; each one waits for its validation. 201 with the ids, 200 with an empty array when no item waits.',
  scope: 'full',
  body: MakeInvoiceRequest,
  response: { 200: InvoiceIds, 201: InvoiceIds },
  errors: [
    'contract_not_found',
    'customer_not_found',
    'invoice_item_not_found',
    'invoice_state',
    'customer_frozen',
    'customer_erased',
    'clock_advancing',
  ],
  example: { body: { customer_id: ids.customer }, response: [ids.voidedInvoice], others: { 200: [] } },
  write: async ({ vendor, body, tx }) => {
    const itemIds = body.invoice_item_ids ?? null;
    const ids = await makeInvoices(tx, vendor, { contractId: body.contract_id ?? null, customerId: body.customer_id ?? null, itemIds });
    return new ApiResponse(ids.length > 0 ? 201 : 200, ids);
  },
});
