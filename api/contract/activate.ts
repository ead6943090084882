import { z } from 'zod';
import { at } from '../../billing/calendar/instant.ts';
import { activateContract } from '../../services/contract/activate.ts';
import { ids } from '../example/ids.ts';
import { route } from '../http/route.ts';
import { ContractId } from '../schema/common.ts';
import { ActivateContractRequest } from '../schema/contract.ts';
import { decisionErrors } from './decision-errors.ts';

export const activateContractRoute = route({
  method: 'post',
  path: '/v1/c/contract/{contract_id}/activate',
  operationId: 'activate_contract',
  tag: 'Contracts',
  summary: 'Activate a pending contract',
  description:
    'It begins now; with a later `activation` it becomes `scheduled`. Its first period and invoice are written in the same transaction.',
  scope: 'full',
  params: z.object({ contract_id: ContractId }),
  body: ActivateContractRequest,
  bodyOptional: true,
  response: { 200: ContractId },
  errors: decisionErrors,
  example: { body: {}, response: ids.supportContract },
  queue: (params) => params.contract_id,
  write: async ({ vendor, params, body, tx }) => {
    const call = { vendorId: vendor, contractId: params.contract_id };
    await activateContract(tx, call, body.activation == null ? null : at(body.activation, 'activation'));
    return params.contract_id;
  },
});
