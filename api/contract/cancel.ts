import { z } from 'zod';
import { cancelContract } from '../../services/contract/cancel.ts';
import { ids } from '../example/ids.ts';
import { route } from '../http/route.ts';
import { ContractId } from '../schema/common.ts';
import { CancelRequest } from '../schema/contract.ts';
import { cancelFromWire } from '../wire/cancel.ts';

export const cancelContractRoute = route({
  method: 'post',
  path: '/v1/c/contract/{contract_id}/cancel',
  operationId: 'cancel_contract',
  tag: 'Contracts',
  summary: 'Cancel a contract',
  description:
    'Now, at the end of the cycle or on a date; until then it can be taken back by `…/cancel_undo`. Usage so far is charged; with `credit` the unused part goes to the wallet.',
  scope: 'full',
  params: z.object({ contract_id: ContractId }),
  body: CancelRequest,
  response: { 200: ContractId },
  errors: ['contract_not_found', 'contract_state', 'contract_not_live', 'customer_frozen', 'clock_advancing', 'change_in_progress'],
  example: { body: { when: { type: 'end_of_cycle' }, notes: 'moves to another tool' }, response: ids.contract },
  queue: (params) => params.contract_id,
  write: async ({ vendor, params, body, tx }) => {
    const call = { vendorId: vendor, contractId: params.contract_id };
    await cancelContract(tx, call, cancelFromWire(body));
    return params.contract_id;
  },
});
