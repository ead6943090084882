import { z } from 'zod';
import { estimateCancellation } from '../../services/contract/estimate-cancel.ts';
import { exampleCancelEstimate } from '../example/estimate.ts';
import { route } from '../http/route.ts';
import { ContractId } from '../schema/common.ts';
import { CancelRequest } from '../schema/contract.ts';
import { CancelEstimate } from '../schema/estimate.ts';
import { cancelFromWire } from '../wire/cancel.ts';
import { cancelEstimateToWire } from '../wire/foreseen.ts';

export const estimateCancellationRoute = route({
  method: 'post',
  path: '/v1/c/contract/{contract_id}/cancel_estimate',
  operationId: 'estimate_cancellation',
  tag: 'Contracts',
  summary: 'Estimate a cancellation',
  description: 'The same computation as the cancellation, and what follows from it if nothing more happens; nothing is written.',
  scope: 'read',
  params: z.object({ contract_id: ContractId }),
  body: CancelRequest,
  response: { 200: CancelEstimate },
  unaudited: 'an estimate writes nothing',
  errors: ['contract_not_found', 'contract_state', 'contract_not_live', 'customer_frozen', 'clock_advancing'],
  example: { body: { when: { type: 'now' }, credit: true }, response: exampleCancelEstimate },
  run: async ({ vendor, params, body }, { db }) =>
    cancelEstimateToWire(await estimateCancellation(db, { vendorId: vendor, contractId: params.contract_id }, cancelFromWire(body))),
});
