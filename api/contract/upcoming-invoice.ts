import { z } from 'zod';
import { upcomingInvoice } from '../../services/contract/upcoming-invoice.ts';
import { exampleUpcoming } from '../example/estimate.ts';
import { route } from '../http/route.ts';
import { ContractId } from '../schema/common.ts';
import { UpcomingInvoice } from '../schema/estimate.ts';
import { upcomingToWire } from '../wire/foreseen.ts';

export const upcomingInvoiceRoute = route({
  method: 'get',
  path: '/v1/c/contract/{contract_id}/upcoming_invoice',
  operationId: 'get_upcoming_invoice',
  tag: 'Contracts',
  summary: 'See the next invoice',
  description:
    'Exactly the next invoice of the contract, or of the contract it becomes, if nothing more happens: with the usage reported by now, discounts, tax, a scheduled change or cancellation. Nothing is written.',
  scope: 'read',
  params: z.object({ contract_id: ContractId }),
  response: { 200: UpcomingInvoice },
  errors: ['contract_not_found'],
  example: { response: exampleUpcoming },
  run: async ({ vendor, params }, { db }) => upcomingToWire(await upcomingInvoice(db, vendor, params.contract_id)),
});
