import { z } from 'zod';
import { undoChange as undo } from '../../services/contract/undo-change.ts';
import { ids } from '../example/ids.ts';
import { route } from '../http/route.ts';
import { ContractId, Nothing } from '../schema/common.ts';

export const undoChange = route({
  method: 'post',
  path: '/v1/c/contract/{contract_id}/change_undo',
  operationId: 'undo_contract_change',
  tag: 'Contracts',
  summary: 'Drop a scheduled change',
  description: 'The scheduled contract becomes `canceled`, the present one goes on.',
  scope: 'full',
  params: z.object({ contract_id: ContractId }),
  body: Nothing,
  bodyOptional: true,
  response: { 200: ContractId },
  errors: [
    'contract_not_found',
    'contract_state',
    'contract_not_live',
    'customer_frozen',
    'clock_advancing',
    'change_in_progress',
    'no_pending_change',
  ],
  example: { body: {}, response: ids.contract },
  queue: (params) => params.contract_id,
  write: async ({ vendor, apiKeyId, params, tx }) => {
    const call = { vendorId: vendor, contractId: params.contract_id, keyId: apiKeyId };
    await undo(tx, call);
    return params.contract_id;
  },
});
