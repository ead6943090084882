import { z } from 'zod';
import { chargeOnDemand } from '../../services/contract/charge-on-demand.ts';
import { exampleId } from '../example/ids.ts';
import { route } from '../http/route.ts';
import { ContractId, ItemId } from '../schema/common.ts';
import { ChargeRequest } from '../schema/contract.ts';
import { decisionErrors } from './decision-errors.ts';

export const chargeOnDemandRoute = route({
  method: 'post',
  path: '/v1/c/contract/{contract_id}/charge',
  operationId: 'charge_contract',
  tag: 'Contracts',
  summary: 'Charge an on-demand feature',
  description:
    'Charged once, now and in full, on a separate invoice; with the invoice trigger `manual` the line waits for `POST /v1/c/invoice`. Returns the id of the line. Each call charges: send an `Idempotency-Key`.',
  scope: 'full',
  params: z.object({ contract_id: ContractId }),
  body: ChargeRequest,
  response: { 201: ItemId },
  errors: decisionErrors,
  example: { body: { feature_slug: 'report', units: '1' }, response: exampleId('Item', 4) },
  queue: (params) => params.contract_id,
  write: async ({ vendor, params, body, tx }) => {
    const call = { vendorId: vendor, contractId: params.contract_id };
    return chargeOnDemand(tx, call, { slug: body.feature_slug, units: body.units ?? null });
  },
});
